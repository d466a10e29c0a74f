/// A regular grid of nodes over the flash frame.
struct NodeGrid: Equatable, Sendable {
  /// The number of nodes, 1 or more each.
  let columns, rows: Int
  /// Where the first node lies.
  let origin: SIMD2<Double>
  /// Pixels from node to node.
  let spacing: Double

  /// A grid; nil without nodes.
  init?(columns: Int, rows: Int, origin: SIMD2<Double>, spacing: Double) {
    guard columns > 0, rows > 0, spacing > 0 else { return nil }
    (self.columns, self.rows) = (columns, rows)
    (self.origin, self.spacing) = (origin, spacing)
  }

  /// The number of nodes.
  var count: Int { columns * rows }

  /// Where the node with this index lies, row after row.
  func place(_ node: Int) -> SIMD2<Double> {
    origin + SIMD2(Double(node % columns), Double(node / columns)) * spacing
  }

  /// The value at a place: bilinear between the nodes, constant outside.
  @inline(__always)
  func interpolate<Value: Interpolable>(_ values: [Value], at place: SIMD2<Double>) -> Value {
    let position = (place - origin) / spacing
    // What is not a number is at the edge, too.
    let x = position.x > 0 ? min(position.x, Double(columns &- 1)) : 0
    let y = position.y > 0 ? min(position.y, Double(rows &- 1)) : 0
    let (column, row) = (min(Int(x), max(0, columns &- 2)), min(Int(y), max(0, rows &- 2)))
    let index = row &* columns &+ column
    let right = columns > 1 ? 1 : 0
    let below = rows > 1 ? columns : 0
    let (u, v) = (Float(x) - Float(column), Float(y) - Float(row))
    let top = values[index] * (1 - u) + values[index &+ right] * u
    let bottom = values[index &+ below] * (1 - u) + values[index &+ below &+ right] * u
    return top * (1 - v) + bottom * v
  }
}

/// What can be weighed and added.
protocol Interpolable {
  static func + (a: Self, b: Self) -> Self
  static func * (a: Self, b: Float) -> Self
}

extension Float: Interpolable {}
extension SIMD2: Interpolable where Scalar == Float {}
