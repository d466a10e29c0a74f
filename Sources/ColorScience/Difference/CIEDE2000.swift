import Glibc

/// The colour difference CIEDE2000 (CIE 142:2001), with the parametric factors k_L = k_C = k_H = 1.
extension Lab {
  /// ΔE₀₀ to another colour. Follows G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference formula",
  /// Color Research & Application 30 (2005), whose test data it reproduces. NaN where a number is NaN.
  public func ciede2000(to other: Lab) -> Double {
    let stretch = CIEDE2000.redness(meanChroma: (chroma + other.chroma) / 2)
    let (a1, a2) = (stretch * a, stretch * other.a)
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    let (h1, h2) = (hueAngle(a1, b), hueAngle(a2, other.b))

    var hueStep = 0.0
    var meanHue = h1 + h2
    if c1 * c2 != 0 {
      hueStep = h2 - h1
      if hueStep > 180 { hueStep -= 360 } else if hueStep < -180 { hueStep += 360 }
      if abs(h1 - h2) > 180 { meanHue += meanHue < 360 ? 360 : -360 }
      meanHue /= 2
    }
    let weights = CIEDE2000(
      lightness: (lightness + other.lightness) / 2, chroma: (c1 + c2) / 2, hue: meanHue)
    let l = (other.lightness - lightness) / weights.lightness
    let c = (c2 - c1) / weights.chroma
    let h = 2 * (c1 * c2).squareRoot() * sin(hueStep / 2 * .pi / 180) / weights.hue
    // Rounding may leave the smallest differences below 0; NaN stays NaN.
    let square = l * l + c * c + h * h + weights.rotation * c * h
    return square < 0 ? 0 : square.squareRoot()
  }

  /// The metric G of CIEDE2000 around this colour: a small step d = (ΔL*, Δa*, Δb*) has ΔE₀₀² = dᵀ G d,
  /// and colours that scatter with the covariance Σ have the mean ΔE₀₀² = trace(G Σ).
  public var ciede2000Metric: Matrix3 {
    let stretch = CIEDE2000.redness(meanChroma: chroma)
    let stretched = stretch * a
    let c = hypot(stretched, b)
    let weights = CIEDE2000(lightness: lightness, chroma: c, hue: hueAngle(stretched, b))
    // Unit vectors towards more chroma and more hue; a neutral has no hue, and there both count alike.
    let (cosine, sine) = c > 0 ? (stretched / c, b / c) : (1, 0)
    let alongChroma = SIMD3(0, cosine * stretch, sine) / weights.chroma
    let alongHue = SIMD3(0, -sine * stretch, cosine) / weights.hue
    func outer(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> Matrix3 { Matrix3(p.x * q, p.y * q, p.z * q) }
    let parts = [
      Matrix3(diagonal: SIMD3(1 / (weights.lightness * weights.lightness), 0, 0)),
      outer(alongChroma, alongChroma), outer(alongHue, alongHue),
      (weights.rotation / 2) * outer(alongChroma, alongHue), (weights.rotation / 2) * outer(alongHue, alongChroma),
    ]
    return parts.reduce(0 * Matrix3.identity) { sum, part in
      Matrix3(sum.rows.0 + part.rows.0, sum.rows.1 + part.rows.1, sum.rows.2 + part.rows.2)
    }
  }
}

/// The weighting functions S_L, S_C, S_H and the rotation R_T.
struct CIEDE2000 {
  let lightness, chroma, hue, rotation: Double

  /// The weights at a mean L*, C′ and h′ (in degrees).
  init(lightness mean: Double, chroma c: Double, hue h: Double) {
    let offset = (mean - 50) * (mean - 50)
    let t =
      1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.20 * cosine(4 * h - 63)
    lightness = 1 + 0.015 * offset / (20 + offset).squareRoot()
    chroma = 1 + 0.045 * c
    hue = 1 + 0.015 * c * t
    let turn = (h - 275) / 25
    rotation = -2 * Self.saturation(c) * sin(60 * exp(-turn * turn) * .pi / 180)
  }

  /// The factor 1 + G on a*.
  static func redness(meanChroma: Double) -> Double { 1.5 - 0.5 * saturation(meanChroma) }

  /// √(C⁷ / (C⁷ + 25⁷)), written so that no chroma overflows.
  private static func saturation(_ chroma: Double) -> Double {
    guard chroma > 0 else { return 0 }
    return (1 / (1 + pow(25 / chroma, 7))).squareRoot()
  }
}

private func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
