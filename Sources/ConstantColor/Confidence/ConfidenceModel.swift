// Written by Scripts/calibrate-confidence; run that instead of changing this.

/// How the terms make a confidence: the probability that a normal error in the plane of a* and b* is within the
/// tolerance, 1 - exp(-t² / E²). Each cause multiplies E², and none makes it smaller.
///
/// Fitted to 30714 pixels of simulated pairs by
/// `Scripts/calibrate-confidence`.
enum ConfidenceModel {
  /// The seeds of the pictures that the numbers come from.
  static let seeds: [UInt64] = [
    101, 102,
  ]

  /// P(ΔE₀₀ ≤ tolerance); NaN terms give no number or 0.
  @inline(__always)
  static func probability(_ terms: ConfidenceTerms, tolerance: Float) -> Vector8 {
    // Squared colour errors count by the tolerance.
    let unit = 1 / (tolerance * tolerance)
    let base: Float = 2.69 + 0.03985 * logarithm(tolerance / 3)
    var sum = Vector8(repeating: base)
    sum -= 0.228 * (1 + terms.noise * (333.3 * unit)).logarithm
    sum -= 0.06712 * (1 + terms.noise * (33.33 * unit)).logarithm
    sum -= 0.1064 * (1 + terms.ratio * (33.33 * unit)).logarithm
    sum -= 0.02 * (1 + terms.ratio * (3.333 * unit)).logarithm
    sum -= 0.02 * (1 + terms.misregistration * (3.333 * unit)).logarithm
    sum -= 0.006769 * (1 + terms.movement * (33.33 * unit)).logarithm
    sum -= 0.02 * (1 + terms.movement * (3.333 * unit)).logarithm
    sum -= 0.04679 * (1 + terms.disagreement * (33.33 * unit)).logarithm
    sum -= 0.01 * (1 + terms.disagreement * (3.333 * unit)).logarithm
    sum -= 0.04496 * (1 + terms.edge * (333.3 * unit)).logarithm
    sum -= 0.416 * (1 + terms.edge * (3.333 * unit)).logarithm
    sum -= 0.04786 * (1 + terms.relief * 100).logarithm
    sum -= 0.311 * (1 + terms.relief * 1).logarithm
    sum -= 0.06519 * (1 + terms.filledShare * 1000).logarithm
    sum -= 0.07122 * (1 + terms.filled * (10 * unit)).logarithm
    sum -= 0.02 * (1 + terms.filled * (1 * unit)).logarithm
    sum -= 1.303 * (1 + terms.calibration * (3.333 * unit)).logarithm
    sum -= 0.05 * (1 + terms.calibration * (1 * unit)).logarithm
    sum -= 1.865 * (1 + terms.clipping * 1).logarithm
    sum -= 0.8472 * (1 + terms.glare * 1).logarithm
    sum -= 0.4913 * (1 + terms.darkness * 3.333).logarithm
    sum -= 0.04674 * (1 + terms.residual * 10).logarithm
    sum -= 0.2604 * (1 + terms.residual * 1).logarithm
    sum -= 0.02 * (1 + terms.impossibility * 1).logarithm
    // e⁴ = 54.6: surer than that is sure.
    let rate = 54.59815 * (sum.lesser(Vector8(repeating: 4)) - 4).exponential
    return 1 - (-rate).exponential
  }

  private static func logarithm(_ value: Float) -> Float { Vector8(repeating: value).logarithm[0] }
}
