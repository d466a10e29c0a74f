/// The photos of one capture, as they become ready.
public struct CapturedPhotos: AsyncSequence, Sendable {
  /// The number of the settings.
  public let uniqueID: Int64
  private let stream: AsyncThrowingStream<Photo, any Error>

  init(uniqueID: Int64, _ stream: AsyncThrowingStream<Photo, any Error>) {
    (self.uniqueID, self.stream) = (uniqueID, stream)
  }

  /// Gives the photos one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var iterator: AsyncThrowingStream<Photo, any Error>.AsyncIterator

    /// The next photo; nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(CaptureError) -> Photo? {
      do {
        let photo = try await iterator.next(isolation: actor)
        // A stream ends without a word where its task is cancelled.
        if photo == nil, Task.isCancelled { throw CaptureError.cancelled }
        return photo
      } catch { throw error as? CaptureError ?? .processingFailed("\(error)") }
    }
  }

  /// An iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
}
