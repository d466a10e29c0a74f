/// Small motions of the frame's points as eight numbers, and the families of maps within them.
///
/// In coordinates u, v with the frame's middle at 0 and its corners at a distance of 1:
/// W(q) = [1 + q0, q1, q2; q3, 1 + q4, q5; q6, q7, 1].
struct MotionFrame {
  /// From sample coordinates to u, v.
  let normalize: Homography
  /// From u, v to sample coordinates.
  let denormalize: Homography
  /// Samples per unit of u and v.
  let radius: Double

  init(width: Int, height: Int) {
    let center = SIMD2(Double(max(1, width) - 1), Double(max(1, height) - 1)) / 2
    radius = max(1, (center.x * center.x + center.y * center.y).squareRoot())
    normalize = Homography(
      row0: SIMD3(1 / radius, 0, -center.x / radius), row1: SIMD3(0, 1 / radius, -center.y / radius), row2: [0, 0, 1])
    denormalize = Homography(row0: SIMD3(radius, 0, center.x), row1: SIMD3(0, radius, center.y), row2: [0, 0, 1])
  }

  /// `map` after the small motion `q`; nil where that is no map any more.
  func moved(_ map: Homography, by q: SIMD8<Double>) -> Homography? {
    let motion = Homography(
      row0: SIMD3(1 + q[0], q[1], q[2]), row1: SIMD3(q[3], 1 + q[4], q[5]), row2: SIMD3(q[6], q[7], 1))
    return denormalize.concatenating(after: motion)?.concatenating(after: normalize)
      .flatMap { map.concatenating(after: $0) }
  }
}

extension AlignmentModel {
  /// Directions in the space of small motions that stay within the model.
  var basis: [SIMD8<Double>] {
    switch self {
    case .identity: []
    case .translation: [Self.axis(2), Self.axis(5)]
    case .similarity: [Self.axis(2), Self.axis(5), Self.axis(0) + Self.axis(4), Self.axis(3) - Self.axis(1)]
    case .homography, .mesh: (0..<8).map(Self.axis)
    }
  }

  private static func axis(_ index: Int) -> SIMD8<Double> {
    var axis = SIMD8<Double>.zero
    axis[index] = 1
    return axis
  }
}

/// A quadratic in the eight numbers of a small motion q: qᵀAq - 2 bᵀq, the sum of weighted squared differences less its value at
/// no motion.
struct MotionQuadratic {
  var rows = [SIMD8<Double>](repeating: .zero, count: 8)
  var b = SIMD8<Double>.zero

  /// Adds another quadratic, `sign` times.
  mutating func add(_ other: MotionQuadratic, sign: Double = 1) {
    for i in 0..<8 { rows[i] += other.rows[i] * sign }
    b += other.b * sign
  }

  /// Counts the quadratic `weight` times.
  mutating func scale(by weight: Double) {
    for i in 0..<8 { rows[i] *= weight }
    b *= weight
  }

  /// The shift (in units of u and v) at which the quadratic is least, and what it is worth: the mean curvature; nil where structure runs in
  /// one direction only.
  var shift: (x: Double, y: Double, information: Double)? {
    // Shifts are numbers 2 and 5 of a motion.
    let (xx, xy, yy) = (rows[2][2], rows[2][5], rows[5][5])
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-3 * (xx + yy) * (xx + yy) else { return nil }
    return ((yy * b[2] - xy * b[5]) / determinant, (xx * b[5] - xy * b[2]) / determinant, (xx + yy) / 2)
  }

  /// Where the quadratic is least in the span of `basis`; nil where the data do not determine it.
  func minimum(basis: [SIMD8<Double>]) -> SIMD8<Double>? {
    let n = basis.count
    guard n > 0 else { return .zero }
    func image(_ q: SIMD8<Double>) -> SIMD8<Double> {
      var result = SIMD8<Double>.zero
      for i in 0..<8 { result[i] = (rows[i] * q).sum() }
      return result
    }
    var matrix = basis.map { direction in
      let image = image(direction)
      return basis.map { ($0 * image).sum() }
    }
    var right = basis.map { ($0 * b).sum() }
    // Cholesky with a floor under the pivots: a direction that structure does not determine is an answer too.
    for i in 0..<n {
      let scale = matrix[i][i]
      for j in 0...i {
        var sum = matrix[i][j]
        for k in 0..<j { sum -= matrix[i][k] * matrix[j][k] }
        if i == j {
          guard sum > 1e-9 * scale, sum.isFinite, scale > 1e-12 else { return nil }
          matrix[i][i] = sum.squareRoot()
        } else {
          matrix[i][j] = sum / matrix[j][j]
        }
      }
    }
    for i in 0..<n {
      for k in 0..<i { right[i] -= matrix[i][k] * right[k] }
      right[i] /= matrix[i][i]
    }
    for i in (0..<n).reversed() {
      for k in i + 1..<max(n, i + 1) { right[i] -= matrix[k][i] * right[k] }
      right[i] /= matrix[i][i]
    }
    var q = SIMD8<Double>.zero
    for i in 0..<n { q += basis[i] * right[i] }
    return q
  }
}
