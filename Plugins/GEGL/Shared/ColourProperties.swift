import Calibration
import ColorScience
import ConstantColor
import GEGL
import GEGLOperation

/// What the operations know of colour: a calibration profile, a matrix, or the flash's white; the first that is given.
struct ColourProperties: PropertyGroup {
  @Property(
    "profile", "A calibration profile of this camera and flash, as 'constant-color calibrate' writes it", isPath: true)
  var profile: String
  @Property(
    "flash-x", "CIE x of a white surface as the flash lights it, in the picture's own colours", 0.3127, in: 0.01...0.9,
    ui: 0.25...0.5, digits: 4, label: "Flash white x")
  var flashX: Double
  @Property(
    "flash-y", "CIE y of a white surface as the flash lights it, in the picture's own colours", 0.3290, in: 0.01...0.9,
    ui: 0.25...0.5, digits: 4, label: "Flash white y")
  var flashY: Double
  @Property(
    "flash-cct", "Correlated colour temperature of the flash; 0: the flash white is given by x and y", 0, in: 0...25000,
    ui: 0...10000, digits: 0, label: "Flash temperature", unit: "kelvin")
  var flashCCT: Double
  @Property(
    "flash-duv", "Distance of the flash white from the Planckian locus (positive is green), with flash-cct", 0,
    in: -0.05...0.05, digits: 4, label: "Flash Duv")
  var flashDuv: Double
  @Property(
    "matrix",
    "Nine numbers, row by row, from the picture's linear RGB to CIE XYZ under D65; when given, the flash white is not used"
  )
  var matrix: String
  @Property("adaptation", "Chromatic adaptation transform from the flash white to D65", .bradford)
  var adaptation: AdaptationChoice
  @Property("input-colour", "What the picture's numbers are", .encoded)
  var inputColour: InputColour

  /// The flash white as chromaticity.
  var flashWhite: Chromaticity {
    if flashCCT > 0, let white = CorrelatedColorTemperature(kelvin: flashCCT, duv: flashDuv).chromaticity {
      return white
    }
    return Chromaticity(x: flashX, y: flashY)
  }

  /// The conversion from linear numbers of a picture in `space` (nil: sRGB) to linear sRGB under D65.
  ///
  /// Throws, with a sentence for people, where the properties describe none.
  func adaptation(from space: ColorSpace?) throws -> D65Adaptation {
    let toSRGB = toSRGB(from: space)
    guard profile.isEmpty else {
      let calibration = try ProfileFile.load(profile)
      switch (calibration.input, inputColour) {
      case (.camera, .camera), (.linearSRGB, .encoded): break
      case (.camera, _):
        throw GEGLError("\(profile): is for RAW files of a camera (input-colour=camera); calibrate with such pictures")
      case (.linearSRGB, _):
        throw GEGLError("\(profile): is for developed pictures (input-colour=encoded); calibrate with RAW files")
      }
      return try D65Adaptation(calibration.transform, toRGB: toSRGB)
    }
    guard matrix.isEmpty else {
      guard let numbers = matrix.numbers, let rows = Matrix3(rowMajor: numbers) else {
        throw AdaptationError.notNineNumbers(matrix.numbers?.count ?? 0)
      }
      return try D65Adaptation(inputToD65XYZ: rows * toSRGB)
    }
    return try D65Adaptation(
      flashWhite: flashWhite, inputToXYZ: RGBSpace.sRGB.toXYZ * toSRGB, by: adaptation.transform)
  }

  /// What the profile says of its own errors, and the matrix from linear numbers of a picture in `space` to channels in which
  /// the perfect diffuser is (1, 1, 1); nil without a profile. What is wrong with one is said by the adaptation.
  func profileError(from space: ColorSpace?) -> (map: ColorErrorMap, balance: Matrix3)? {
    guard !profile.isEmpty, let calibration = try? ProfileFile.load(profile) else { return nil }
    return (calibration.colorErrors, Matrix3(diagonal: 1 / calibration.transform.white) * toSRGB(from: space))
  }

  /// Camera numbers are only nominally in some space: they go through as they are.
  private func toSRGB(from space: ColorSpace?) -> Matrix3 {
    inputColour == .camera ? .identity : space?.toLinearSRGB ?? .identity
  }

  /// The adaptation, or none where the properties describe none; that is said once.
  func adaptation(_ preparation: inout Preparation) -> D65Adaptation {
    do { return try adaptation(from: preparation.space) } catch {
      preparation.warn("\(error)")
      return .identity
    }
  }
}

/// The transforms that adapt from the flash white to D65.
enum AdaptationChoice: String, PropertyChoice {
  case bradford, cat02, cat16
  case vonKries = "von-kries"

  static let typeName = "ConstantColorAdaptationChoice"

  var label: String {
    switch self {
    case .bradford: "Bradford"
    case .cat02: "CAT02"
    case .cat16: "CAT16"
    case .vonKries: "von Kries (Hunt-Pointer-Estévez)"
    }
  }

  var transform: ChromaticAdaptation {
    switch self {
    case .bradford: .bradford
    case .cat02: .cat02
    case .cat16: .cat16
    case .vonKries: .vonKries
    }
  }
}

/// What the numbers of a picture are.
enum InputColour: String, PropertyChoice {
  /// Colours of the space that the picture is tagged with.
  case encoded
  /// Linear values of a camera's sensor, whatever the tag says.
  case camera

  static let typeName = "ConstantColorInputColourChoice"

  /// What part of the ambient light may be left in the flash-only picture: developed pictures have tone curves, by which the
  /// exposure ratio differs between bright and dark.
  var matchError: Float { self == .camera ? 0.03 : 0.1 }

  var label: String {
    switch self {
    case .encoded: "Colours of its colour space"
    case .camera: "Linear values of a camera"
    }
  }
}

extension String {
  /// The numbers of a list such as "1, 0, 0" (commas or spaces between them); nil where something is no number.
  var numbers: [Double]? {
    let words = split { $0 == "," || $0 == ";" || $0.isWhitespace }
    let numbers = words.compactMap { Double($0) }
    return numbers.count == words.count ? numbers : nil
  }
}

extension ColorSpace {
  /// From linear RGB of this space to linear sRGB, white to white, as babl converts.
  var toLinearSRGB: Matrix3? {
    guard let sRGB = ColorSpace(named: "sRGB") else { return nil }
    return linearMatrix(to: sRGB).flatMap { Matrix3(rowMajor: $0) }
  }
}
