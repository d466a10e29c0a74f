// Written by Scripts/calibrate-confidence; run that instead of changing this.

/// How the terms make a confidence: the probability that a normal error in the plane of a* and b* is within the
/// tolerance, 1 - exp(-t² / E²), where log(t² / E²) falls with each cause.
///
/// Fitted to 183306 pixels of simulated pairs by
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
    let base: Float = 2.219 + 0.5131 * logarithm(tolerance / 3)
    var sum = Vector8(repeating: base)
    sum -= 0.005738 * (1 + terms.noise * (333.3 * unit)).logarithm
    sum -= 0.1622 * (1 + terms.noise * (33.33 * unit)).logarithm
    sum -= 0.06896 * (1 + terms.ratio * (33.33 * unit)).logarithm
    sum -= 0.02 * (1 + terms.ratio * (3.333 * unit)).logarithm
    sum -= 0.05 * (1 + terms.misregistration * (3.333 * unit)).logarithm
    sum -= 0.02 * (1 + terms.movement * (0.1 * unit)).logarithm
    sum -= 0.05124 * (1 + terms.disagreement * (33.33 * unit)).logarithm
    sum -= 0.01 * (1 + terms.disagreement * (3.333 * unit)).logarithm
    sum -= 0.1341 * (1 + terms.edge * (333.3 * unit)).logarithm
    sum -= 0.1113 * (1 + terms.edge * (3.333 * unit)).logarithm
    sum -= 0.2942 * (1 + terms.edge * (0.3333 * unit)).logarithm
    sum -= 0.05997 * (1 + terms.relief * 10).logarithm
    sum -= 0.167 * (1 + terms.relief * 1).logarithm
    sum -= 0.03275 * (1 + terms.filledShare * 1000).logarithm
    sum -= 0.164 * (1 + terms.filled * (1 * unit)).logarithm
    sum -= 0.4313 * (1 + terms.calibration * (3.333 * unit)).logarithm
    sum -= 0.4889 * (1 + terms.calibration * (1 * unit)).logarithm
    sum -= 0.04652 * (1 + terms.clipping * 100).logarithm
    sum -= 0.2365 * (1 + terms.clipping * 10).logarithm
    sum -= 0.1943 * (1 + terms.clipping * 1).logarithm
    sum -= 0.4426 * (1 + terms.glare * 1).logarithm
    sum -= 0.2827 * (1 + terms.darkness * 10).logarithm
    sum -= 0.4745 * (1 + terms.darkness * 1).logarithm
    sum -= 0.9785 * (1 + terms.residual * 1).logarithm
    sum -= 0.02 * (1 + terms.impossibility * 1).logarithm
    var logarithm = 0.49 * sum
    logarithm += -0.931 + -0.005463 * Self.logarithm(tolerance / 3)
    logarithm += 0.4632 * rise(3 * (sum + 1.5))
    logarithm += 0.2016 * rise(3 * (sum + 0.5))
    logarithm += 0.622 * rise(3 * (sum + -0.25))
    logarithm += 0.8401 * rise(3 * (sum + -1.25))
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
