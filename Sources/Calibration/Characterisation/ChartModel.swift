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
    let least = max(0.15 * rgb.max(), 1e-9)
    let relative = 75 * (error / SIMD3(max(rgb.x, least), max(rgb.y, least), max(rgb.z, least))).max()
    return 1 / (1 + relative * relative)
  }
}

/// What a set of patches says of a camera: how it sees white, and probably other surfaces.
struct ChartModel {
  let chart: [ChartMeasurement]
  /// Camera RGB of the perfect diffuser.
  let white: SIMD3<Double>
  /// Other surfaces, as the camera probably sees them; none where the chart's spectra are unknown.
  let others: [[ColorSample]]
  /// The relative error of the measurements that no error bar knows of: the chart's own spread and age, flare, what is
  /// left of uneven light, a camera that is not quite linear.
  let unknownError: Double

  /// The errors that are tried.
  private static let unknownErrors = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08]

  /// The model of some patches; nil where they do not tell how the camera sees white.
  ///
  /// - Parameter unknownError: see ``unknownError``; nil finds the most likely one.
  init?(_ chart: [ChartMeasurement], unknownError: Double? = nil) {
    self.chart = chart
    let reflectances = chart.compactMap(\.reflectance)
    guard reflectances.count == chart.count else {
      guard let white = Self.white(ofNeutrals: chart) else { return nil }
      self.white = white
      others = []
      self.unknownError = unknownError ?? 0
      return
    }
    func sensitivity(_ unknown: Double) -> EffectiveSensitivity? {
      let errors = chart.map { patch in
        let positive = SIMD3(max(patch.rgb.x, 0), max(patch.rgb.y, 0), max(patch.rgb.z, 0))
        let more = unknown * positive
        return (patch.error * patch.error + more * more).squareRoot()
      }
      return EffectiveSensitivity(reflectances: reflectances, responses: chart.map(\.rgb), errors: errors)
    }
    let found = (unknownError.map { [$0] } ?? Self.unknownErrors).compactMap { unknown in
      sensitivity(unknown).map { (error: unknown, sensitivity: $0) }
    }
    let neutral = Self.white(ofNeutrals: chart)
    let best = found.max { $0.sensitivity.evidence < $1.sensitivity.evidence }
    guard let best, case let sensitivity = best.sensitivity,
      case let whole = sensitivity.response(to: .perfectDiffuser), whole.min() > 0
    else {
      // Measurements that no sensitivity explains say nothing of other surfaces.
      guard let neutral else { return nil }
      white = neutral
      others = []
      self.unknownError = unknownError ?? Self.unknownErrors.last ?? 0
      return
    }
    self.unknownError = best.error
    // The model knows how far from neutral the neutral patches are, as far as it explains the measurements.
    let trust = 1 / (1 + 1e4 * best.error * best.error)
    white = neutral.map { $0 + trust * (whole - $0) } ?? whole
    let chromatic = chart.filter { !$0.isNeutral }.compactMap(\.reflectance)
    others = OtherReflectances.sets(mixing: chromatic).map { set in
      let weight = set.share * Double(chart.count) / Double(max(set.surfaces.count, 1))
      return set.surfaces.map {
        ColorSample(rgb: sensitivity.response(to: $0.reflectance) / whole, xyz: $0.xyz, weight: weight)
      }
    }
  }

  /// Camera RGB of the perfect diffuser by the neutral patches; nil without any.
  ///
  /// They are not quite neutral: to first order each channel of a camera follows one of X, Y, Z.
  private static func white(ofNeutrals chart: [ChartMeasurement]) -> SIMD3<Double>? {
    var (sum, weights) = (SIMD3<Double>.zero, 0.0)
    for patch in chart where patch.isNeutral && patch.rgb.min() > 0 && patch.xyz.y > 0.02 {
      // Least squares through black: bright patches tell most.
      let weight = patch.xyz.y * patch.weight
      sum += weight * (patch.rgb / (patch.xyz / XYZ.d65.vector))
      weights += weight
    }
    return weights > 0 ? sum / weights : nil
  }

  /// The best transform of a degree; nil where it is not determined.
  ///
  /// - Parameter half: leaves out every second of the other surfaces: the even (0) or odd (1) ones, and counts the rest
  ///   twice.
  func fit(_ degree: RootPolynomial.Degree, leavingOut half: Int? = nil) -> ChartFit? {
    var samples = chart.map { ColorSample(rgb: $0.rgb / white, xyz: $0.xyz, weight: $0.weight) }
    for set in others {
      guard let half else {
        samples += set
        continue
      }
      for (index, sample) in set.enumerated() where index % 2 != half {
        samples.append(ColorSample(rgb: sample.rgb, xyz: sample.xyz, weight: 2 * sample.weight))
      }
    }
    guard let polynomial = TransformFit.fit(samples, degree: degree) else { return nil }
    let ratio = samples.map { max($0.rgb.min(), 0) / max($0.rgb.max(), 1e-9) }.min() ?? 0.1
    return ChartFit(polynomial: polynomial, white: white, smallestRatio: ratio)
  }

  /// The colour errors on other surfaces, each half of them with a fit that did not see it, all kinds of surfaces
  /// counting alike; nil where the spectra are unknown.
  func outsideErrors(_ degree: RootPolynomial.Degree) -> [[ColorErrorMap.Sample]]? {
    guard !others.isEmpty else { return nil }
    var errors = [[ColorErrorMap.Sample]](repeating: [], count: others.count)
    for half in 0...1 {
      guard let fit = fit(degree, leavingOut: half) else { return nil }
      for (kind, set) in others.enumerated() {
        for (index, sample) in set.enumerated() where index % 2 == half {
          let error = XYZ(fit.polynomial(sample.rgb)).colorError(to: XYZ(sample.xyz))
          errors[kind].append(ColorErrorMap.Sample(rgb: sample.rgb, error: error, weight: sample.weight))
        }
      }
    }
    return errors
  }
}

/// One candidate, fitted.
struct ChartFit {
  let polynomial: RootPolynomial
  let white: SIMD3<Double>
  let smallestRatio: Double

  /// The XYZ under D65 of camera RGB.
  func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Double> { polynomial(rgb / white) }

  /// From camera RGB to XYZ, of a linear fit.
  var matrix: Matrix3 {
    let c = polynomial.coefficients
    return Matrix3(c[0], c[1], c[2]).transpose * Matrix3(diagonal: 1 / white)
  }
}
