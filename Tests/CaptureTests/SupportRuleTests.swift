import Capture
import Testing

/// Row 10 of the mission: support is asked of the output, and changes with device and format.
@Suite struct SupportRuleTests {
  private func studio(
    _ model: String, _ type: CaptureDevice.DeviceType, _ position: CaptureDevice.Position = .back,
    _ preset: CaptureSession.Preset = .photo
  ) async throws -> Studio {
    let model = try #require(DeviceModel.named(model))
    return try await Studio(
      CaptureDevice(model: model, deviceType: type, position: position), preset: preset, isRunning: false)
  }

  @Test(arguments: [
    // The device: iPhone 14 and later, iPad Pro 2024 and later.
    ("iPhone 13", CaptureDevice.DeviceType.builtInWideAngleCamera, false),
    ("iPhone 13 Pro Max", .builtInDualWideCamera, false),
    ("iPhone SE (3rd generation)", .builtInWideAngleCamera, false),
    ("iPhone 14", .builtInWideAngleCamera, true), ("iPhone 14 Plus", .builtInDualWideCamera, true),
    ("iPhone 14 Pro Max", .builtInWideAngleCamera, true), ("iPhone 15", .builtInDualWideCamera, true),
    ("iPhone16,1", .builtInWideAngleCamera, true), ("iPhone 16e", .builtInWideAngleCamera, true),
    ("iPad Pro 11-inch (4th generation)", .builtInWideAngleCamera, false),
    ("iPad Pro 11-inch (M4)", .builtInWideAngleCamera, true), ("iPad Pro 13-inch (M4)", .builtInWideAngleCamera, true),
    ("iPad Air 11-inch (M2)", .builtInWideAngleCamera, false), ("iPad mini (A17 Pro)", .builtInWideAngleCamera, false),
    // The camera: wide-angle and dual wide only.
    ("iPhone 15 Pro", .builtInUltraWideCamera, false), ("iPhone 15 Pro", .builtInTelephotoCamera, false),
    ("iPhone 15 Pro", .builtInDualCamera, false), ("iPhone 15 Pro", .builtInTripleCamera, false),
    ("iPhone 15 Pro", .builtInDualWideCamera, true), ("iPhone 15 Pro", .builtInWideAngleCamera, true),
  ])
  func devicesAndCameras(_ model: String, _ type: CaptureDevice.DeviceType, _ isSupported: Bool) async throws {
    let studio = try await studio(model, type)
    #expect(studio.output.isConstantColorSupported == isSupported)
    #expect((studio.output.constantColorObstacle == nil) == isSupported)
    // What is not supported cannot be enabled, and says why.
    let refused = await error { try await studio.output.setConstantColorEnabled(true) }
    #expect((refused == nil) == isSupported)
    if let obstacle = studio.output.constantColorObstacle {
      #expect(refused == .constantColorNotSupported(obstacle))
      #expect("\(try #require(refused))".contains("\(obstacle)"))
    }
    #expect(studio.output.isConstantColorEnabled == isSupported)
  }

  @Test func theFrontCameraHasNoFlash() async throws {
    let studio = try await studio("iPhone 15", .builtInWideAngleCamera, .front)
    #expect(studio.output.constantColorObstacle == .noFlash)
    #expect(studio.output.supportedFlashModes == [.off])
  }

  @Test(arguments: CaptureSession.Preset.allCases)
  func photosOnly(_ preset: CaptureSession.Preset) async throws {
    let studio = try await studio("iPhone 15", .builtInWideAngleCamera, .back, preset)
    let format = studio.device.activeFormat
    #expect(studio.session.sessionPreset == preset)
    #expect(format.isHighestPhotoQualitySupported == (preset == .photo))
    #expect(studio.output.isConstantColorSupported == format.isHighestPhotoQualitySupported)
    if !format.isHighestPhotoQualitySupported {
      #expect(studio.output.constantColorObstacle == .videoFormat(format.description))
    }
  }

  @Test func aNewSessionIsForVideo() async throws {
    let session = CaptureSession()
    let output = PhotoOutput()
    #expect(output.constantColorObstacle == .noDevice)
    #expect(
      await CaptureTests.error { try await output.setConstantColorEnabled(true) }
        == .constantColorNotSupported(.noDevice))
    let model = try #require(DeviceModel.named("iPhone 15"))
    let camera = try #require(model.camera(.builtInDualWideCamera))
    try await session.addInput(CaptureDeviceInput(device: camera))
    try await session.addOutput(output)
    #expect(session.sessionPreset == .high)
    #expect(!output.isConstantColorSupported)
    try await session.setSessionPreset(.photo)
    #expect(output.isConstantColorSupported)
  }

  /// Whatever becomes unsupported is off, and does not come back by itself.
  @Test func changesOfFormatAndDevice() async throws {
    let studio = try await studio("iPhone 15 Pro", .builtInWideAngleCamera)
    let (output, device) = (studio.output, studio.device)
    try await output.setConstantColorEnabled(true)
    let video = try #require(device.formats.first { !$0.isHighestPhotoQualitySupported })
    let photo = device.activeFormat
    try await device.setActiveFormat(video)
    #expect(studio.session.sessionPreset == .inputPriority)
    #expect(!output.isConstantColorSupported && !output.isConstantColorEnabled)
    try await device.setActiveFormat(photo)
    #expect(output.isConstantColorSupported && !output.isConstantColorEnabled)

    try await output.setConstantColorEnabled(true)
    let model = try #require(device.model)
    let input = try #require(studio.session.inputs.first)
    try await studio.session.removeInput(input)
    #expect(!output.isConstantColorSupported && !output.isConstantColorEnabled)
    let tele = try #require(model.camera(.builtInTelephotoCamera))
    try await studio.session.addInput(CaptureDeviceInput(device: tele))
    try await studio.session.setSessionPreset(.photo)
    #expect(output.constantColorObstacle == .camera(.builtInTelephotoCamera))
    // The first camera is free again.
    let other = CaptureSession()
    try await other.addInput(CaptureDeviceInput(device: device))
    #expect(other.inputs.count == 1)
  }

  @Test func theTableIsWhatItSays() {
    for model in DeviceModel.all {
      #expect(!model.backCameras.isEmpty && !model.identifiers.isEmpty)
      for identifier in model.identifiers { #expect(DeviceModel.named(identifier) == model) }
      #expect(DeviceModel.named(model.name.uppercased()) == model)
      #expect(model.cameras().count == model.backCameras.count + 1)
      // The rule in words.
      let number = model.name.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
      let isPhone = model.name.hasPrefix("iPhone")
      let isNewPhone = isPhone && (number.map { $0 >= 14 } ?? model.name.hasPrefix("iPhone Air"))
      let isNewPad = model.name.hasPrefix("iPad Pro") && model.year >= 2024
      #expect(model.hasConstantColorFlash == (isNewPhone || isNewPad), "\(model.name)")
    }
    #expect(DeviceModel.named("Nokia 3310") == nil)
    #expect(Set(DeviceModel.all.flatMap(\.identifiers)).count == DeviceModel.all.flatMap(\.identifiers).count)
  }
}
