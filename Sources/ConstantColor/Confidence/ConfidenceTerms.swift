/// What may be wrong with the colours of eight pixels, cause by cause; none is negative, and each of them only lowers the
/// confidence.
///
/// Colour errors are squares of ΔE₀₀, as ``ErrorBudget`` finds them; the other terms have no unit.
struct ConfidenceTerms {
  /// The noise that the estimate's averaging has left, as far as the colour was measured. Squared ΔE.
  var noise = Vector8.zero
  /// The exposure ratio's error, as far as the colour was measured. Squared ΔE.
  var ratio = Vector8.zero
  /// The ambient frame's change over the misregistration that is left: of the whole, and of this place. Squared ΔE.
  var misregistration = Vector8.zero
  /// Another surface's ambient light: a tenth of it for each pixel of the local residual. Squared ΔE.
  var movement = Vector8.zero
  /// What difference and estimate disagree on, beyond noise. Squared ΔE.
  var disagreement = Vector8.zero
  /// The change of the result's colour and brightness from pixel to pixel. Squared ΔE.
  var edge = Vector8.zero
  /// The relative change of the flash frame's brightness from pixel to pixel, squared, beyond noise.
  var relief = Vector8.zero
  /// The share of the colour that was filled in, squared.
  var filledShare = Vector8.zero
  /// A tenth of error in the filled share of each channel. Squared ΔE.
  var filled = Vector8.zero
  /// What the transform to D65 is usually wrong by for such colours. Squared ΔE.
  var calibration = Vector8.zero
  /// The brightest channel of the flash frame over 0.7, to the fourth: it nears clipping.
  var clipping = Vector8.zero
  /// Brighter than white: the fourth power of reflectance.
  var glare = Vector8.zero
  /// 0.3 over the lightness, squared.
  var darkness = Vector8.zero
  /// The local residual of alignment in pixels, squared.
  var residual = Vector8.zero
  /// How far the difference is negative, in standard deviations, squared: light is only ever added.
  var impossibility = Vector8.zero
  /// The ambient light over the flash's, squared.
  var ambient = Vector8.zero
  /// The relative mismatch of the flash's colours with those that the ambient frame leads to, squared, times the ambient
  /// light's share.
  var contradiction = Vector8.zero
  /// The share of the colour that was filled in, squared, as far as no flash light in the surroundings told how.
  var extrapolation = Vector8.zero

  /// The terms' names, in the order of ``subscript(_:)``.
  static let names = [
    "noise", "ratio", "misregistration", "movement", "disagreement", "edge", "relief", "filledShare", "filled",
    "calibration", "clipping", "glare", "darkness", "residual", "impossibility", "ambient",
    "contradiction", "extrapolation",
  ]

  /// A term by its index in ``names``.
  subscript(index: Int) -> Vector8 {
    switch index {
    case 0: noise
    case 1: ratio
    case 2: misregistration
    case 3: movement
    case 4: disagreement
    case 5: edge
    case 6: relief
    case 7: filledShare
    case 8: filled
    case 9: calibration
    case 10: clipping
    case 11: glare
    case 12: darkness
    case 13: residual
    case 14: impossibility
    case 15: ambient
    case 16: contradiction
    case 17: extrapolation
    default: .zero
    }
  }
}
