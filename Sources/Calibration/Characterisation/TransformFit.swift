import ColorScience
import ConstantColor

/// A colour of which both sides are known: what the camera sees in the flash's light, and how it looks under D65.
struct ColorSample {
  /// Camera RGB divided by that of the perfect diffuser.
  var rgb: SIMD3<Double>
  /// XYZ under D65; the perfect diffuser has Y = 1.
  var xyz: SIMD3<Double>
  /// How much it counts.
  var weight = 1.0
}

/// Fits colour transforms so that the differences that people see are small.
enum TransformFit {
  /// How much less an error of lightness counts than one of colour: brightness depends on how evenly the flash lit the
  /// chart, colour does not.
  static let lightnessFactor = 2.0

  /// The root polynomial (or matrix) with the least weighted sum of squared ΔE₀₀, that makes white exactly white.
  ///
  /// ΔE₀₀ is taken by its metric around each colour, which makes this a linear problem:
  /// Σ wᵢ (P fᵢ − tᵢ)ᵀ Jᵢᵀ Gᵢ Jᵢ (P fᵢ − tᵢ), with terms f, the Jacobian J of CIELAB and the metric G of CIEDE2000.
  ///
  /// - Parameter lightnessFactor: kL of CIEDE2000.
  /// - Returns: nil where the samples do not determine it.
  static func fit(
    _ samples: [ColorSample], degree: RootPolynomial.Degree, lightnessFactor: Double = lightnessFactor
  ) -> RootPolynomial? {
    let terms = degree.termCount
    let size = 3 * terms
    var system = [[Double]](repeating: [Double](repeating: 0, count: size + 3), count: size + 3)
    var right = [Double](repeating: 0, count: size + 3)
    for sample in samples {
      let f = RootPolynomial.terms(of: sample.rgb, degree: degree)
      let metric = sample.weight * Self.metric(at: sample.xyz, lightnessFactor)
      let rows = [metric.rows.0, metric.rows.1, metric.rows.2]
      let target = metric * sample.xyz
      for i in 0..<terms {
        for j in 0..<terms {
          let product = f[i] * f[j]
          for a in 0..<3 { for b in 0..<3 { system[3 * i + a][3 * j + b] += product * rows[a][b] } }
        }
        for a in 0..<3 { right[3 * i + a] += f[i] * target[a] }
      }
    }
    // Lagrange's multipliers: white, of which every term is 1, becomes the D65 white.
    for i in 0..<terms {
      for a in 0..<3 {
        system[size + a][3 * i + a] = 1
        system[3 * i + a][size + a] = 1
      }
    }
    for a in 0..<3 { right[size + a] = XYZ.d65.vector[a] }
    guard let solution = LinearSystem.solve(system, right) else { return nil }
    return RootPolynomial(
      degree: degree,
      coefficients: (0..<terms).map { SIMD3(solution[3 * $0], solution[3 * $0 + 1], solution[3 * $0 + 2]) })
  }

  private static func metric(at xyz: SIMD3<Double>, _ lightnessFactor: Double) -> Matrix3 {
    let colour = XYZ(xyz)
    let jacobian = Lab.jacobian(at: colour)
    var metric = Lab(colour).ciede2000Metric
    metric.rows.0.x /= lightnessFactor * lightnessFactor
    return jacobian.transpose * metric * jacobian
  }
}
