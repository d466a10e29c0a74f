// Written by Scripts/calibrate-confidence; run that instead of changing this.

/// How the terms make a confidence: the probability that a normal error in the plane of a* and b* is within the
/// tolerance, 1 - exp(-t² / E²), where log(t² / E²) falls with each cause.
///
/// Fitted to 183476 pixels of simulated pairs by
/// `Scripts/calibrate-confidence`.
enum ConfidenceModel {
  /// The seeds of the pictures that the numbers come from.
  static let seeds: [UInt64] = [
    101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114,
  ]

  /// P(ΔE₀₀ ≤ tolerance); NaN terms give no number or 0.
  @inline(__always)
  static func probability(_ terms: ConfidenceTerms, tolerance: Float) -> Vector8 {
    // Squared colour errors count by the tolerance.
    let unit = 1 / (tolerance * tolerance)
    let base: Float = 2.452 + 0.9112 * logarithm(tolerance / 3)
    var sum = Vector8(repeating: base)
    sum -= 0.1393 * (1 + terms.noise * (33.33 * unit)).logarithm
    sum -= 0.2157 * (1 + terms.ratio * (33.33 * unit)).logarithm
    sum -= 0.02 * (1 + terms.ratio * (3.333 * unit)).logarithm
    sum -= 0.05 * (1 + terms.misregistration * (3.333 * unit)).logarithm
    sum -= 0.02 * (1 + terms.movement * (0.1 * unit)).logarithm
    sum -= 0.01765 * (1 + terms.disagreement * (33.33 * unit)).logarithm
    sum -= 0.01 * (1 + terms.disagreement * (3.333 * unit)).logarithm
    sum -= 0.1861 * (1 + terms.edge * (333.3 * unit)).logarithm
    sum -= 0.4443 * (1 + terms.edge * (0.3333 * unit)).logarithm
    sum -= 0.8748 * (1 + terms.relief * 1).logarithm
    sum -= 0.004886 * (1 + terms.filledShare * 1000).logarithm
    sum -= 0.02 * (1 + terms.filled * (1 * unit)).logarithm
    sum -= 0.0997 * (1 + terms.clipping * 100).logarithm
    sum -= 0.2729 * (1 + terms.clipping * 10).logarithm
    sum -= 0.07514 * (1 + terms.glare * 10).logarithm
    sum -= 0.357 * (1 + terms.glare * 1).logarithm
    sum -= 1.771 * (1 + terms.darkness * 1).logarithm
    sum -= 0.9751 * (1 + terms.residual * 1).logarithm
    sum -= 0.02 * (1 + terms.impossibility * 1).logarithm
    sum -= 0.1986 * (1 + terms.contradiction * 1000).logarithm
    sum -= 0.02 * (1 + terms.contradiction * 100).logarithm
    sum -= 0.09535 * (1 + terms.extrapolation * 100).logarithm
    // E² / t², of which the transform's part is added. (e²⁰: the exponential is for numbers up to 0.)
    let other = 4.851652e8 * ((-sum).lesser(Vector8(repeating: 20)) - 20).exponential
    sum = -(other + (0.9585 * unit) * terms.calibration).logarithm
    var logarithm = 0.4902 * sum
    logarithm += -0.8802 + 0.02918 * Self.logarithm(tolerance / 3)
    logarithm += 0.3464 * rise(3 * (sum + 1.5))
    logarithm += 0.4899 * rise(3 * (sum + 0.5))
    logarithm += 0.3077 * rise(3 * (sum + -0.25))
    logarithm += 0.3276 * rise(3 * (sum + -0.75))
    logarithm += 0.4193 * rise(3 * (sum + -1.25))
    // e⁴ = 54.6: surer than that is sure.
    let rate = 54.59815 * (logarithm.lesser(Vector8(repeating: 4)) - 4).exponential
    return 1 - (-rate).exponential
  }

  /// A smooth step from 0 to 1.
  @inline(__always)
  private static func rise(_ x: Vector8) -> Vector8 {
    let small = (-x.greater(-x)).exponential
    return (1 / (1 + small)).replacing(with: small / (1 + small), where: x .< 0)
  }

  private static func logarithm(_ value: Float) -> Float { Vector8(repeating: value).logarithm[0] }
}
