import Synchronization

/// Takes photos.
///
/// The corresponding class of AVFoundation is `AVCapturePhotoOutput`. Whether constant colour is possible is asked here, and
/// changes with the session's device and format.
public final class PhotoOutput: Sendable {
  private struct State {
    var membership = Membership()
    var usedSettings = Set<Int64>()
  }

  private let state = Mutex(State())

  /// An output that belongs to no session yet.
  public init() {}

  var session: CaptureSession? { state.withLock { $0.membership.session } }

  /// Gives the output to a session; false where it belongs to another.
  func attach(to session: CaptureSession) -> Bool { state.withLock { $0.membership.enter(session) } }

  /// Takes the output from its session.
  func detach() { state.withLock { $0.membership.leave() } }

  // MARK: constant colour

  /// Whether constant-colour photos can be taken with the session's device in its format.
  ///
  /// Only the wide-angle and the dual wide camera on the back of a device that has the flash for it can, and only in a format
  /// of photos; and external devices. May change with every change of the session. Where it becomes false,
  /// ``isConstantColorEnabled`` does, too, and stays so until it is set again.
  public var isConstantColorSupported: Bool { constantColorObstacle == nil }

  /// Why ``isConstantColorSupported`` is false; nil where it is true.
  public var constantColorObstacle: ConstantColorObstacle? { session.map { $0.configuration.obstacle } ?? .noDevice }

  /// Whether the pipeline is built for constant-colour photos; false by default.
  public var isConstantColorEnabled: Bool { session?.configuration.isConstantColorEnabled ?? false }

  /// Builds the pipeline for constant-colour photos, or without.
  ///
  /// That is slow in a running session; do it once, before ``CaptureSession/startRunning()``, which builds the pipeline anyway.
  ///
  /// - Throws: ``CaptureError/constantColorNotSupported(_:)``, ``CaptureError/captureInProgress`` or
  ///   ``CaptureError/reconfiguring``; then nothing has changed.
  public func setConstantColorEnabled(_ isEnabled: Bool) async throws(CaptureError) {
    guard let session else {
      if isEnabled { throw .constantColorNotSupported(.noDevice) }
      return
    }
    try await session.setConstantColorEnabled(isEnabled)
  }

  /// How often the session's pipeline was built: once at its start, and for every change since.
  public var reconfigurationCount: Int { session?.reconfigurations ?? 0 }

  // MARK: other capabilities

  /// The flash modes of the session's device.
  public var supportedFlashModes: [FlashMode] {
    session?.configuration.input?.device.hasFlash == true ? FlashMode.allCases : [.off]
  }

  /// The pixel formats of RAW photos: none. (RAW *input* is what gives the best photos.)
  public var availableRawPhotoPixelFormatTypes: [PixelFormatType] { [] }

  // MARK: capturing

  /// Takes a photo, and tells the delegate; returns at once.
  ///
  /// Captures are developed one after the other. The delegate is kept alive until its last call.
  ///
  /// - Throws: ``CaptureError`` for settings that break a rule; then the delegate hears nothing.
  public func capturePhoto(with settings: PhotoSettings, delegate: any PhotoCaptureDelegate) throws(CaptureError) {
    try begin(settings) { event in event.tell(delegate, self) }
  }

  /// Takes a photo; its photos arrive in the order in which a delegate gets them: the constant-colour photo, then the fallback.
  ///
  /// Ending the loop early, or cancelling its task, cancels the capture.
  ///
  /// - Throws: ``CaptureError`` for settings that break a rule.
  public func photos(with settings: PhotoSettings) throws(CaptureError) -> CapturedPhotos {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Photo.self)
    try begin(settings) { event in
      switch event {
      case .processed(let photo, nil): continuation.yield(photo)
      case .finished(_, let error): continuation.finish(throwing: error)
      default: break
      }
    }
    let (session, id) = (session, settings.uniqueID)
    continuation.onTermination = { reason in
      if case .cancelled = reason { session?.capture(id)?.cancel() }
    }
    return CapturedPhotos(uniqueID: id, stream)
  }

  /// Takes a photo and waits for all its photos, in the order in which a delegate gets them. Cancelling the task cancels the
  /// capture.
  public func capturePhotos(with settings: PhotoSettings) async throws(CaptureError) -> [Photo] {
    var photos: [Photo] = []
    for try await photo in try self.photos(with: settings) { photos.append(photo) }
    return photos
  }

  /// Cancels a capture: its delegate is told soon that it has ended with ``CaptureError/cancelled``. Does nothing where it is
  /// over.
  public func cancelCapture(_ uniqueID: Int64) { session?.capture(uniqueID)?.cancel() }

  /// Whether anything is being captured.
  public var isCapturing: Bool { session?.isCapturing ?? false }

  private func begin(
    _ settings: PhotoSettings, _ tell: @escaping @Sendable (CaptureEvent) -> Void
  ) throws(CaptureError) {
    guard let session else { throw .notConnected }
    let job = try session.begin { configuration throws(CaptureError) in
      try settings.check(configuration)
    } _: { configuration, pipeline throws(CaptureError) in
      try claim(settings)
      return CaptureJob(settings, pipeline: pipeline, session: session, tell: tell)
    }
    job.start()
  }

  /// Settings serve once.
  private func claim(_ settings: PhotoSettings) throws(CaptureError) {
    let isNew = state.withLock { $0.usedSettings.insert(settings.uniqueID).inserted }
    if !isNew { throw .settingsUsedBefore(uniqueID: settings.uniqueID) }
  }
}
