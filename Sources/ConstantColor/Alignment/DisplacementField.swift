import Raster

/// Small shifts on a regular grid over the flash frame, bilinear between its nodes and constant outside: what a scene with
/// depth needs beyond one map for the whole frame.
///
/// A pixel p of the flash frame is seen at H(p + d(p)) in the ambient frame. Shifts are in pixels of the flash frame.
public struct DisplacementField: Equatable, Sendable {
  /// The number of nodes.
  public let columns, rows: Int
  /// Where the first node lies.
  let origin: SIMD2<Double>
  /// Pixels from node to node.
  let spacing: Double
  /// The shift at each node, row after row.
  var shifts: [SIMD2<Float>]

  /// A field without shifts; nil without nodes.
  init?(columns: Int, rows: Int, origin: SIMD2<Double>, spacing: Double) {
    guard columns > 0, rows > 0, spacing > 0 else { return nil }
    self.columns = columns
    self.rows = rows
    self.origin = origin
    self.spacing = spacing
    shifts = [SIMD2<Float>](repeating: .zero, count: columns * rows)
  }

  /// The longest shift.
  public var largest: Double {
    shifts.reduce(0.0) { max($0, Double(($1 * $1).sum().squareRoot())) }
  }

  /// The shift at a place of the frame.
  @inline(__always)
  func shift(at place: SIMD2<Double>) -> SIMD2<Double> {
    let cell = GridCell(place, origin: origin, spacing: spacing, columns: columns, rows: rows)
    return SIMD2<Double>(cell.interpolate(shifts, columns: columns))
  }

  /// The same field with the nodes of another grid.
  func resampled(columns: Int, rows: Int, origin: SIMD2<Double>, spacing: Double) -> DisplacementField? {
    guard var field = DisplacementField(columns: columns, rows: rows, origin: origin, spacing: spacing) else {
      return nil
    }
    for row in 0..<rows {
      for column in 0..<columns {
        let place = origin + SIMD2(Double(column), Double(row)) * spacing
        field.shifts[row * columns + column] = SIMD2<Float>(shift(at: place))
      }
    }
    return field
  }
}

/// How far local structure disagrees with an alignment, on the nodes of a regular grid over the flash frame.
public struct ResidualMap: Equatable, Sendable {
  let columns, rows: Int
  let origin: SIMD2<Double>
  let spacing: Double
  /// The residual at each node, in pixels of the flash frame.
  let residuals: [Float]

  /// The residual that halves the trust in a pixel, in pixels.
  public static let half: Float = 0.25

  /// Trust in a pixel with this residual, 1/256...1: 1 / (1 + (residual / ``half``)²).
  @inline(__always)
  static func trust(_ residual: Float) -> Float {
    let ratio = residual / half
    return max(1 / (1 + ratio * ratio), 1.0 / 256)
  }

  /// The residual at a place of the frame, in pixels.
  @inline(__always)
  func residual(at place: SIMD2<Double>) -> Float {
    let cell = GridCell(place, origin: origin, spacing: spacing, columns: columns, rows: rows)
    return cell.interpolate(residuals, columns: columns)
  }
}

/// The four nodes around a place of a grid, clamped to its edge.
private struct GridCell {
  let index: Int
  let right, below: Int
  let u, v: Float

  @inline(__always)
  init(_ place: SIMD2<Double>, origin: SIMD2<Double>, spacing: Double, columns: Int, rows: Int) {
    let position = (place - origin) / spacing
    // What is not a number is at the edge, too.
    let x = position.x > 0 ? min(position.x, Double(columns &- 1)) : 0
    let y = position.y > 0 ? min(position.y, Double(rows &- 1)) : 0
    let (column, row) = (min(Int(x), max(0, columns &- 2)), min(Int(y), max(0, rows &- 2)))
    index = row &* columns &+ column
    right = columns > 1 ? 1 : 0
    below = rows > 1 ? columns : 0
    (u, v) = (Float(x) - Float(column), Float(y) - Float(row))
  }

  @inline(__always)
  func interpolate(_ values: [Float], columns: Int) -> Float {
    let top = values[index] * (1 - u) + values[index &+ right] * u
    let bottom = values[index &+ below] * (1 - u) + values[index &+ below &+ right] * u
    return top * (1 - v) + bottom * v
  }

  @inline(__always)
  func interpolate(_ values: [SIMD2<Float>], columns: Int) -> SIMD2<Float> {
    let top = values[index] * (1 - u) + values[index &+ right] * u
    let bottom = values[index &+ below] * (1 - u) + values[index &+ below &+ right] * u
    return top * (1 - v) + bottom * v
  }
}
