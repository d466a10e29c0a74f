import Raster

/// What changes from a pixel to the next, and between the pictures.
extension ConfidenceTile {
  /// The change of a summed plane by one pixel, across and down: the difference of the means of three pixels to both sides
  /// (Prewitt), which has a third of a pixel's noise.
  @inline(__always)
  private func change(_ plane: Int, _ x: Int, _ place: Int) -> (across: Vector8, down: Vector8) {
    let (line, values, stride) = (columns(plane) + x, planes[plane] + place, planes.stride)
    @inline(__always) func row(_ start: UnsafeMutablePointer<Float>) -> Vector8 {
      Vector8(at: start - 1) + Vector8(at: start) + Vector8(at: start + 1)
    }
    return (
      (Vector8(at: line + 1) - Vector8(at: line - 1)) * (1 / 6),
      (row(values + stride) - row(values - stride)) * (1 / 6)
    )
  }

  /// The squared colour error of a change by one pixel, across and down.
  @inline(__always)
  func change(_ plane: Int, _ x: Int, _ place: Int, _ response: ErrorBudget.Responses) -> Vector8 {
    let red = change(plane, x, place)
    let green = change(plane + 1, x, place)
    let blue = change(plane + 2, x, place)
    let error =
      response.squaredError(shift: ColorVector(red.across, green.across, blue.across))
      + response.squaredError(shift: ColorVector(red.down, green.down, blue.down))
    return error.replacing(with: 0, where: .!hasNeighbours(x))
  }

  /// Whether all neighbours are defined: a missing one is no edge.
  @inline(__always)
  private func hasNeighbours(_ x: Int) -> SIMDMask<SIMD8<Int32>> { sum(Plane.validity, x) .>= 9 }

  /// The squared relative change of the flash frame's brightness by one pixel, beyond its noise.
  @inline(__always)
  func relief(_ x: Int, _ place: Int, _ flash: ColorVector, _ variance: ColorVector) -> Vector8 {
    let red = change(Plane.flash, x, place)
    let green = change(Plane.flash + 1, x, place)
    let blue = change(Plane.flash + 2, x, place)
    let across = ColorVector(red.across, green.across, blue.across).brightness
    let down = ColorVector(red.down, green.down, blue.down).brightness
    // Both directions, each the difference of two means of three.
    let noise = variance.brightnessVariance * (4.0 / 12)
    let level = flash.brightness.greater(Vector8(repeating: 1e-6))
    let found = Vector8.zero.greater(across * across + down * down - 2 * noise)
    return (found / (level * level)).replacing(with: 0, where: .!hasNeighbours(x))
  }

  /// The squared residual that the ambient frame's trust tells of this place, in pixels.
  @inline(__always)
  func localResidual(_ place: Int) -> Vector8 {
    let trust = Vector8(at: planes[Plane.trust] + place).lesser(Vector8(repeating: 1)).greater(
      Vector8(repeating: ResidualMap.leastTrust))
    return (1 / trust - 1) * (ResidualMap.half * ResidualMap.half)
  }

  /// What the 3 × 3 mean of the difference and of the estimate differ by, beyond noise.
  @inline(__always)
  func disagreement(
    _ shift: ColorVector, _ variance: ColorVector, _ response: ErrorBudget.Responses
  ) -> Vector8 {
    let found = response.squaredError(shift: shift)
    let expected = response.squaredError(variance: variance * Vector8(repeating: 1.0 / 9))
    return Vector8.zero.greater(found - 2 * expected)
  }
}
