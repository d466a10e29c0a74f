import ColorScience
import Glibc

/// How well 24 measured colours agree with those of the chart, whatever the camera, its white balance, the exposure
/// and the light's fall-off over the chart.
///
/// A 3×3 matrix and a plane of brightness are fitted to 72 numbers; what they cannot explain is counted.
struct ChartAgreement {
  /// The part of the chart's variance, in cube roots of linear sRGB, that the measured colours explain: 1 is
  /// perfect, a strange grid stays far below.
  var score: Double
  /// Whether the six neutral patches get darker from white to black.
  var hasOrderedNeutrals: Bool

  /// Compares linear values, row after row from dark skin to black. Nil where they are not finite or span no colours.
  init?(_ measured: [SIMD3<Double>]) {
    let reference = ChartColors.linearSRGB
    guard measured.count == reference.count else { return nil }
    let sums = measured.reduce(.zero, +)
    guard sums.x.isFinite, sums.y.isFinite, sums.z.isFinite, sums.min() > 0 else { return nil }
    let balanced = measured.map { $0 / sums * 24 }
    var light = [Double](repeating: 1, count: 24)
    var weights = reference.map { 1 / (($0 * $0).sum() + 0.02) }
    let base = weights
    var fitted = reference
    for round in 0..<4 {
      guard let matrix = Self.matrix(balanced, light: light, weights: weights) else { return nil }
      fitted = balanced.map { matrix * $0 }
      // Almost every placement ends here. Uneven light does not cost a chart so much.
      if round == 0, Self.score(fitted) < 0.3 { return nil }
      guard let plane = Self.plane(fitted, weights: weights) else { return nil }
      light = plane
      fitted = zip(fitted, plane).map { $0 / $1 }
      // A finger, glare or a clipped white must not bend the fit (Cauchy's weights, about a quarter of a colour).
      if round < 3 {
        for index in 0..<24 {
          let error = fitted[index] - reference[index]
          weights[index] = base[index] / (1 + (error * error).sum() * base[index] * 16)
        }
      }
    }
    score = Self.score(fitted)
    let neutrals = fitted.suffix(6).map { $0.sum() }
    let isFalling = zip(neutrals, neutrals.dropFirst()).allSatisfy { $0 > 0.97 * $1 }
    hasOrderedNeutrals = isFalling && fitted[18].sum() > 3 * fitted[23].sum()
  }

  /// The matrix from measured values under even light to the reference.
  private static func matrix(
    _ measured: [SIMD3<Double>], light: [Double], weights: [Double]
  ) -> Matrix3? {
    var squares = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    var products = squares
    for index in 0..<24 {
      let value = measured[index] / light[index]
      let target = ChartColors.linearSRGB[index]
      let weighted = weights[index] * value
      squares.0 += weighted.x * value
      squares.1 += weighted.y * value
      squares.2 += weighted.z * value
      products.0 += target.x * weighted
      products.1 += target.y * weighted
      products.2 += target.z * weighted
    }
    return Matrix3(squares.0, squares.1, squares.2).inverse.map {
      Matrix3(products.0, products.1, products.2) * $0
    }
  }

  /// The brightness of the light at each patch, a plane over the chart with mean 1; nil where it would be nowhere
  /// near even.
  private static func plane(_ fitted: [SIMD3<Double>], weights: [Double]) -> [Double]? {
    var squares = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    var right = SIMD3<Double>.zero
    for index in 0..<24 {
      let target = ChartColors.linearSRGB[index]
      let place = ChartGeometry.place(of: index) - SIMD2(2.5, 1.5)
      let terms = SIMD3(1, place.x, place.y)
      let weighted = (weights[index] * (target * target).sum()) * terms
      squares.0 += weighted.x * terms
      squares.1 += weighted.y * terms
      squares.2 += weighted.z * terms
      right += weights[index] * (target * fitted[index]).sum() * terms
    }
    guard let inverse = Matrix3(squares.0, squares.1, squares.2).inverse else { return nil }
    let plane = inverse * right
    guard plane.x > 0 else { return nil }
    let values = (0..<24).map { index in
      let place = ChartGeometry.place(of: index) - SIMD2(2.5, 1.5)
      return 1 + (plane.y * place.x + plane.z * place.y) / plane.x
    }
    return values.allSatisfy { $0 > 0.2 } ? values : nil
  }

  private static func score(_ fitted: [SIMD3<Double>]) -> Double {
    let errors = zip(fitted, referenceRoots).map { value, target in
      let error = roots(value) - target
      return (error * error).sum()
    }
    // Up to three patches may be hidden, glare or clipped; whatever is there then is not held against the others.
    let unexplained = errors.sorted().prefix(21).reduce(0, +)
    return 1 - unexplained / referenceVariance
  }

  /// CIELAB's curve: a cube root with a straight foot, so that noise around 0 does not count as colour.
  private static func roots(_ color: SIMD3<Double>) -> SIMD3<Double> {
    func root(_ value: Double) -> Double {
      value > 0.008856 ? cbrt(value) : max(-0.1, 7.787 * value + 16.0 / 116)
    }
    return SIMD3(root(color.x), root(color.y), root(color.z))
  }

  private static let referenceRoots = ChartColors.linearSRGB.map(roots)
  private static let referenceVariance: Double = {
    let mean = referenceRoots.reduce(.zero, +) / 24
    return referenceRoots.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() }
  }()
}
