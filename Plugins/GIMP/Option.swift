import CGimp
import ColorScience
import ConstantColor
import ConstantColorOperations
import Development

/// What a development in GIMP can be asked for, in the words of the command: a parameter of the procedures, and a field of
/// the dialog.
enum Option: String, CaseIterable {
  case profile, look, align, exposure
  case exposureRatio = "exposure-ratio"
  case tolerance
  case flashWhite = "flash-white"
  case confidence, fallback, space

  /// How GIMP passes it.
  var type: GimpPDBArgType {
    switch self {
    case .exposureRatio, .tolerance: GIMP_PDB_FLOAT
    case .fallback: GIMP_PDB_INT32
    default: GIMP_PDB_STRING
    }
  }

  /// What the procedure browser says of it.
  var summary: String {
    switch self {
    case .profile: "The file of a calibration profile, as 'constant-color calibrate' writes it (\"\": none)"
    case .look: "The light of the result { \"flash\" (as in a dark room), \"ambient\" (the room's light and shade) }"
    case .align:
      "How the frames may differ in position { \"auto\", \"none\", \"translation\", \"homography\", \"mesh\" }"
    case .exposure: "How bright the result is { \"auto\" (metered), \"fixed\", a gain in stops such as \"-0.5\" }"
    case .exposureRatio:
      "Flash exposure divided by ambient exposure, exposure being time * ISO / f-number^2 (0: found; 1e-6 to 1e6)"
    case .tolerance: "The colour error (CIEDE2000) that confidence speaks of (0.1 to 50; usual: 3)"
    case .flashWhite:
      "How white looks in the flash's light: CIE \"x,y\", or \"kelvin\" or \"kelvin,duv\" (\"\": found, or D65)"
    case .confidence: "Where the confidence goes { \"none\", \"channel\", \"mask\" (of the result's layer) }"
    case .fallback: "Whether the balanced ambient frame is added as a hidden layer (TRUE or FALSE)"
    case .space:
      "The colour space of the image { \"p3\", \"srgb\", \"rec2020\", \"prophoto\", \"linear-srgb\" }"
    }
  }
}

/// Where the confidence goes.
enum ConfidencePlace: String, CaseIterable {
  case none, channel, mask
}

/// The options' values, as texts.
struct Options: Equatable {
  private var texts: [Option: String] = [
    .profile: "", .look: "flash", .align: "auto", .exposure: "auto", .exposureRatio: "0.0", .tolerance: "3.0",
    .flashWhite: "", .confidence: "channel", .fallback: "1", .space: "p3",
  ]

  /// An option as text.
  subscript(option: Option) -> String {
    get { texts[option] ?? "" }
    set { texts[option] = newValue }
  }

  /// An option that is a number; 0 where it is none.
  func number(_ option: Option) -> Double { Double(self[option]) ?? 0 }

  /// Whether the fallback is wanted.
  var hasFallback: Bool { number(.fallback) != 0 }

  /// Throws ``InputError`` for a place that there is not.
  func confidencePlace() throws -> ConfidencePlace {
    guard let place = ConfidencePlace(rawValue: self[.confidence]) else {
      throw wrong(.confidence, "none, channel or mask")
    }
    return place
  }

  /// What the development is asked for. Throws ``InputError``, in one line, for a value that makes no sense.
  func settings() throws -> DevelopmentSettings {
    var settings = DevelopmentSettings()
    guard let look = LookChoice(rawValue: self[.look]) else { throw wrong(.look, "flash or ambient") }
    guard let alignment = AlignmentChoice(rawValue: self[.align]) else {
      throw wrong(.align, "one of " + AlignmentChoice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    guard let exposure = DevelopmentSettings.Exposure(self[.exposure]) else {
      throw wrong(.exposure, "auto, fixed, or a gain from -20 to 20 stops")
    }
    guard let space = RGBSpace.named(self[.space]) else {
      throw wrong(.space, "one of " + RGBSpace.all.map(\.identifier).joined(separator: ", "))
    }
    let (ratio, tolerance) = (number(.exposureRatio), number(.tolerance))
    guard ratio == 0 || DevelopmentSettings.exposureRatios.contains(ratio) else {
      throw wrong(.exposureRatio, "0, or a number from 1e-6 to 1e6")
    }
    guard DevelopmentSettings.tolerances.contains(tolerance) else { throw wrong(.tolerance, "a number from 0.1 to 50") }
    (settings.look, settings.alignment, settings.exposure, settings.space) = (look, alignment, exposure, space)
    (settings.exposureRatio, settings.tolerance) = (ratio == 0 ? nil : ratio, tolerance)
    if !self[.profile].isEmpty { settings.profile = self[.profile] }
    if !self[.flashWhite].isEmpty {
      guard settings.profile == nil else { throw InputError("profile replaces flash-white; give one of the two") }
      guard let white = DevelopmentSettings.FlashWhite(self[.flashWhite]) else {
        throw wrong(.flashWhite, "CIE x,y (0.3127,0.3290) or kelvin (5600 or 5600,0.002)")
      }
      settings.flashWhite = white
    }
    return settings
  }

  private func wrong(_ option: Option, _ expectation: String) -> InputError {
    InputError("\(option.rawValue) is \(expectation), not '\(self[option])'")
  }
}
