import Raster

/// A picture a pixel high from its colours.
func row(_ colors: [SIMD3<Float>], alpha: Float = 1) -> Image {
  Image(Rectangle(width: colors.count, height: 1)) { x, _ in Pixel(rgb: colors[x], alpha: alpha) }
}

/// A picture of one colour.
func plain(_ color: SIMD3<Float>, width: Int = 4, height: Int = 3) -> Image {
  Image(Rectangle(width: width, height: height)) { _, _ in Pixel(rgb: color, alpha: 1) }
}

/// Numbers that look random, the same each time.
struct Numbers {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  /// 0..<1.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) / 0x1p53
  }
}
