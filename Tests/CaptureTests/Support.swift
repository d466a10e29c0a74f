import Capture
import Photo
import SimulatedCapture
import Synchronization
import Testing

/// A session with everything that a capture needs.
struct Studio {
  let session = CaptureSession()
  let output = PhotoOutput()
  let device: CaptureDevice

  /// A session that takes photos with a device; enabled for constant colour and running, unless told otherwise.
  init(_ device: CaptureDevice, preset: CaptureSession.Preset = .photo, isRunning: Bool = true) async throws {
    self.device = device
    try await session.addInput(CaptureDeviceInput(device: device))
    try await session.addOutput(output)
    try await session.setSessionPreset(preset)
    guard isRunning else { return }
    try await output.setConstantColorEnabled(true)
    try await session.startRunning()
  }

  /// A session before a small simulated room.
  static func simulated(lux: Double = 100) async throws -> Studio {
    let frames = try #require(SimulatedFrames(lux: lux, width: 160, height: 120))
    return try await Studio(CaptureDevice(simulated: frames))
  }
}

extension PhotoSettings {
  /// What a constant-colour capture needs.
  static func constantColor(fallback: Bool = false) -> PhotoSettings {
    var settings = PhotoSettings()
    settings.flashMode = .on
    settings.isConstantColorEnabled = true
    settings.isConstantColorFallbackPhotoDeliveryEnabled = fallback
    return settings
  }
}

/// A source that says whether and when frames come.
final class GatedSource: FrameSource {
  private let state = Mutex<(isOpen: Bool, prepared: [Bool], requests: [FrameRequest])>((false, [], []))
  let error: CaptureError
  let delay: Duration

  /// - Parameter preparation: how long getting ready takes.
  init(preparation: Duration = .zero, _ error: CaptureError = .noMoreFrames) {
    (delay, self.error) = (preparation, error)
  }

  /// Whether constant colour was asked for, each time that the pipeline was built.
  var prepared: [Bool] { state.withLock { $0.prepared } }
  var requests: [FrameRequest] { state.withLock { $0.requests } }

  /// Lets everybody through who waits.
  func open() { state.withLock { $0.isOpen = true } }

  func prepare(constantColor: Bool) async throws {
    try await Task.sleep(for: delay)
    state.withLock { $0.prepared.append(constantColor) }
  }

  func frames(for request: FrameRequest) async throws -> CapturedFrames {
    state.withLock { $0.requests.append(request) }
    while !state.withLock({ $0.isOpen }) { try await Task.sleep(for: .milliseconds(2)) }
    throw error
  }
}

/// A delegate that writes down what it hears.
final class Recorder: PhotoCaptureDelegate {
  private let state = Mutex<(events: [String], photos: [Photo], error: CaptureError?)>(([], [], nil))
  private let ended = AsyncStream.makeStream(of: Void.self)
  /// Called with each event, at that time.
  let observer: @Sendable (String) -> Void

  init(_ observer: @escaping @Sendable (String) -> Void = { _ in }) { self.observer = observer }

  var events: [String] { state.withLock { $0.events } }
  var photos: [Photo] { state.withLock { $0.photos } }
  var error: CaptureError? { state.withLock { $0.error } }

  /// Waits for the last call.
  func end() async { for await _ in ended.stream { return } }

  private func add(_ event: String) {
    state.withLock { $0.events.append(event) }
    observer(event)
  }

  func photoOutput(_ output: PhotoOutput, willBeginCaptureFor settings: ResolvedPhotoSettings) { add("willBegin") }
  func photoOutput(_ output: PhotoOutput, willCapturePhotoFor settings: ResolvedPhotoSettings) { add("willCapture") }
  func photoOutput(_ output: PhotoOutput, didCapturePhotoFor settings: ResolvedPhotoSettings) { add("didCapture") }

  func photoOutput(_ output: PhotoOutput, didFinishProcessingPhoto photo: Photo, error: CaptureError?) {
    state.withLock { $0.photos.append(photo) }
    add(error != nil ? "failedPhoto" : photo.isConstantColorFallbackPhoto ? "fallbackPhoto" : "photo")
  }

  func photoOutput(_ output: PhotoOutput, didFinishCaptureFor settings: ResolvedPhotoSettings, error: CaptureError?) {
    state.withLock { $0.error = error }
    add("didFinish")
    ended.continuation.yield()
    ended.continuation.finish()
  }
}

/// The error that something throws; nil where it throws none.
func error(of body: () async throws -> Void) async -> CaptureError? {
  do {
    try await body()
    return nil
  } catch { return error as? CaptureError }
}
