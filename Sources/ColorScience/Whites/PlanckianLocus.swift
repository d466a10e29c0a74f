import Glibc

/// The Planckian locus: the chromaticities of black bodies.
public enum PlanckianLocus {
  /// The temperatures for which this project speaks of a locus, in kelvin.
  public static let temperatures = 1000.0...100_000.0

  /// The chromaticity of a black body (Planck's law with c₂ = 0.014388 m·K as in CIE 15:2018, summed
  /// over 360...830 nm in steps of 5 nm); nil outside 1000...100000 K.
  public static func chromaticity(at kelvin: Double) -> Chromaticity? {
    guard temperatures.contains(kelvin) else { return nil }
    let point = point(at: 1e6 / kelvin)
    return Chromaticity(u: point.u, v: point.v)
  }

  /// A place on the locus in CIE 1960 (u, v), and how it moves with the reciprocal temperature.
  struct Point {
    var u, v: Double
    /// The derivatives of u and v by the reciprocal temperature in mired (10⁶/K).
    var du, dv: Double
  }

  /// The place on the locus at a reciprocal temperature in mired, which the caller keeps above 0.
  static func point(at mired: Double) -> Point {
    var sum = SIMD3<Double>.zero
    var slope = SIMD3<Double>.zero
    var wavelength = StandardObserver.firstWavelength
    for matching in StandardObserver.colorMatchingFunctions {
      // c₂/(λT); the constant c₁ and the unit of power have no influence on a chromaticity.
      let perMired = 14.388 / wavelength
      let x = perMired * mired
      let growth = exp(x)
      let ratio = 560 / wavelength
      let power = ratio * ratio * ratio * ratio * ratio / (growth - 1)
      sum += power * matching
      slope -= power * perMired * growth / (growth - 1) * matching
      wavelength += StandardObserver.step
    }
    let divisor = sum.x + 15 * sum.y + 3 * sum.z
    let divisorSlope = slope.x + 15 * slope.y + 3 * slope.z
    let (u, v) = (4 * sum.x / divisor, 6 * sum.y / divisor)
    return Point(
      u: u, v: v, du: (4 * slope.x - u * divisorSlope) / divisor, dv: (6 * slope.y - v * divisorSlope) / divisor)
  }
}
