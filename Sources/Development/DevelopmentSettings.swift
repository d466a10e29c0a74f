import ColorScience
import ConstantColor
import ConstantColorOperations

/// What a development is asked for, beside the files of the pair.
public struct DevelopmentSettings: Sendable {
  /// How bright the result is.
  public enum Exposure: Equatable, Sendable {
    /// Metered in the trusted area; the same for every picture of one camera.
    case auto, fixed
    /// A gain in stops, -20 to 20.
    case stops(Double)
  }

  /// How white looks when the flash lights it, in the picture's own colours.
  public enum FlashWhite: Equatable, Sendable {
    /// Its CIE xy.
    case chromaticity(Chromaticity)
    /// Its temperature and Duv.
    case temperature(CorrelatedColorTemperature)

    /// The white as chromaticity.
    public var chromaticity: Chromaticity? {
      switch self {
      case .chromaticity(let white): white
      case .temperature(let temperature): temperature.chromaticity
      }
    }
  }

  /// The result's colour space.
  public var space: RGBSpace = .displayP3
  /// The centre-weighted mean confidence that counts as good, 0 to 1.
  public var threshold: Double?
  /// See ``Exposure``.
  public var exposure: Exposure = .auto
  /// The light of the result.
  public var look: LookChoice = .flash
  /// How the frames may differ in position.
  public var alignment: AlignmentChoice = .auto
  /// Flash exposure divided by ambient exposure, 1e-6 to 1e6; nil: found.
  public var exposureRatio: Double?
  /// The colour error (CIEDE2000) that confidence speaks of, 0.1 to 50.
  public var tolerance = 3.0
  /// See ``FlashWhite``; nil: found, or D65.
  public var flashWhite: FlashWhite?
  /// The file of a calibration profile.
  public var profile: String?
  /// From the picture's linear RGB to XYZ under D65, row by row.
  public var matrix: [Double]?
  /// The chromatic adaptation transform, as `adapt-to-d65` calls it; nil: its own choice.
  public var adaptation: String?
  /// Whether the files hold linear camera values, whatever their profile says.
  public var isLinear = false
  /// Whether the profile's flat field is used, where it has one.
  public var usesFlatField = true
  /// Whether the ambient frames' pixels stay in memory once they are aligned.
  public var keepsAmbientFrames = false

  /// The choices of `develop` without options.
  public init() {}
}

// MARK: as text

extension DevelopmentSettings.Exposure {
  /// From `auto`, `fixed`, or a gain from -20 to 20 stops; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "auto": self = .auto
    case "fixed": self = .fixed
    default:
      guard let stops = Double(text), (-20...20).contains(stops) else { return nil }
      self = .stops(stops)
    }
  }
}

extension DevelopmentSettings.FlashWhite {
  /// From CIE x,y (`0.3127,0.3290`), or kelvin and perhaps Duv (`5600`, `5600,0.002`); nil for anything else.
  public init?(_ text: String) {
    let words = text.split { $0 == "," || $0 == " " }
    let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == words.count, (1...2).contains(numbers.count) else { return nil }
    let second = numbers.count == 2 ? numbers[1] : 0
    if numbers.count == 2, (0.01...0.9).contains(numbers[0]), (0.01...0.9).contains(second) {
      self = .chromaticity(Chromaticity(x: numbers[0], y: second))
    } else if (1000...25000).contains(numbers[0]), abs(second) <= 0.05 {
      self = .temperature(CorrelatedColorTemperature(kelvin: numbers[0], duv: second))
    } else {
      return nil
    }
  }
}
