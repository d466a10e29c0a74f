import Raster

/// The mean of the pixels around a place.
public struct PixelMean: Equatable, Sendable {
  /// The mean of red, green, blue; of the values as they are where none is a number.
  public let rgb: SIMD3<Double>
  /// The mean of alpha.
  public let alpha: Double
  /// How many pixels were read.
  public let count: Int
  /// How many of them have a value that is NaN or infinite, and are left out.
  public let unusable: Int

  /// The pixels of the square with 2 · `radius` + 1 pixels a side around (x, y), as far as it is inside the picture; nil
  /// where (x, y) is outside, or `radius` is not 0...1000.
  public init?(_ source: some PixelSource, x: Int, y: Int, radius: Int = 0) {
    guard source.bounds.contains(x: x, y: y), (0...1000).contains(radius) else { return nil }
    let square = Rectangle(x: x, y: y, width: 1, height: 1).expanded(by: radius).intersection(source.bounds)
    self.init(source.image(square).pixels)
  }

  init(_ pixels: [Pixel]) {
    var (usable, all) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var unusable = 0
    for pixel in pixels {
      let value = SIMD4<Double>(pixel)
      all += value
      if value.x.isFinite && value.y.isFinite && value.z.isFinite { usable += value } else { unusable += 1 }
    }
    let isKnown = unusable < pixels.count
    let mean = (isKnown ? usable : all) / Double(max(1, isKnown ? pixels.count - unusable : pixels.count))
    rgb = SIMD3(mean.x, mean.y, mean.z)
    alpha = mean.w
    count = pixels.count
    self.unusable = unusable
  }

  /// Whether red, green and blue are numbers.
  public var isFinite: Bool { rgb.x.isFinite && rgb.y.isFinite && rgb.z.isFinite }
}
