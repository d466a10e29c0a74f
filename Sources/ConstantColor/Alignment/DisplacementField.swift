/// Small shifts on a regular grid over the flash frame, bilinear between its nodes and constant outside: what a scene with
/// depth needs beyond one map for the whole frame.
///
/// A pixel p of the flash frame is seen at H(p + d(p)) in the ambient frame. Shifts are in pixels of the flash frame.
public struct DisplacementField: Equatable, Sendable {
  let grid: NodeGrid
  /// The shift at each node, row after row.
  var shifts: [SIMD2<Float>]

  /// A field without shifts.
  init(_ grid: NodeGrid) {
    self.grid = grid
    shifts = [SIMD2<Float>](repeating: .zero, count: grid.count)
  }

  /// The same field on the nodes of another grid.
  init(_ other: DisplacementField, on grid: NodeGrid) {
    self.grid = grid
    shifts = (0..<grid.count).map { SIMD2<Float>(other.shift(at: grid.place($0))) }
  }

  /// The longest shift.
  public var largest: Double {
    shifts.reduce(0.0) { max($0, Double(($1 * $1).sum().squareRoot())) }
  }

  /// The shift at a place of the frame.
  @inline(__always)
  func shift(at place: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2<Double>(grid.interpolate(shifts, at: place))
  }
}
