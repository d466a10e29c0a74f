import ColorScience

/// How much colours differ between conditions in which they should be the same.
public enum LabVariance {
  /// The mean over patches of the trace of the CIELAB covariance over the conditions (of a population: divided by the
  /// number of conditions).
  ///
  /// - Parameters:
  ///   - conditions: for each condition the patches' colours, in the same order.
  ///   - chromaOnly: leaves lightness out.
  /// - Returns: nil for fewer than two conditions, no patch, or conditions of different patches.
  public static func mean(_ conditions: [[Lab]], chromaOnly: Bool = false) -> Double? {
    guard let count = conditions.first?.count, conditions.count > 1, count > 0,
      conditions.allSatisfy({ $0.count == count })
    else { return nil }
    let weights = SIMD3<Double>(chromaOnly ? 0 : 1, 1, 1)
    var total = 0.0
    for patch in 0..<count {
      let colors = conditions.map { $0[patch].vector }
      let mean = colors.reduce(.zero, +) / Double(colors.count)
      let squares = colors.reduce(SIMD3<Double>.zero) { $0 + ($1 - mean) * ($1 - mean) }
      total += (weights * squares).sum() / Double(colors.count)
    }
    return total / Double(count)
  }
}
