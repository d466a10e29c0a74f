extension DeviceModel {
  /// The devices that are known: those that support constant colour, and some that do not.
  ///
  /// Support is as Apple's sample code "Capturing consistent color images" names it; cameras as in the devices' published
  /// specifications. Devices that appeared after this list are missing, not unsupported.
  public static let all: [DeviceModel] = phones + tablets

  private typealias Cameras = [CaptureDevice.DeviceType]
  private static let single: Cameras = [.builtInWideAngleCamera]
  private static let dualWide: Cameras = single + [.builtInUltraWideCamera, .builtInDualWideCamera]
  private static let triple: Cameras = dualWide + [.builtInTelephotoCamera, .builtInDualCamera, .builtInTripleCamera]

  private static let phones: [DeviceModel] = [
    phone("iPhone SE (2nd generation)", ["iPhone12,8"], 2020, single, false),
    phone("iPhone 12 mini", ["iPhone13,1"], 2020, dualWide, false),
    phone("iPhone 12", ["iPhone13,2"], 2020, dualWide, false),
    phone("iPhone 12 Pro", ["iPhone13,3"], 2020, triple, false),
    phone("iPhone 12 Pro Max", ["iPhone13,4"], 2020, triple, false),
    phone("iPhone 13 mini", ["iPhone14,4"], 2021, dualWide, false),
    phone("iPhone 13", ["iPhone14,5"], 2021, dualWide, false),
    phone("iPhone 13 Pro", ["iPhone14,2"], 2021, triple, false),
    phone("iPhone 13 Pro Max", ["iPhone14,3"], 2021, triple, false),
    phone("iPhone SE (3rd generation)", ["iPhone14,6"], 2022, single, false),
    phone("iPhone 14", ["iPhone14,7"], 2022, dualWide, true),
    phone("iPhone 14 Plus", ["iPhone14,8"], 2022, dualWide, true),
    phone("iPhone 14 Pro", ["iPhone15,2"], 2022, triple, true),
    phone("iPhone 14 Pro Max", ["iPhone15,3"], 2022, triple, true),
    phone("iPhone 15", ["iPhone15,4"], 2023, dualWide, true),
    phone("iPhone 15 Plus", ["iPhone15,5"], 2023, dualWide, true),
    phone("iPhone 15 Pro", ["iPhone16,1"], 2023, triple, true),
    phone("iPhone 15 Pro Max", ["iPhone16,2"], 2023, triple, true),
    phone("iPhone 16", ["iPhone17,3"], 2024, dualWide, true),
    phone("iPhone 16 Plus", ["iPhone17,4"], 2024, dualWide, true),
    phone("iPhone 16 Pro", ["iPhone17,1"], 2024, triple, true),
    phone("iPhone 16 Pro Max", ["iPhone17,2"], 2024, triple, true),
    phone("iPhone 16e", ["iPhone17,5"], 2025, single, true),
    phone("iPhone 17", ["iPhone18,3"], 2025, dualWide, true),
    phone("iPhone Air", ["iPhone18,4"], 2025, single, true),
    phone("iPhone 17 Pro", ["iPhone18,1"], 2025, triple, true),
    phone("iPhone 17 Pro Max", ["iPhone18,2"], 2025, triple, true),
  ]

  private static let tablets: [DeviceModel] = [
    tablet("iPad Pro 11-inch (3rd generation)", (4...7).map { "iPad13,\($0)" }, 2021, dualWide, false),
    tablet("iPad Pro 12.9-inch (5th generation)", (8...11).map { "iPad13,\($0)" }, 2021, dualWide, false),
    tablet("iPad Pro 11-inch (4th generation)", ["iPad14,3", "iPad14,4"], 2022, dualWide, false),
    tablet("iPad Pro 12.9-inch (6th generation)", ["iPad14,5", "iPad14,6"], 2022, dualWide, false),
    tablet("iPad (10th generation)", ["iPad13,18", "iPad13,19"], 2022, single, false, hasFlash: false),
    tablet("iPad Air 11-inch (M2)", ["iPad14,8", "iPad14,9"], 2024, single, false, hasFlash: false),
    tablet("iPad Air 13-inch (M2)", ["iPad14,10", "iPad14,11"], 2024, single, false, hasFlash: false),
    tablet("iPad Pro 11-inch (M4)", ["iPad16,3", "iPad16,4"], 2024, single, true),
    tablet("iPad Pro 13-inch (M4)", ["iPad16,5", "iPad16,6"], 2024, single, true),
    tablet("iPad mini (A17 Pro)", ["iPad16,1", "iPad16,2"], 2024, single, false),
    tablet("iPad Pro 11-inch (M5)", ["iPad17,1", "iPad17,2"], 2025, single, true),
    tablet("iPad Pro 13-inch (M5)", ["iPad17,3", "iPad17,4"], 2025, single, true),
  ]

  private static func phone(
    _ name: String, _ identifiers: [String], _ year: Int, _ cameras: Cameras, _ isSupported: Bool
  ) -> DeviceModel {
    DeviceModel(
      name: name, identifiers: identifiers, year: year, backCameras: cameras, hasConstantColorFlash: isSupported)
  }

  private static func tablet(
    _ name: String, _ identifiers: [String], _ year: Int, _ cameras: Cameras, _ isSupported: Bool,
    hasFlash: Bool = true
  ) -> DeviceModel {
    DeviceModel(
      name: name, identifiers: identifiers, year: year, backCameras: cameras, hasFlash: hasFlash,
      hasConstantColorFlash: isSupported)
  }
}
