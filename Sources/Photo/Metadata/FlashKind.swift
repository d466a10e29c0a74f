/// What a camera lights scenes with.
public enum FlashKind: Sendable {
  /// A flash tube: a pulse shorter than any exposure.
  case tube
  /// An LED, which shines for as long as the shutter is open.
  case led
}

extension Metadata {
  /// What a camera of this make most likely flashes with: phones and tablets have LEDs, cameras have tubes. Unknown
  /// makes are told by their optics: only phones have lenses of a few millimetres as fast as f/2.4. Nil where the file
  /// says nothing.
  public var likelyFlash: FlashKind? {
    guard let make = make?.lowercased() else { return optics }
    if Self.phoneMakes.contains(where: { make.hasPrefix($0) }) { return .led }
    // Sony makes both: cameras are named ILCE, ILCA, DSC, DSLR, NEX, SLT, ZV.
    if make.hasPrefix("sony") {
      let isCamera = ["ILC", "DSC", "DSLR", "NEX", "SLT", "ZV-"].contains { model?.hasPrefix($0) ?? false }
      return isCamera ? .tube : optics ?? .led
    }
    if Self.cameraMakes.contains(where: { make.hasPrefix($0) }) { return .tube }
    return optics
  }

  private var optics: FlashKind? {
    guard let fNumber, let focalLength else { return nil }
    return focalLength < 8 && fNumber <= 2.4 ? .led : .tube
  }

  private static let phoneMakes = [
    "apple", "samsung", "google", "xiaomi", "redmi", "poco", "huawei", "honor", "oneplus", "oppo", "vivo", "realme",
    "motorola", "lenovo", "lge", "lg electronics", "htc", "nokia", "hmd", "asus", "fairphone", "nothing", "zte", "tcl",
    "meizu", "essential", "blackberry", "infinix", "tecno", "sharp", "kyocera", "doogee", "ulefone", "umidigi", "wiko",
  ]
  private static let cameraMakes = [
    "canon", "nikon", "fujifilm", "olympus", "om digital", "panasonic", "pentax", "ricoh", "leica", "hasselblad",
    "sigma",
    "phase one", "leaf", "mamiya", "kodak", "eastman", "konica", "minolta", "epson", "casio", "samsung techwin",
  ]
}
