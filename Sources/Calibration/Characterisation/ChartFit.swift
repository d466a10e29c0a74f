import ColorScience
import ConstantColor

/// A patch in even light.
struct ChartMeasurement {
  var rgb, error: SIMD3<Double>
  var xyz: SIMD3<Double>
  var reflectance: Spectrum?
  var isNeutral: Bool

  /// How much it counts: less where noise makes it uncertain by more than about 1 ΔE₀₀, which a relative error of
  /// 1/75 does.
  var weight: Double {
    let relative = 75 * (error / SIMD3(max(rgb.x, 1e-9), max(rgb.y, 1e-9), max(rgb.z, 1e-9))).max()
    return 1 / (1 + relative * relative)
  }

  /// What the camera sees of the perfect diffuser: from the spectra where they are known, else from the neutral patches.
  static func white(of chart: [ChartMeasurement]) -> SIMD3<Double>? {
    if let sensitivity = sensitivity(of: chart) { return sensitivity.response(to: .perfectDiffuser) }
    let neutrals = chart.filter { $0.isNeutral && $0.xyz.y > 0.05 }
    guard !neutrals.isEmpty else { return nil }
    var (sum, weights) = (SIMD3<Double>.zero, 0.0)
    for patch in neutrals {
      // Neutral patches are not quite neutral: to first order each channel follows one of X, Y, Z.
      let tint = patch.xyz / XYZ.d65.vector
      let weight = 1 / (patch.error / patch.rgb).max()
      sum += weight * (patch.rgb / tint)
      weights += weight
    }
    return sum / weights
  }

  static func sensitivity(of chart: [ChartMeasurement]) -> EffectiveSensitivity? {
    let reflectances = chart.compactMap(\.reflectance)
    guard reflectances.count == chart.count else { return nil }
    // Half a per cent for what no error bar knows: the chart's own spread, flare, the surface of the falloff.
    let errors = chart.map { patch in
      let known = patch.error
      let unknown = 0.005 * SIMD3(max(patch.rgb.x, 0), max(patch.rgb.y, 0), max(patch.rgb.z, 0))
      return (known * known + unknown * unknown).squareRoot()
    }
    return EffectiveSensitivity(reflectances: reflectances, responses: chart.map(\.rgb), errors: errors)
  }
}

/// One candidate, fitted.
struct ChartFit {
  let polynomial: RootPolynomial
  let white: SIMD3<Double>
  let smallestRatio: Double

  /// How much all pigments together, and all skin, count beside the chart.
  private static let pigmentShare = 0.3
  private static let skinShare = 0.06

  /// Fits to the chart and to what it says of other surfaces; nil where it does not determine the transform.
  /// - Parameter half: leaves out every second of the other surfaces: the even (0) or odd (1) ones.
  init?(_ chart: [ChartMeasurement], degree: RootPolynomial.Degree, leavingOut half: Int? = nil) {
    guard let white = ChartMeasurement.white(of: chart), white.min() > 0 else { return nil }
    var samples = chart.map { ColourSample(rgb: $0.rgb / white, xyz: $0.xyz, weight: $0.weight) }
    if let sensitivity = ChartMeasurement.sensitivity(of: chart) {
      func add(_ set: [Spectrum], share: Double) {
        let kept = set.enumerated().filter { half == nil || $0.offset % 2 != half }.map(\.element)
        let weight = share * Double(chart.count) / Double(max(kept.count, 1))
        samples += kept.map { Self.sample($0, sensitivity, white, weight: weight) }
      }
      add(OtherReflectances.pigments, share: Self.pigmentShare)
      add(OtherReflectances.skin, share: Self.skinShare)
    }
    guard let polynomial = TransformFit.fit(samples, degree: degree) else { return nil }
    self.polynomial = polynomial
    self.white = white
    smallestRatio = samples.map { max($0.rgb.min(), 0) / max($0.rgb.max(), 1e-9) }.min() ?? 0.1
  }

  private static func sample(
    _ reflectance: Spectrum, _ sensitivity: EffectiveSensitivity, _ white: SIMD3<Double>, weight: Double
  ) -> ColourSample {
    ColourSample(
      rgb: sensitivity.response(to: reflectance) / white, xyz: XYZ(reflectance: reflectance, under: .d65).vector,
      weight: weight)
  }

  /// The XYZ under D65 of camera RGB.
  func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Double> { polynomial(rgb / white) }

  /// From camera RGB to XYZ, of a linear fit.
  var matrix: Matrix3 {
    let c = polynomial.coefficients
    return Matrix3(c[0], c[1], c[2]).transpose * Matrix3(diagonal: 1 / white)
  }

  /// The errors on other surfaces, each half of them with a fit that did not see it; nil where the spectra are unknown.
  static func outsideErrors(_ chart: [ChartMeasurement], degree: RootPolynomial.Degree) -> [Double]? {
    guard let sensitivity = ChartMeasurement.sensitivity(of: chart) else { return nil }
    let sets = [OtherReflectances.pigments, OtherReflectances.skin]
    var errors: [Double] = []
    for half in 0...1 {
      guard let fit = ChartFit(chart, degree: degree, leavingOut: half) else { return nil }
      for set in sets {
        for (index, reflectance) in set.enumerated() where index % 2 == half {
          let truth = XYZ(reflectance: reflectance, under: .d65).vector
          errors.append(TransformFit.colourError(fit(sensitivity.response(to: reflectance)), truth: truth))
        }
      }
    }
    return errors
  }
}
