import GEGL
import Synchronization

/// One capture, from its begin to its end.
final class CaptureJob: Sendable {
  let uniqueID: Int64
  private let settings: PhotoSettings
  private let pipeline: PhotoPipeline
  private let session: CaptureSession
  private let tell: @Sendable (CaptureEvent) -> Void

  private struct State {
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())

  init(
    _ settings: PhotoSettings, pipeline: PhotoPipeline, session: CaptureSession,
    tell: @escaping @Sendable (CaptureEvent) -> Void
  ) {
    uniqueID = settings.uniqueID
    (self.settings, self.pipeline, self.session, self.tell) = (settings, pipeline, session, tell)
  }

  func start() {
    // It belongs to nobody's task: what started it may end before it does.
    state.withLock { state in
      state.task = Task.detached { await self.run() }
      if state.isCancelled { state.task?.cancel() }
    }
  }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.task?.cancel()
    }
    DevelopmentQueue.shared.cancel(uniqueID)
  }

  /// Waits for the end.
  func finished() async { await state.withLock { $0.task }?.value }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func run() async {
    let resolved = settings.resolved
    var error: CaptureError?
    do { try await capture(resolved) } catch let thrown {
      error =
        isCancelled || thrown is RenderingCancelled || thrown is CancellationError
        ? .cancelled : thrown as? CaptureError ?? .processingFailed("\(thrown)")
    }
    // First forgotten, so that whoever hears of the end can change the configuration.
    session.end(uniqueID)
    tell(.finished(resolved, error))
  }

  private func capture(_ resolved: ResolvedPhotoSettings) async throws {
    @Sendable func check() throws { if isCancelled { throw CaptureError.cancelled } }
    try check()
    tell(.begins(resolved))
    try check()
    tell(.captures(resolved))
    let frames = try await takeFrames(resolved)
    defer { frames.discard?() }
    try check()
    tell(.captured(resolved))
    do {
      try await DevelopmentQueue.shared.develop(uniqueID) { [pipeline, settings, tell] in
        try check()
        try pipeline.develop(frames, settings) { tell(.processed($0, nil)) }
      }
    } catch {
      if !isCancelled, !(error is RenderingCancelled) {
        let reason = error as? CaptureError ?? .processingFailed("\(error)")
        tell(.processed(Photo(PhotoParts(settings: resolved, name: frames.name), photoCount: 1), reason))
        throw reason
      }
      throw error
    }
  }

  private func takeFrames(_ resolved: ResolvedPhotoSettings) async throws -> CapturedFrames {
    let request = FrameRequest(
      uniqueID: uniqueID, needsFlash: resolved.isFlashEnabled,
      needsAmbient: resolved.isConstantColorEnabled || !resolved.isFlashEnabled)
    do { return try await pipeline.source.frames(for: request) } catch {
      if error is CancellationError { throw error }
      throw error as? CaptureError ?? .framesFailed("\(error)")
    }
  }
}
