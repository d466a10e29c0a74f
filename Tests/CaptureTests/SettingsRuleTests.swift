import Capture
import Development
import SimulatedCapture
import Testing

/// Rows 11 and 12 of the mission: enabling, and the settings of each shot.
@Suite struct SettingsRuleTests {
  private func gated(_ source: GatedSource = GatedSource(), model: String? = nil) async throws -> Studio {
    let device: CaptureDevice
    if let model {
      let model = try #require(DeviceModel.named(model))
      device = CaptureDevice(model: model, deviceType: .builtInWideAngleCamera, source: source)
    } else {
      device = CaptureDevice(name: "gated", source: source)
    }
    return try await Studio(device, isRunning: false)
  }

  @Test func defaults() {
    let settings = PhotoSettings()
    #expect(!settings.isConstantColorEnabled)
    #expect(!settings.isConstantColorFallbackPhotoDeliveryEnabled)
    #expect(settings.flashMode == .off)
    #expect(settings.rawPhotoPixelFormatType == 0)
    let copy = PhotoSettings(from: .constantColor(fallback: true))
    #expect(copy.isConstantColorEnabled && copy.isConstantColorFallbackPhotoDeliveryEnabled && copy.flashMode == .on)
    #expect(copy.uniqueID != settings.uniqueID && copy.uniqueID != PhotoSettings().uniqueID)
    #expect(PhotoSettings(rawPixelFormatType: 7).rawPhotoPixelFormatType == 7)
    #expect(!PhotoOutput().isConstantColorEnabled)
  }

  /// Each broken rule, its error, and a word that its sentence has.
  struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    let error: CaptureError
    let word: String
    var isEnabled = true
    var model: String?
    let change: @Sendable (inout PhotoSettings) -> Void
    var testDescription: String { name }
  }

  static let rules = [
    Rule(name: "flash off", error: .flashModeOff, word: "flash mode is off") { $0.flashMode = .off },
    Rule(name: "RAW set", error: .rawPhotoNotSupported(0x6267_6734), word: "set it to 0") {
      $0.rawPhotoPixelFormatType = 0x6267_6734
    },
    Rule(name: "not enabled", error: .constantColorNotEnabled, word: "enable it", isEnabled: false) { _ in },
    Rule(
      name: "unsupported device", error: .constantColorNotSupported(.deviceModel("iPhone 13")), word: "iPhone 13",
      isEnabled: false, model: "iPhone 13"
    ) { _ in },
    Rule(name: "fallback alone", error: .fallbackWithoutConstantColor, word: "without constant colour") {
      $0.isConstantColorEnabled = false
      $0.isConstantColorFallbackPhotoDeliveryEnabled = true
    },
    Rule(name: "RAW without constant colour", error: .rawFormatNotAvailable(1), word: "set it to 0") {
      ($0.isConstantColorEnabled, $0.rawPhotoPixelFormatType) = (false, 1)
    },
    Rule(name: "tolerance", error: .invalidSettings("the tolerance is nan; it is 0.1 to 50"), word: "0.1 to 50") {
      $0.processing.tolerance = .nan
    },
    Rule(name: "ratio", error: .invalidSettings("the exposure ratio is 0.0; it is 1e-6 to 1e6"), word: "1e-6") {
      $0.processing.exposureRatio = 0
    },
    Rule(name: "exposure", error: .invalidSettings("the exposure is 21.0 stops; it is -20 to 20"), word: "-20 to 20") {
      $0.processing.exposure = .stops(21)
    },
  ]

  @Test(arguments: rules)
  func refused(_ rule: Rule) async throws {
    let studio = try await gated(model: rule.model)
    if rule.isEnabled { try await studio.output.setConstantColorEnabled(true) }
    try await studio.session.startRunning()
    var settings = PhotoSettings.constantColor()
    rule.change(&settings)
    let recorder = Recorder()
    let refused = await error { try studio.output.capturePhoto(with: settings, delegate: recorder) }
    #expect(refused == rule.error)
    #expect("\(try #require(refused))".contains(rule.word))
    #expect("\(try #require(refused))".split(separator: "\n").count == 1)
    #expect(recorder.events.isEmpty && !studio.output.isCapturing)
    // Settings that were refused may be put right.
    #expect(await error { _ = try studio.output.photos(with: settings) } == rule.error)
  }

  @Test func videoFormat() async throws {
    let studio = try await gated(model: "iPhone 15")
    try await studio.session.setSessionPreset(.hd1920x1080)
    try await studio.session.startRunning()
    let refused = await error { try await studio.output.setConstantColorEnabled(true) }
    #expect(refused == .constantColorNotSupported(.videoFormat("video 1920 × 1080")))
    #expect(
      await error { _ = try studio.output.photos(with: .constantColor()) }
        == .constantColorNotSupported(.videoFormat("video 1920 × 1080")))
  }

  @Test func flashWithoutOne() async throws {
    let model = try #require(DeviceModel.named("iPhone 15"))
    let front = CaptureDevice(
      model: model, deviceType: .builtInWideAngleCamera, position: .front, source: GatedSource())
    let studio = try await Studio(front, isRunning: false)
    try await studio.session.startRunning()
    var settings = PhotoSettings()
    settings.flashMode = .on
    #expect(await error { _ = try studio.output.photos(with: settings) } == .flashNotAvailable)
  }

  /// Enabling rebuilds the pipeline: once at the start where it is done before, once more in a running session.
  @Test func enablingReconfigures() async throws {
    let source = GatedSource(preparation: .milliseconds(60))
    let studio = try await gated(source)
    let output = studio.output
    try await output.setConstantColorEnabled(true)
    #expect(output.reconfigurationCount == 0 && source.prepared.isEmpty)
    try await studio.session.startRunning()
    #expect(output.reconfigurationCount == 1 && source.prepared == [true])
    try await studio.session.startRunning()
    try await output.setConstantColorEnabled(true)
    #expect(output.reconfigurationCount == 1)

    let clock = ContinuousClock()
    let time = try await clock.measure { try await output.setConstantColorEnabled(false) }
    #expect(time >= .milliseconds(60))
    #expect(output.reconfigurationCount == 2 && source.prepared == [true, false] && !output.isConstantColorEnabled)
    // Several changes together rebuild once.
    studio.session.beginConfiguration()
    try await output.setConstantColorEnabled(true)
    try await studio.session.setSessionPreset(.photo)
    #expect(output.reconfigurationCount == 2)
    try await studio.session.commitConfiguration()
    #expect(output.reconfigurationCount == 3 && output.isConstantColorEnabled)
    // Two at once are refused, not mixed.
    async let slow: Void = output.setConstantColorEnabled(false)
    try await Task.sleep(for: .milliseconds(15))
    #expect(await error { try await studio.session.setSessionPreset(.high) } == .reconfiguring)
    #expect(await error { _ = try output.photos(with: .constantColor()) } == .reconfiguring)
    try await slow
    #expect(output.reconfigurationCount == 4)
  }

  @Test func notDuringACapture() async throws {
    let source = GatedSource()
    let studio = try await gated(source)
    try await studio.output.setConstantColorEnabled(true)
    try await studio.session.startRunning()
    let recorder = Recorder()
    try studio.output.capturePhoto(with: .constantColor(), delegate: recorder)
    #expect(studio.output.isCapturing)
    #expect(await error { try await studio.output.setConstantColorEnabled(false) } == .captureInProgress)
    #expect(await error { try await studio.session.setSessionPreset(.high) } == .captureInProgress)
    #expect(await error { try await studio.device.setActiveFormat(.photo) } == .captureInProgress)
    #expect(studio.output.isConstantColorEnabled && studio.output.reconfigurationCount == 1)
    // What is held back stays so until it can be done.
    studio.session.beginConfiguration()
    #expect(await error { try await studio.session.commitConfiguration() } == .captureInProgress)
    source.open()
    await recorder.end()
    #expect(recorder.error == .noMoreFrames)
    try await studio.output.setConstantColorEnabled(false)
    #expect(studio.output.reconfigurationCount == 1 && !studio.output.isConstantColorEnabled)
    try await studio.session.commitConfiguration()
    #expect(studio.output.reconfigurationCount == 2)
  }

  @Test func whatCannotBeBuiltChangesNothing() async throws {
    let device = CaptureDevice(name: "x", source: GatedSource(), calibrationProfile: "/nowhere/profile.json")
    let studio = try await Studio(device, isRunning: false)
    try await studio.session.startRunning()
    let refused = try #require(await error { try await studio.output.setConstantColorEnabled(true) })
    guard case .configurationFailed(let reason) = refused else { throw refused }
    #expect(reason.contains("/nowhere/profile.json"))
    #expect(!studio.output.isConstantColorEnabled && studio.session.isRunning)
    #expect(studio.output.reconfigurationCount == 1)
    // Nor does a device start that has no frames.
    let model = try #require(DeviceModel.named("iPhone 15"))
    let bare = try await Studio(CaptureDevice(model: model, deviceType: .builtInDualWideCamera), isRunning: false)
    guard case .configurationFailed? = await error(of: { try await bare.session.startRunning() }) else {
      Issue.record("a device without frames runs")
      return
    }
  }

  @Test func connections() async throws {
    let studio = try await gated()
    let input = CaptureDeviceInput(device: CaptureDevice(name: "other", source: GatedSource()))
    func isConnected(_ error: CaptureError?) -> Bool {
      guard case .alreadyConnected? = error else { return false }
      return true
    }
    #expect(isConnected(await error { try await studio.session.addInput(input) }))
    #expect(isConnected(await error { try await studio.session.addOutput(PhotoOutput()) }))
    let other = CaptureSession()
    let used = try #require(studio.session.inputs.first)
    #expect(isConnected(await error { try await other.addInput(used) }))
    #expect(isConnected(await error { try await other.addOutput(studio.output) }))
    #expect(await error { try await other.startRunning() } == .notConnected)
    // One that was refused is free.
    try await other.addInput(input)
    #expect(await error { _ = try PhotoOutput().photos(with: PhotoSettings()) } == .notConnected)
    #expect(await error { _ = try studio.output.photos(with: PhotoSettings()) } == .sessionNotRunning)
    #expect(
      await error {
        try await studio.device.setActiveFormat(.init(width: 1, height: 1, isHighestPhotoQualitySupported: true))
      } != nil)
    #expect(!studio.session.canSetSessionPreset(.hd1920x1080) && studio.session.canSetSessionPreset(.photo))
  }

  @Test func settingsServeOnce() async throws {
    let source = GatedSource()
    source.open()
    let studio = try await gated(source)
    try await studio.output.setConstantColorEnabled(true)
    try await studio.session.startRunning()
    let settings = PhotoSettings.constantColor()
    #expect(await error { _ = try await studio.output.capturePhotos(with: settings) } == .noMoreFrames)
    #expect(
      await error { _ = try await studio.output.capturePhotos(with: settings) }
        == .settingsUsedBefore(uniqueID: settings.uniqueID))
    #expect(
      await error { _ = try await studio.output.capturePhotos(with: PhotoSettings(from: settings)) } == .noMoreFrames)
    // Constant colour asks for both frames, an ordinary photo for one.
    var plain = PhotoSettings()
    _ = await error { _ = try await studio.output.capturePhotos(with: plain) }
    plain = PhotoSettings(from: plain)
    plain.flashMode = .on
    _ = await error { _ = try await studio.output.capturePhotos(with: plain) }
    #expect(source.requests.map(\.needsFlash) == [true, true, false, true])
    #expect(source.requests.map(\.needsAmbient) == [true, true, true, false])
  }
}
