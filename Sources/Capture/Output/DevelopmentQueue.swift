import Dispatch
import GEGL
import GEGLOperation
import Synchronization

/// Where photos are developed: one after the other, since the kernels use all processors and share one token of cancellation;
/// and on a thread that may block.
final class DevelopmentQueue: Sendable {
  static let shared = DevelopmentQueue()

  private let queue = DispatchQueue(label: "constant-color.development", qos: .userInitiated)
  /// The capture that is being developed.
  private let current = Mutex<Int64?>(nil)

  /// Runs work when its turn comes.
  func perform<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }

  /// Runs the development of a capture, which ``cancel(_:)`` stops.
  func develop(_ id: Int64, _ work: @escaping @Sendable () throws -> Void) async throws {
    try await perform {
      self.current.withLock { $0 = id }
      defer {
        self.current.withLock { current in
          current = nil
          // Whoever cancels late must not stop the next.
          Run.cancellation.reset()
        }
      }
      // What GEGL has to say is no output of the program.
      try Messages.capture { try work() }.result
    }
  }

  /// Runs work on a graph, and makes GEGL forget what was unfinished in it while the graph is still there.
  func recovering<Owner, Result>(_ owner: Owner, _ work: () throws -> Result) rethrows -> Result {
    try withExtendedLifetime(owner) {
      defer { if Run.cancellation.isCancelled { Run.recover() } }
      return try work()
    }
  }

  /// Stops the development of a capture; does nothing where it is not the one being developed.
  func cancel(_ id: Int64) { current.withLock { if $0 == id { Run.cancellation.cancel() } } }
}
