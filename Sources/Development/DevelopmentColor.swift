import Calibration
import ColorScience
import ConstantColor
import JSONValue
import Photo

/// Where the way from the picture's numbers to D65 came from, and what to expect of it.
public struct DevelopmentColor: Sendable {
  /// What the colours rest on.
  public enum Source: String, Sendable {
    /// A calibration profile, or a matrix of the user's.
    case profile, given
    /// What the RAW file says of its camera.
    case cameraMatrices = "camera-matrices"
    /// The colour space of a developed picture.
    case sRGB = "srgb"
  }

  /// See ``Source``.
  public var source: Source
  /// The mean colour error (CIEDE2000, at the truth's luminance) of surfaces; nil where nobody knows.
  public var expectedError: Double?
  /// The flash's white, where the picture told it.
  public var flashWhite: FlashWhiteEstimate?

  /// A calibration: what it left of the patches that it was not fitted to.
  static func calibrated(_ profile: CalibrationProfile) -> DevelopmentColor {
    DevelopmentColor(source: .profile, expectedError: profile.expectedError)
  }

  /// A matrix of the user's.
  static let given = DevelopmentColor(source: .given, expectedError: nil)

  /// Rendered pictures: cameras make them pleasant, not right. About 3 is assumed for that, and as much
  /// again where the flash is taken for D65.
  static func rendered(isWhiteKnown: Bool) -> DevelopmentColor {
    DevelopmentColor(source: .sRGB, expectedError: isWhiteKnown ? 3 : 4.3)
  }

  /// Rendered pictures that the camera balanced one by one: the flash's white is what the picture shows.
  static func balanced(_ white: FlashWhiteEstimate) -> DevelopmentColor {
    DevelopmentColor(
      source: .sRGB, expectedError: (20 + white.expectedError * white.expectedError).squareRoot(), flashWhite: white)
  }

  /// The camera's matrices: 2.8 in the mean of 11 cameras and 8 flashes (D50 to D65 1.3, white LEDs 2.4 to 4.6), simulated
  /// from measured sensitivities with the flash's true neutral; and what the neutral may be off.
  static func cameraMatrices(_ white: FlashWhiteEstimate?) -> DevelopmentColor {
    let whiteError = white?.expectedError ?? 0
    return DevelopmentColor(
      source: .cameraMatrices, expectedError: (2.8 * 2.8 + whiteError * whiteError).squareRoot(), flashWhite: white)
  }

  var json: JSON {
    .object([
      "source": .string(source.rawValue), "expectedError": JSON(expectedError),
      "flashNeutral": JSON(flashWhite.map { [$0.neutral.x, $0.neutral.y, $0.neutral.z] }),
      "flashMiredDeviation": JSON(flashWhite?.miredDeviation),
    ])
  }
}
