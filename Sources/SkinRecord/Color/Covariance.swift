import ColorScience

/// Covariances of CIELAB colours (L*, a*, b*).
enum Covariance {
  /// Nothing uncertain.
  static let zero = Matrix3(SIMD3<Double>.zero, .zero, .zero)

  /// Of one common error with this standard deviation.
  static func of(_ shift: SIMD3<Double>) -> Matrix3 {
    Matrix3(shift.x * shift, shift.y * shift, shift.z * shift)
  }

  /// Of an error in the plane of a* and b* that looks alike in all directions and has this mean square in ΔE₀₀.
  static func chromatic(meanSquare: Double, at lab: Lab) -> Matrix3 {
    let (_, a, b) = lab.ciede2000Metric.rows
    let determinant = a.y * b.z - a.z * b.y
    guard meanSquare > 0, determinant > 1e-12 else { return zero }
    // trace(G Σ) of Σ = s G⁻¹ is 2 s.
    let scale = meanSquare / 2 / determinant
    return Matrix3(.zero, SIMD3(0, b.z * scale, -a.z * scale), SIMD3(0, -b.y * scale, a.y * scale))
  }

  /// Of the mean of samples, from how far they are off it; zero for fewer than four. The fewer they are, the less sure is their
  /// scatter: it is raised by the variance of Student's t (JCGM 101:2008, 6.4.9.4).
  static func ofMean(_ deviations: [SIMD3<Double>]) -> Matrix3 {
    guard deviations.count > 3 else { return zero }
    let count = Double(deviations.count)
    return 1 / (count * (count - 3)) * deviations.reduce(zero) { $0 + of($1) }
  }
}

extension Lab {
  /// What a relative error of the luminance does to L*, a*, b*, per unit.
  var brightnessResponse: SIMD3<Double> { SIMD3((lightness + 16) / 3, a / 3, b / 3) }
}
