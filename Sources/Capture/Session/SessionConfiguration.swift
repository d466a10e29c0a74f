/// Everything that the rules of a session depend on; changed as a whole or not at all.
struct SessionConfiguration: Sendable {
  var preset = CaptureSession.Preset.high
  var input: CaptureDeviceInput?
  var format: CaptureDevice.Format?
  var output: PhotoOutput?
  var isConstantColorEnabled = false

  /// Why constant colour is not possible; nil where it is.
  var obstacle: ConstantColorObstacle? {
    guard let device = input?.device, let format, output != nil else { return .noDevice }
    guard device.deviceType.supportsConstantColor else { return .camera(device.deviceType) }
    guard device.hasFlash else { return .noFlash }
    if let model = device.model, !model.hasConstantColorFlash { return .deviceModel(model.name) }
    guard format.isHighestPhotoQualitySupported else { return .videoFormat(format.description) }
    return nil
  }

  /// Chooses the format that a preset means.
  mutating func select(_ preset: CaptureSession.Preset) throws(CaptureError) {
    guard let device = input?.device, preset != .inputPriority else { return self.preset = preset }
    guard let format = preset.format(among: device.formats) else { throw .formatNotAvailable(preset.rawValue) }
    (self.preset, self.format) = (preset, format)
  }

  /// What the rules make of a change: what is not supported any more is off, and stays off.
  mutating func settle() { if obstacle != nil { isConstantColorEnabled = false } }
}
