import Synchronization

/// How a kernel runs: on which threads, and until who stops it.
///
/// Results never depend on it: kernels cut their work on a fixed grid and combine parts in order.
public struct Execution: Sendable {
  /// Calls the body for disjoint ranges that cover `0..<count`, possibly at the same time, and
  /// returns when all are done.
  public let parallelFor: @Sendable (_ count: Int, _ body: (Range<Int>) -> Void) -> Void
  /// Asked at least every 50 ms of work; when cancelled, a kernel returns early and its result is void.
  public let cancellation: CancellationToken

  /// Runs with the given threads and token.
  public init(
    cancellation: CancellationToken = CancellationToken(),
    parallelFor: @escaping @Sendable (Int, (Range<Int>) -> Void) -> Void
  ) {
    self.cancellation = cancellation
    self.parallelFor = parallelFor
  }

  /// Everything on the calling thread.
  public static let serial = Execution { count, body in if count > 0 { body(0..<count) } }

  /// Everything on the calling thread, until this is cancelled.
  public var oneThread: Execution {
    Execution(cancellation: cancellation) { count, body in if count > 0 { body(0..<count) } }
  }

  /// Calls `body` once for each index of `0..<count`, possibly at the same time; after a
  /// cancellation the remaining ones are left out.
  public func forEach(_ count: Int, _ body: (Int) -> Void) {
    parallelFor(count) { range in
      for index in range {
        if cancellation.isCancelled { return }
        body(index)
      }
    }
  }

  /// One value for each index of `0..<count`, in order whatever the threads did. After a
  /// cancellation the missing ones are `placeholder`.
  public func map<Value>(_ count: Int, placeholder: Value, _ body: (Int) -> Value) -> [Value] {
    var values = [Value](repeating: placeholder, count: max(0, count))
    values.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let buffer = buffer
      forEach(buffer.count) { buffer[$0] = body($0) }
    }
    return values
  }
}

/// A flag that stops running kernels.
public final class CancellationToken: Sendable {
  private let flag = Atomic<Bool>(false)

  /// A token that nobody has cancelled.
  public init() {}

  /// Whether the work should stop.
  public var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Asks every kernel that holds this token to stop.
  public func cancel() { flag.store(true, ordering: .relaxed) }

  /// Makes the token usable again.
  public func reset() { flag.store(false, ordering: .relaxed) }
}
