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
    let lightnessOnly = SIMD3(1 / weights.lightness, 0, 0)
    // R_T joins chroma and hue; half of it to each turns the product into a symmetric matrix.
    let turned = (weights.rotation / 2) * (outer(alongChroma, alongHue) + outer(alongHue, alongChroma))
    return outer(lightnessOnly, lightnessOnly) + outer(alongChroma, alongChroma) + outer(alongHue, alongHue) + turned
  }
}

/// The weighting functions S_L, S_C, S_H and the rotation R_T.
struct CIEDE2000 {
  let lightness, chroma, hue, rotation: Double

  /// The weights at a mean L*, C′ and h′ (in degrees).
  init(lightness mean: Double, chroma c: Double, hue h: Double) {
    let offset = (mean - 50) * (mean - 50)
    // T of the mean hue: cosines of multiples of an angle are polynomials of its own cosine and sine.
    let angle = h * .pi / 180
    let (c1, s1) = (cos(angle), sin(angle))
    let (c2, s2) = (c1 * c1 - s1 * s1, 2 * s1 * c1)
    let (c3, s3) = (c2 * c1 - s2 * s1, s2 * c1 + c2 * s1)
    let (c4, s4) = (c2 * c2 - s2 * s2, 2 * s2 * c2)
    let shift = Self.shifts
    let t =
      1 - 0.17 * (c1 * shift.0.x + s1 * shift.0.y) + 0.24 * c2
      + 0.32 * (c3 * shift.1.x + s3 * shift.1.y) - 0.20 * (c4 * shift.2.x + s4 * shift.2.y)
    lightness = 1 + 0.015 * offset / (20 + offset).squareRoot()
    chroma = 1 + 0.045 * c
    hue = 1 + 0.015 * c * t
    let turn = (h - 275) / 25
    rotation = -2 * Self.saturation(c) * sin(60 * exp(-turn * turn) * .pi / 180)
  }

  /// Cosine and sine of 30°, −6° and 63°, by which T shifts the first, third and fourth multiple of the hue.
  private static let shifts = (direction(30), direction(-6), direction(63))

  private static func direction(_ degrees: Double) -> SIMD2<Double> {
    SIMD2(cos(degrees * .pi / 180), sin(degrees * .pi / 180))
  }

  /// The factor 1 + G on a*.
  static func redness(meanChroma: Double) -> Double { 1.5 - 0.5 * saturation(meanChroma) }

  /// √(C⁷ / (C⁷ + 25⁷)), written so that no chroma overflows.
  private static func saturation(_ chroma: Double) -> Double {
    guard chroma > 0 else { return 0 }
    let ratio = 25 / chroma
    let cube = ratio * ratio * ratio
    return (1 / (1 + cube * cube * ratio)).squareRoot()
  }
}
