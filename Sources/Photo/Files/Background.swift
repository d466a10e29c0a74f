import Glibc

/// Work on a thread of its own, whose result is waited for.
final class Background<Value: Sendable>: BackgroundWork, @unchecked Sendable {
  private let work: @Sendable () throws -> Value
  private var result: Result<Value, any Error>?

  /// Begins; nil where the system has no thread for it.
  init?(_ work: @escaping @Sendable () throws -> Value) {
    self.work = work
    super.init()
    guard start() else { return nil }
  }

  fileprivate override func run() { result = Result { try work() } }

  /// The result, once it is there.
  func value() throws -> Value {
    wait()
    return try result?.get() ?? work()
  }
}

/// What a thread is given: C knows no generic functions.
class BackgroundWork {
  private var thread = pthread_t()
  private var isRunning = false

  fileprivate init() {}

  deinit {
    if isRunning { pthread_detach(thread) }
  }

  fileprivate func run() {}

  fileprivate func start() -> Bool {
    let own = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<BackgroundWork>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, own.toOpaque())
    isRunning = status == 0
    if !isRunning { own.release() }
    return isRunning
  }

  /// Waits until it is done.
  func wait() {
    guard isRunning else { return }
    isRunning = false
    pthread_join(thread, nil)
  }
}
