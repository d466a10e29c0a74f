import ColorScience
import Glibc
import Raster

/// How a page looks in the end.
public enum PrintStyle: String, CaseIterable, Sendable {
  /// Even paper, and nothing else: for measuring.
  case plain
  /// Paper white, ink black, colours and middle tones as they are.
  case color
  /// The same in shades of grey.
  case grey
  /// Black or white.
  case bilevel

  /// How many channels it has.
  public var channels: Int { self == .plain || self == .color ? 3 : 1 }
}

/// Makes paper white and ink black, and leaves alone what is neither.
///
/// Strokes on paper, which blur makes grey, are darkened by 0.8 of how much darker they are than what is around. Then L* is bent at
/// its ends: from paper's noise on to 100, and from the ink's level down to 0; 1 : 1 between. Only what is grey is
/// bent, and loses its chroma: pixels with a C*ab below 8 (above 20 not), and those whose surroundings have no colour, such as the
/// fringes of letters, which lenses and sensors' colour filters make. Colours of print keep L*, a* and b*.
public struct CleanUp: Equatable, Sendable {
  /// How the page looks.
  public let style: PrintStyle
  private let ink, dark, light, paper: Double

  /// - Parameter levels: those of the page.
  public init(_ style: PrintStyle, _ levels: PrintLevels) {
    self.style = style
    ink = min(max(levels.ink, 0), 40)
    paper = min(max(levels.paper, 80), 99.5)
    dark = ink + 26
    light = paper - 12
  }

  /// The lightness above which a bilevel page is white.
  private var threshold: Double { 0.5 * (ink + 100) }

  /// L* of a stroke on paper as if the lens had not blurred it: by most of what it is darker than a light surrounding.
  private func darkened(_ lightness: Double, _ around: Double) -> Double {
    lightness - 0.8 * Self.step(55, 75, around) * max(0, around - lightness)
  }

  /// L* after the bend.
  func bent(_ lightness: Double) -> Double {
    if lightness >= paper { return 100 }
    if lightness > light { return light + (lightness - light) * (100 - light) / (paper - light) }
    if lightness >= dark { return lightness }
    return max(0, (lightness - ink) * dark / (dark - ink))
  }

  /// A pixel after the clean-up, 0...1.
  ///
  /// - Parameters:
  ///   - rgb: linear sRGB primaries, paper 1.
  ///   - mean: of the pixels around.
  func cleaned(_ rgb: SIMD3<Float>, around mean: SIMD3<Float>) -> SIMD3<Float> {
    guard rgb.x.isFinite, rgb.y.isFinite, rgb.z.isFinite else { return .zero }
    let bounded = SIMD3<Double>(rgb.clamped(lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 4)))
    guard style != .plain else { return Self.inside(bounded) }
    let xyz = RGBSpace.sRGB.toXYZ * bounded
    let around = Lab(XYZ(.d65, luminance: Double(luminance(mean)))).lightness
    if style != .color {
      let lightness = darkened(Lab(XYZ(.d65, luminance: xyz.y)).lightness, around)
      if style == .bilevel { return SIMD3(repeating: lightness > threshold ? 1 : 0) }
      let grey = Lab(bent(lightness), 0, 0).xyz().y
      return SIMD3(repeating: Float(min(max(grey, 0), 1)))
    }
    let color = Lab(XYZ(xyz))
    let neutral = 1 - Self.step(8, 20, color.chroma) * Self.step(0.12, 0.3, Self.saturation(mean))
    guard neutral > 0 else { return Self.inside(bounded) }
    let lightness = color.lightness + neutral * (bent(darkened(color.lightness, around)) - color.lightness)
    let clean = Lab(lightness, color.a * (1 - neutral), color.b * (1 - neutral))
    return Self.inside(Self.fromXYZ * clean.xyz().vector)
  }

  /// How coloured surroundings are, 0...1: what is there of light, or what ink takes from the paper's.
  private static func saturation(_ mean: SIMD3<Float>) -> Double {
    let (least, most) = (mean.min(), mean.max())
    let range = most - least
    return Double(max(range / max(most + 0.02, 0.02), range / max(1.03 - least, 0.03)))
  }

  private static let fromXYZ = RGBSpace.sRGB.toXYZ.inverse ?? .identity

  /// 0...1 in each channel. What has less than nothing moves towards grey at its luminance; what is lighter than paper, as yellow
  /// print is in red, is cut: turning noise there into chroma shows more.
  private static func inside(_ rgb: SIMD3<Double>) -> SIMD3<Float> {
    let grey = min(max(0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z, 0), 1)
    let least = rgb.min()
    let part = least < 0 && grey > least ? grey / (grey - least) : 1
    let inside = SIMD3(repeating: grey) + part * (rgb - SIMD3(repeating: grey))
    return SIMD3<Float>(inside.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1)))
  }

  private static func step(_ first: Double, _ second: Double, _ x: Double) -> Double {
    let t = min(max((x - first) / (second - first), 0), 1)
    return t * t * (3 - 2 * t)
  }
}

/// A page that is cleaned up.
public struct CleanedPage<Source: PixelSource>: PixelSource {
  private let source: Source
  private let cleanUp: CleanUp

  /// How far around a pixel its surroundings reach.
  private static var reach: Int { 4 }

  /// - Parameter source: linear sRGB primaries, paper 1 (``EvenedPicture``, ``FlattenedPage`` of one).
  public init(_ source: Source, _ cleanUp: CleanUp) { (self.source, self.cleanUp) = (source, cleanUp) }

  /// Where the page has pixels.
  public var bounds: Rectangle { source.bounds }

  /// See ``PixelSource/read(_:into:)``; every channel is 0...1 and alpha 1.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    let reach = Self.reach
    let page = source.image(rectangle.expanded(by: reach))
    let width = page.bounds.width
    // Sums down the columns, then along the row; not running ones, whose rounding would depend on where they began.
    var columns = [SIMD3<Float>](repeating: .zero, count: width)
    func usable(_ pixel: Pixel) -> SIMD3<Float> {
      let rgb = pixel.rgb.clamped(lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 4))
      return rgb.x.isFinite && rgb.y.isFinite && rgb.z.isFinite ? rgb : .zero
    }
    let size = 2 * reach + 1
    for row in 0..<rectangle.height {
      for column in 0..<width {
        var sum = SIMD3<Float>.zero
        for line in row..<(row + size) { sum += usable(page.pixels[line * width + column]) }
        columns[column] = sum
      }
      for column in 0..<rectangle.width {
        var sum = SIMD3<Float>.zero
        for other in column..<(column + size) { sum += columns[other] }
        let pixel = page.pixels[(row + reach) * width + column + reach]
        let clean = cleanUp.cleaned(pixel.rgb, around: sum / Float(size * size))
        destination[row * rectangle.width + column] = Pixel(rgb: clean, alpha: 1)
      }
    }
  }
}
