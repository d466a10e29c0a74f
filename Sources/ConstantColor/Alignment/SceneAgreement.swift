import Glibc
import Raster

extension Alignment {
  /// Whether the two frames seem to show different scenes: each has structure enough to be registered, and yet nothing
  /// in the one was found in the other.
  ///
  /// A dark ambient frame or a blank wall is no such case: there is nothing to find, or nothing to find it by.
  public func seemsUnrelated(
    flash: some PixelSource, ambient: some PixelSource, execution: Execution = .serial
  ) -> Bool {
    guard outcome == .noStructure || outcome == .fellBack, residual.isNaN else { return false }
    let smallest = min(flash.bounds.width, flash.bounds.height, ambient.bounds.width, ambient.bounds.height)
    // Registration itself needs some hundred pixels.
    guard smallest >= 200 else { return false }
    return Self.hasStructure(reduced(flash, toAtMost: 4096, execution: execution).image)
      && Self.hasStructure(reduced(ambient, toAtMost: 4096, execution: execution).image)
  }

  /// Whether brightness varies by more than a tenth from cell to cell, well above black.
  private static func hasStructure(_ image: Image) -> Bool {
    var (count, sum, squares) = (0.0, 0.0, 0.0)
    for pixel in image.pixels where pixel.w > 0 {
      let brightness = Double(pixel.x + 2 * pixel.y + pixel.z) / 4
      guard brightness.isFinite else { continue }
      let level = log(max(brightness, 0.002))
      count += 1
      sum += level
      squares += level * level
    }
    guard count > 100 else { return false }
    let mean = sum / count
    return squares / count - mean * mean > 0.01 && mean > log(0.004)
  }
}
