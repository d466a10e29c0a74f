/// A phone or a tablet: which cameras it has, and whether its flash is one that constant colour can be made with.
///
/// The reference system works on iPhone 14 and later, and on the iPad Pro of 2024 (M4) and later. Their flash was measured
/// at the factory together with the sensor.
public struct DeviceModel: Hashable, Sendable {
  /// The name that people know.
  public let name: String
  /// What the system calls it, such as "iPhone15,2".
  public let identifiers: [String]
  /// The year in which it appeared.
  public let year: Int
  /// The cameras on its back.
  public let backCameras: [CaptureDevice.DeviceType]
  /// Whether there is a flash on its back.
  public let hasFlash: Bool
  /// Whether the flash and the sensor were measured together, so that constant colour is possible.
  public let hasConstantColorFlash: Bool

  /// A model of one's own.
  public init(
    name: String, identifiers: [String] = [], year: Int, backCameras: [CaptureDevice.DeviceType], hasFlash: Bool = true,
    hasConstantColorFlash: Bool
  ) {
    (self.name, self.identifiers, self.year) = (name, identifiers, year)
    (self.backCameras, self.hasFlash) = (backCameras, hasFlash)
    self.hasConstantColorFlash = hasConstantColorFlash && hasFlash
  }

  /// The model of a name ("iPhone 15 Pro") or of an identifier ("iPhone16,1"), in either case; nil for one that is not
  /// in ``all``.
  public static func named(_ name: String) -> DeviceModel? {
    let name = name.lowercased()
    return all.first { $0.name.lowercased() == name || $0.identifiers.contains { $0.lowercased() == name } }
  }

  /// All cameras of the device: those on its back, and the one in front.
  ///
  /// - Parameter source: where their frames come from; without one their rules can be asked, but nothing captured.
  public func cameras(source: (any FrameSource)? = nil) -> [CaptureDevice] {
    backCameras.map { CaptureDevice(model: self, deviceType: $0, source: source) }
      + [CaptureDevice(model: self, deviceType: .builtInWideAngleCamera, position: .front, source: source)]
  }

  /// One of the cameras on the back; nil where the device has none of that kind.
  public func camera(_ type: CaptureDevice.DeviceType, source: (any FrameSource)? = nil) -> CaptureDevice? {
    backCameras.contains(type) ? CaptureDevice(model: self, deviceType: type, source: source) : nil
  }
}
