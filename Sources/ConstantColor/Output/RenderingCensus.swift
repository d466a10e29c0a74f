/// How many pixels a rendering does not show as they are.
public struct RenderingCensus: Equatable, Sendable {
  /// All pixels.
  public var pixels = 0
  /// Pixels whose highlights roll off: a channel is above 90 % of white.
  public var highlights = 0
  /// Pixels that gamut compression moves: a channel is below 0.
  public var outsideGamut = 0

  /// Nothing counted, of so many pixels.
  public init(pixels: Int = 0) { self.pixels = pixels }

  /// The parts of a picture, together.
  public static func += (left: inout RenderingCensus, right: RenderingCensus) {
    left.pixels += right.pixels
    left.highlights += right.highlights
    left.outsideGamut += right.outsideGamut
  }

  /// The share of pixels that rolled off, 0...1; nil without pixels.
  public var highlightFraction: Double? { pixels > 0 ? Double(highlights) / Double(pixels) : nil }
  /// The share of pixels that gamut compression moved, 0...1; nil without pixels.
  public var gamutMappedFraction: Double? { pixels > 0 ? Double(outsideGamut) / Double(pixels) : nil }
}
