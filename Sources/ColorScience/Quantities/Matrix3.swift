/// A 3×3 matrix of doubles that acts on column vectors.
public struct Matrix3: Equatable, Hashable, Sendable {
  /// The three rows, from the top.
  public var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// A matrix from its rows.
  @inlinable public init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
    rows = (first, second, third)
  }

  /// A matrix from nine numbers, row by row; nil for any other count.
  public init?(rowMajor numbers: [Double]) {
    guard numbers.count == 9 else { return nil }
    self.init(
      SIMD3(numbers[0], numbers[1], numbers[2]), SIMD3(numbers[3], numbers[4], numbers[5]),
      SIMD3(numbers[6], numbers[7], numbers[8]))
  }

  /// A diagonal matrix.
  public init(diagonal: SIMD3<Double>) {
    self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
  }

  /// The matrix that changes nothing.
  public static let identity = Matrix3(diagonal: SIMD3(repeating: 1))

  /// The nine numbers, row by row.
  public var rowMajor: [Double] {
    [rows.0, rows.1, rows.2].flatMap { [$0.x, $0.y, $0.z] }
  }

  /// The three columns, from the left.
  public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let turned = transpose
    return turned.rows
  }

  /// Rows and columns exchanged.
  public var transpose: Matrix3 {
    let (a, b, c) = rows
    return Matrix3(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
  }

  /// The determinant.
  public var determinant: Double { dot(rows.0, cross(rows.1, rows.2)) }

  /// Whether no number is NaN or infinite.
  public var isFinite: Bool { rowMajor.allSatisfy(\.isFinite) }

  /// The inverse, or nil where the matrix is singular, as good as singular (condition number above
  /// 10¹², measured with the Frobenius norm), or not finite.
  public var inverse: Matrix3? {
    let scale = frobeniusNorm
    guard scale.isFinite, scale > 0 else { return nil }
    // At unit scale neither the determinant nor the products below can overflow or vanish.
    let (a, b, c) = (rows.0 / scale, rows.1 / scale, rows.2 / scale)
    let determinant = dot(a, cross(b, c))
    guard determinant.isFinite, determinant != 0 else { return nil }
    let unit = Matrix3(cross(b, c) / determinant, cross(c, a) / determinant, cross(a, b) / determinant).transpose
    guard unit.frobeniusNorm < 1e12 else { return nil }
    let inverse = Matrix3(unit.rows.0 / scale, unit.rows.1 / scale, unit.rows.2 / scale)
    return inverse.isFinite ? inverse : nil
  }

  /// The square root of the sum of the squared numbers.
  public var frobeniusNorm: Double {
    let largest = rowMajor.reduce(0) { max($0, abs($1)) }
    guard largest > 0, largest.isFinite else { return largest.isFinite ? 0 : largest }
    return largest * rowMajor.reduce(0) { $0 + ($1 / largest) * ($1 / largest) }.squareRoot()
  }

  /// The condition number in the Frobenius norm (3 for the identity), infinite for a singular matrix.
  public var conditionNumber: Double {
    guard let inverse else { return .infinity }
    return frobeniusNorm * inverse.frobeniusNorm
  }

  /// The matrix applied to a column vector.
  @inlinable public static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      (matrix.rows.0 * vector).sum(), (matrix.rows.1 * vector).sum(), (matrix.rows.2 * vector).sum())
  }

  /// The product that applies `right` first, then `left`.
  public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
    let (x, y, z) = right.columns
    let columns = (left * x, left * y, left * z)
    return Matrix3(columns.0, columns.1, columns.2).transpose
  }

  /// The sum, number by number.
  public static func + (left: Matrix3, right: Matrix3) -> Matrix3 {
    Matrix3(left.rows.0 + right.rows.0, left.rows.1 + right.rows.1, left.rows.2 + right.rows.2)
  }

  /// Every number times a factor.
  public static func * (factor: Double, matrix: Matrix3) -> Matrix3 {
    Matrix3(factor * matrix.rows.0, factor * matrix.rows.1, factor * matrix.rows.2)
  }

  /// Whether all nine numbers are equal.
  public static func == (left: Matrix3, right: Matrix3) -> Bool { left.rows == right.rows }

  /// Feeds the nine numbers to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(rowMajor) }
}

/// The scalar product.
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

/// The vector product.
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y, a.z, a.x) * SIMD3(b.z, b.x, b.y) - SIMD3(a.z, a.x, a.y) * SIMD3(b.y, b.z, b.x)
}
