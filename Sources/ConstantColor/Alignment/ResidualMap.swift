/// How far local structure disagrees with an alignment, on the nodes of a regular grid over the flash frame.
public struct ResidualMap: Equatable, Sendable {
  let grid: NodeGrid
  /// The residual at each node, in pixels of the flash frame.
  let residuals: [Float]

  /// The residual that halves the trust in a pixel, in pixels.
  public static let half: Float = 0.25

  /// What says that there is a value in the aligned frame, but no reason to trust it.
  public static let leastTrust: Float = 1.0 / 256

  /// Trust in a pixel with this residual, ``leastTrust``...1: 1 / (1 + (residual / ``half``)²).
  @inline(__always)
  static func trust(_ residual: Float) -> Float {
    let ratio = residual / half
    return max(1 / (1 + ratio * ratio), leastTrust)
  }

  /// The residual at a place of the frame, in pixels.
  @inline(__always)
  func residual(at place: SIMD2<Double>) -> Float { grid.interpolate(residuals, at: place) }
}
