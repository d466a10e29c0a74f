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

  /// The choices of `develop` without options.
  public init() {}
}
