import ColorScience
import Raster

/// The last step: one gain, highlights that roll off, and colours brought into the output space.
///
/// Up to 90 % of white the picture stays colorimetric: linear light times the gain. There is no tone curve;
/// the space's own curve is applied by whoever writes the file.
///
/// A pixel goes through
/// 1. gain, and the matrix from linear sRGB to the output primaries (adapted by Bradford where the space's white
///    is not D65, as ICC profiles do: neutrals stay R = G = B);
/// 2. ``HighlightRollOff`` on its largest channel in the output space (a saturated colour that
///    the output space shows below 90 % is not bent just because sRGB could not show it);
/// 3. ``GamutCompression`` where a channel is below 0.
public struct OutputRendering: Sendable {
  /// The factor on linear light.
  public let gain: Double
  /// The space of the result.
  public let space: RGBSpace
  private let red, green, blue: Pixel
  private let compression: GamutCompression

  /// Rendering into a space.
  ///
  /// - Parameters:
  ///   - gain: the factor on linear light, from ``Metering`` or a photographer; limited to 0...10⁶, NaN is 1.
  ///   - space: the space of the result.
  public init(gain: Double = 1, space: RGBSpace = .displayP3) {
    let gain = gain.isNaN ? 1 : min(max(gain, 0), 1e6)
    self.gain = gain
    self.space = space
    // RGBSpace makes no space whose white cannot be adapted.
    let (first, second, third) = (gain * (RGBSpace.sRGB.matrix(to: space) ?? .identity)).columns
    red = Pixel(rgb: SIMD3<Float>(first), alpha: 0)
    green = Pixel(rgb: SIMD3<Float>(second), alpha: 0)
    blue = Pixel(rgb: SIMD3<Float>(third), alpha: 0)
    compression = GamutCompression(space)
  }

  /// Renders pixels.
  ///
  /// - Parameters:
  ///   - input: linear sRGB primaries under D65, unbounded. Infinite values count as very large ones; a pixel with NaN
  ///     becomes black.
  ///   - output: linear light in the primaries of ``space``, every channel in 0...1; alpha is kept (1 if it is NaN
  ///     or infinite). May be the same memory. Holds at least as many pixels as `input`, or only as many are rendered.
  public func process(_ input: Pixels, into output: MutablePixels) {
    let least = Pixel.zero
    let most = Pixel(rgb: SIMD3(repeating: HighlightRollOff.knee), alpha: 1)
    for index in 0..<min(input.count, output.count) {
      let pixel = input[index]
      var rendered = red * pixel.x + green * pixel.y + blue * pixel.z
      rendered.w = pixel.w
      // NaN fails both comparisons.
      if all((rendered .>= least) .& (rendered .<= most)) {
        output[index] = rendered
      } else {
        output[index] = renderOutside(pixel)
      }
    }
  }

  /// Renders pixels in place, and counts what that did to them.
  public func render(_ pixels: MutablePixels, _ execution: Execution) -> RenderingCensus {
    let part = 1 << 14
    nonisolated(unsafe) let pixels = pixels
    let parts = execution.map((pixels.count + part - 1) / part, placeholder: RenderingCensus()) { index in
      let own = pixels.suffix(from: index * part, count: part)
      let census = census(own.readable)
      process(own.readable, into: own)
      return census
    }
    return parts.reduce(into: RenderingCensus()) { $0 += $1 }
  }

  /// Counts what ``process(_:into:)`` does to these pixels.
  public func census(_ input: Pixels) -> RenderingCensus {
    var census = RenderingCensus(pixels: input.count)
    let least = Pixel.zero
    let most = Pixel(rgb: SIMD3(repeating: HighlightRollOff.knee), alpha: 1)
    for index in 0..<input.count {
      let pixel = input[index]
      var rendered = red * pixel.x + green * pixel.y + blue * pixel.z
      rendered.w = 0
      if all((rendered .>= least) .& (rendered .<= most)) { continue }
      guard let outside = bounded(pixel) else { continue }
      if max(outside.x, outside.y, outside.z) > HighlightRollOff.knee { census.highlights += 1 }
      if min(outside.x, outside.y, outside.z) < 0 { census.outsideGamut += 1 }
    }
    return census
  }

  /// A pixel in the output's primaries, infinite values as very large ones; nil for a pixel with NaN.
  private func bounded(_ pixel: Pixel) -> Pixel? {
    guard pixel.x == pixel.x, pixel.y == pixel.y, pixel.z == pixel.z else { return nil }
    // From here neither the matrix, with any gain, nor the cubes of the compression can overflow.
    let bounded = pixel.replacing(with: 1e6, where: pixel .> 1e6).replacing(with: -1e6, where: pixel .< -1e6)
    return red * bounded.x + green * bounded.y + blue * bounded.z
  }

  /// Highlights, colours outside the gamut, and values that are not finite.
  @inline(never) private func renderOutside(_ pixel: Pixel) -> Pixel {
    let alpha = pixel.w.isFinite ? pixel.w : 1
    guard var rendered = bounded(pixel) else { return Pixel(0, 0, 0, alpha) }
    // Lane by lane: the generic maximum of a SIMD vector is a loop.
    let largest = max(rendered.x, rendered.y, rendered.z)
    if largest > HighlightRollOff.knee {
      rendered *= HighlightRollOff.compress(largest) / largest
      // Rounding may leave the largest channel a bit above 1.
      rendered.replace(with: 1, where: rendered .> 1)
    }
    rendered.w = alpha
    return min(rendered.x, rendered.y, rendered.z) < 0 ? compression(rendered) : rendered
  }
}
