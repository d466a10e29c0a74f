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
/// L* is bent at its ends: from paper's noise on to 100, and from the ink's level down to 0; 1 : 1 between. Only colours near grey are
/// bent (C*ab below 8 fully, above 20 not at all), and lose what chroma is left at both ends. Colours of print keep L*, a* and b*.
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

  /// L* after the bend.
  func bent(_ lightness: Double) -> Double {
    if lightness >= paper { return 100 }
    if lightness > light { return light + (lightness - light) * (100 - light) / (paper - light) }
    if lightness >= dark { return lightness }
    return max(0, (lightness - ink) * dark / (dark - ink))
  }

  /// Cleans pixels.
  ///
  /// - Parameter pixels: linear sRGB primaries, paper 1; afterwards 0...1, and neutral for grey and bilevel.
  public func process(_ pixels: MutablePixels) {
    for index in 0..<pixels.count {
      let pixel = pixels[index]
      pixels[index] = Pixel(rgb: cleaned(pixel.rgb), alpha: 1)
    }
  }

  private func cleaned(_ rgb: SIMD3<Float>) -> SIMD3<Float> {
    guard rgb.x.isFinite, rgb.y.isFinite, rgb.z.isFinite else { return .zero }
    let bounded = SIMD3<Double>(rgb.clamped(lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 4)))
    guard style != .plain else { return Self.inside(bounded) }
    let xyz = RGBSpace.sRGB.toXYZ * bounded
    if style != .color {
      let lightness = Lab(XYZ(.d65, luminance: xyz.y)).lightness
      if style == .bilevel { return SIMD3(repeating: lightness > threshold ? 1 : 0) }
      let grey = Lab(bent(lightness), 0, 0).xyz().y
      return SIMD3(repeating: Float(min(max(grey, 0), 1)))
    }
    let color = Lab(XYZ(xyz))
    let neutral = 1 - Self.step(8, 20, color.chroma)
    guard neutral > 0 else { return Self.inside(bounded) }
    let lightness = color.lightness + neutral * (bent(color.lightness) - color.lightness)
    let ends = max(Self.step(light, paper, color.lightness), 1 - Self.step(ink, dark, color.lightness))
    let chroma = 1 - neutral * ends
    let clean = Lab(lightness, color.a * chroma, color.b * chroma)
    return Self.inside(Self.fromXYZ * clean.xyz().vector)
  }

  private static let fromXYZ = RGBSpace.sRGB.toXYZ.inverse ?? .identity

  /// 0...1 in each channel, at the same luminance where that is possible: towards grey.
  private static func inside(_ rgb: SIMD3<Double>) -> SIMD3<Float> {
    let grey = min(max(0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z, 0), 1)
    let (least, most) = (rgb.min(), rgb.max())
    var part = 1.0
    if least < 0, grey > least { part = min(part, grey / (grey - least)) }
    if most > 1, most > grey { part = min(part, (1 - grey) / (most - grey)) }
    let inside = SIMD3(repeating: grey) + part * (rgb - SIMD3(repeating: grey))
    return SIMD3<Float>(inside.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1)))
  }

  private static func step(_ first: Double, _ second: Double, _ x: Double) -> Double {
    let t = min(max((x - first) / (second - first), 0), 1)
    return t * t * (3 - 2 * t)
  }
}
