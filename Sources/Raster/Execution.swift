import Synchronization

/// How a kernel runs: on which threads, and until who stops it.
///
/// Results never depend on it: kernels cut their work on a fixed grid and combine parts in order.
public struct Execution: Sendable {
  /// Calls the body once on each thread, at the same time, and returns when all are done. Each takes turns until none of the
  /// `count` is left.
  public let parallelFor: @Sendable (_ count: Int, _ body: (Turns) -> Void) -> Void
  /// On how many threads at most.
  public var threads: Int { max(1, countThreads()) }
  private let countThreads: @Sendable () -> Int
  /// Asked at least every 50 ms of work; when cancelled, a kernel returns early and its result is void.
  public let cancellation: CancellationToken

  /// Runs with the given threads and token.
  public init(
    cancellation: CancellationToken = CancellationToken(), threads: @escaping @Sendable () -> Int = { 1 },
    parallelFor: @escaping @Sendable (Int, (Turns) -> Void) -> Void
  ) {
    self.cancellation = cancellation
    countThreads = threads
    self.parallelFor = parallelFor
  }

  /// Everything on the calling thread.
  public static let serial = Execution { count, body in if count > 0 { body(Turns(count)) } }

  /// Everything on the calling thread, until this is cancelled.
  public var oneThread: Execution {
    Execution(cancellation: cancellation, parallelFor: Self.serial.parallelFor)
  }

  /// Calls `body` once for each index of `0..<count`, possibly at the same time; after a
  /// cancellation the remaining ones are left out.
  public func forEach(_ count: Int, _ body: (Int) -> Void) {
    parallelFor(count) { turns in
      for index in turns {
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

/// Indices, each given to one of the threads that ask: whoever is done first takes the next, so that none waits for
/// one that is slow or has more to do.
public struct Turns: Sequence, IteratorProtocol, Sendable {
  private let counter: Counter

  /// All indices below a count.
  public init(_ count: Int) { self.init(0..<count) }

  /// All indices of a range.
  public init(_ range: Range<Int>) { counter = Counter(range) }

  /// An index that nobody has been given yet; nil when none is left.
  public func next() -> Int? { counter.next() }

  private final class Counter: Sendable {
    private let end: Int
    private let given: Atomic<Int>

    init(_ range: Range<Int>) {
      end = range.upperBound
      given = Atomic(range.lowerBound)
    }

    func next() -> Int? {
      // Threads are far fewer than what is left of the integers.
      let index = given.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < end ? index : nil
    }
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
