import Capture
import Photo
import SimulatedCapture
import Synchronization
import Testing

/// Row 8 of the mission, and how captures go: the order of calls, fallback delivery, errors, cancellation.
@Suite(.serialized) struct DeliveryTests {
  @Test func theDelegateIsCalledInOrder() async throws {
    let studio = try await Studio.simulated()
    let recorder = Recorder()
    try studio.output.capturePhoto(with: .constantColor(), delegate: recorder)
    await recorder.end()
    #expect(recorder.error == nil)
    #expect(recorder.events == ["willBegin", "willCapture", "didCapture", "photo", "didFinish"])
    let photo = try #require(recorder.photos.first)
    #expect(photo.resolvedSettings.expectedPhotoCount == 1 && photo.photoCount == 1)
  }

  @Test func theFallbackComesSecond() async throws {
    let studio = try await Studio.simulated()
    let recorder = Recorder()
    let settings = PhotoSettings.constantColor(fallback: true)
    try studio.output.capturePhoto(with: settings, delegate: recorder)
    await recorder.end()
    #expect(recorder.events == ["willBegin", "willCapture", "didCapture", "photo", "fallbackPhoto", "didFinish"])
    try #require(recorder.photos.count == 2)
    let (photo, fallback) = (recorder.photos[0], recorder.photos[1])
    #expect(photo.photoCount == 1 && fallback.photoCount == 2)
    #expect(photo.resolvedSettings.expectedPhotoCount == 2 && photo.resolvedSettings.isFlashEnabled)
    #expect(recorder.photos.allSatisfy { $0.resolvedSettings.uniqueID == settings.uniqueID })
    #expect(!photo.isConstantColorFallbackPhoto && fallback.isConstantColorFallbackPhoto)
    // Only the constant-colour photo has a confidence.
    #expect(photo.constantColorConfidenceMap != nil && photo.constantColorCenterWeightedMeanConfidenceLevel > 0)
    #expect(fallback.constantColorConfidenceMap == nil)
    #expect(fallback.constantColorCenterWeightedMeanConfidenceLevel == 0 && fallback.report == nil)
    let (main, other) = (try #require(photo.pixelBuffer), try #require(fallback.pixelBuffer))
    #expect(main.width == 160 && main.height == 120 && other.width == 160 && other.height == 120)
    #expect(try main.encodedBytes() != other.encodedBytes())
  }

  @Test func awaiting() async throws {
    let studio = try await Studio.simulated()
    var automatic = PhotoSettings.constantColor(fallback: true)
    automatic.flashMode = .auto
    let both = try await studio.output.capturePhotos(with: automatic)
    #expect(both.map(\.isConstantColorFallbackPhoto) == [false, true])
    #expect(both[0].resolvedSettings.isFlashEnabled)
    var kinds: [Bool] = []
    for try await photo in try studio.output.photos(with: .constantColor()) {
      kinds.append(photo.isConstantColorFallbackPhoto)
    }
    #expect(kinds == [false])
    #expect(!studio.output.isCapturing)
  }

  @Test func ordinaryPhotos() async throws {
    let studio = try await Studio.simulated(lux: 300)
    let ambient = try await studio.output.capturePhotos(with: PhotoSettings())
    var settings = PhotoSettings()
    settings.flashMode = .on
    let flash = try await studio.output.capturePhotos(with: settings)
    #expect(ambient.count == 1 && flash.count == 1)
    #expect(ambient[0].metadata.flashFired == false && flash[0].metadata.flashFired == true)
    for photo in ambient + flash {
      #expect(photo.constantColorConfidenceMap == nil && photo.constantColorCenterWeightedMeanConfidenceLevel == 0)
      #expect(!photo.isConstantColorFallbackPhoto && !photo.resolvedSettings.isConstantColorEnabled)
      // Neither black nor white.
      let mean = try #require(photo.pixelBuffer).meanLab()
      #expect((15...85).contains(mean.lightness), "\(mean)")
    }
  }

  @Test func capturesQueueUp() async throws {
    let studio = try await Studio.simulated()
    let recorders = (0..<3).map { _ in Recorder() }
    for recorder in recorders { try studio.output.capturePhoto(with: .constantColor(), delegate: recorder) }
    for recorder in recorders {
      await recorder.end()
      #expect(recorder.events.last == "didFinish" && recorder.error == nil && recorder.photos.count == 1)
    }
    #expect(!studio.output.isCapturing)
  }

  // MARK: what goes wrong

  @Test func framesThatDoNotCome() async throws {
    let source = GatedSource(.framesFailed("the lens cap is on"))
    source.open()
    let studio = try await Studio(CaptureDevice(name: "capped", source: source))
    let recorder = Recorder()
    try studio.output.capturePhoto(with: .constantColor(), delegate: recorder)
    await recorder.end()
    #expect(recorder.events == ["willBegin", "willCapture", "didFinish"])
    #expect(recorder.error == .framesFailed("the lens cap is on"))
  }

  @Test func framesThatCannotBeDeveloped() async throws {
    struct Broken: FrameSource {
      func frames(for request: FrameRequest) async throws -> CapturedFrames {
        CapturedFrames(name: "broken", flash: "/nowhere/f.dng", ambients: ["/nowhere/a.dng"])
      }
    }
    let studio = try await Studio(CaptureDevice(name: "broken", source: Broken()))
    let recorder = Recorder()
    try studio.output.capturePhoto(with: .constantColor(fallback: true), delegate: recorder)
    await recorder.end()
    #expect(recorder.events == ["willBegin", "willCapture", "didCapture", "failedPhoto", "didFinish"])
    guard case .processingFailed(let reason)? = recorder.error else {
      Issue.record("\(String(describing: recorder.error))")
      return
    }
    #expect(reason.hasPrefix("/nowhere/f.dng: "))
    let photo = try #require(recorder.photos.first)
    #expect(photo.name == "broken" && photo.pixelBuffer == nil && photo.constantColorConfidenceMap == nil)
    #expect(throws: CaptureError.self) { try photo.write(to: "/tmp/never.png") }
    // The next capture is none the worse.
    #expect(!studio.output.isCapturing)
  }

  // MARK: cancellation

  /// At any time: the end is told, nothing after it, and the next capture is as if nothing had been.
  @Test(arguments: ["willBegin", "willCapture", "didCapture", "photo"])
  func cancelled(_ moment: String) async throws {
    let studio = try await Studio.simulated()
    let expected = try await studio.output.capturePhotos(with: .constantColor())
    let settings = PhotoSettings.constantColor(fallback: true)
    let output = studio.output
    let recorder = Recorder { event in if event == moment { output.cancelCapture(settings.uniqueID) } }
    try output.capturePhoto(with: settings, delegate: recorder)
    await recorder.end()
    #expect(recorder.error == .cancelled)
    let order = ["willBegin", "willCapture", "didCapture", "photo"]
    let index = try #require(order.firstIndex(of: moment))
    #expect(recorder.events == order[...index] + ["didFinish"])
    let again = try await output.capturePhotos(with: .constantColor())
    #expect(
      try #require(again.first?.pixelBuffer).encodedBytes() == #require(expected.first?.pixelBuffer).encodedBytes())
    // A second time, or a capture that is over: nothing happens.
    output.cancelCapture(settings.uniqueID)
  }

  @Test func cancelledInTheMiddleOfDeveloping() async throws {
    let frames = try #require(SimulatedFrames(width: 320, height: 240, shake: .small))
    let studio = try await Studio(CaptureDevice(simulated: frames))
    let settings = PhotoSettings.constantColor()
    let output = studio.output
    let recorder = Recorder { event in
      guard event == "didCapture" else { return }
      Task.detached {
        try await Task.sleep(for: .milliseconds(150))
        output.cancelCapture(settings.uniqueID)
      }
    }
    let clock = ContinuousClock()
    try output.capturePhoto(with: settings, delegate: recorder)
    let time = await clock.measure { await recorder.end() }
    #expect(recorder.error == .cancelled && recorder.photos.isEmpty, "\(time)")
    let photos = try await output.capturePhotos(with: .constantColor())
    #expect(try #require(photos.first?.pixelBuffer).linearValues().allSatisfy(\.isFinite))
  }

  @Test func aCancelledTaskCancelsItsCapture() async throws {
    let source = GatedSource()
    let studio = try await Studio(CaptureDevice(name: "gated", source: source))
    let output = studio.output
    let task = Task { await error { _ = try await output.capturePhotos(with: .constantColor()) } }
    while source.requests.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    task.cancel()
    #expect(await task.value == .cancelled)
    while output.isCapturing { try await Task.sleep(for: .milliseconds(2)) }
  }

  @Test func endingTheLoopCancels() async throws {
    let studio = try await Studio.simulated()
    for try await photo in try studio.output.photos(with: .constantColor(fallback: true)) {
      #expect(!photo.isConstantColorFallbackPhoto)
      break
    }
    while studio.output.isCapturing { try await Task.sleep(for: .milliseconds(2)) }
    #expect(try await studio.output.capturePhotos(with: .constantColor()).count == 1)
  }

  /// A session that is stopped while it starts does not run.
  @Test func stoppingWhileStarting() async throws {
    let source = GatedSource(preparation: .milliseconds(80))
    let studio = try await Studio(CaptureDevice(name: "slow", source: source), isRunning: false)
    async let started: Void = studio.session.startRunning()
    try await Task.sleep(for: .milliseconds(20))
    await studio.session.stopRunning()
    try await started
    #expect(!studio.session.isRunning)
    try await studio.session.startRunning()
    #expect(studio.session.isRunning)
    // Without an output it does not, either.
    try await studio.session.removeOutput(studio.output)
    #expect(!studio.session.isRunning && studio.output.constantColorObstacle == .noDevice)
    try await CaptureSession().addOutput(studio.output)
  }

  @Test func stoppingCancels() async throws {
    let source = GatedSource()
    let studio = try await Studio(CaptureDevice(name: "gated", source: source))
    let recorder = Recorder()
    try studio.output.capturePhoto(with: .constantColor(), delegate: recorder)
    await studio.session.stopRunning()
    #expect(recorder.events.last == "didFinish" && recorder.error == .cancelled)
    #expect(!studio.session.isRunning && !studio.output.isCapturing)
    #expect(await error { _ = try studio.output.photos(with: .constantColor()) } == .sessionNotRunning)
    try await studio.session.startRunning()
    #expect(studio.output.reconfigurationCount == 2 && studio.output.isConstantColorEnabled)
  }

  /// Frames in a folder of their own are taken away, however a capture ends.
  @Test func framesAreDiscarded() async throws {
    struct Source: FrameSource {
      let discard: @Sendable () -> Void
      func frames(for request: FrameRequest) async throws -> CapturedFrames {
        CapturedFrames(name: "none", flash: "/nowhere/f", ambients: ["/nowhere/a"], discard: discard)
      }
    }
    let counter = Counter()
    let studio = try await Studio(CaptureDevice(name: "x", source: Source { counter.add() }))
    _ = await error { _ = try await studio.output.capturePhotos(with: .constantColor()) }
    #expect(counter.value == 1)
  }
}

/// Counts, from any thread.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .sequentiallyConsistent) }
  func add() { count.add(1, ordering: .sequentiallyConsistent) }
}
