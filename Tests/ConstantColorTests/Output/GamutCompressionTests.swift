import ColorScience
import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct GamutCompressionTests {
  static let spaces: [RGBSpace] = [.sRGB, .displayP3, .rec2020, .proPhoto]

  /// Colours of a denser space than the output, so that most are outside: an even net over hue and lightness.
  private static func colors(outside space: RGBSpace) -> [Pixel] {
    let compressed = RGBSpace.linearSRGB.matrix(to: space) ?? .identity
    var colors: [Pixel] = []
    for step in 0..<72 {
      for lightness in stride(from: 0.15, through: 0.9, by: 0.15) {
        for chroma in [0.1, 0.25, 0.4] {
          let angle = Double(step) * 5 * .pi / 180
          let lab = OKLab(lightness, chroma * cos(angle), chroma * sin(angle))
          let rgb = compressed * (RGBSpace.sRGB.fromXYZ * lab.xyz.vector)
          if max(rgb.x, rgb.y, rgb.z) <= 1 && min(rgb.x, rgb.y, rgb.z) < 0 {
            colors.append(Pixel(rgb: SIMD3<Float>(rgb), alpha: 0.5))
          }
        }
      }
    }
    return colors
  }

  @Test(arguments: spaces) func insideStaysBitForBit(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    for r in stride(from: Float(0), through: 1, by: 0.125) {
      for g in stride(from: Float(0), through: 1, by: 0.125) {
        for b in stride(from: Float(0), through: 1, by: 0.125) {
          let pixel = Pixel(r, g, b, 0.3)
          #expect(compression(pixel) == pixel)
        }
      }
    }
  }

  /// ProPhoto is left out: its blue and green are no colours, and its dent is documented.
  @Test(arguments: [RGBSpace.sRGB, .displayP3, .rec2020]) func hueAndLightnessStay(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    let colors = Self.colors(outside: space)
    #expect(colors.count > 200)
    for color in colors {
      let result = compression(color)
      #expect(result.rgb.min() >= 0 && result.rgb.max() <= 1 && result.w == 0.5)
      let (before, after) = (oklab(color, space), oklab(result, space))
      // 0.003 is a fraction of what an eye can see.
      #expect(abs(after.lightness - before.lightness) < 0.003)
      #expect(after.chroma < before.chroma + 1e-6)
      let across = (before.a * after.b - before.b * after.a) / before.chroma
      let along = (before.a * after.a + before.b * after.b) / before.chroma
      #expect(abs(across) < 0.003 && along > 0)
      #expect(abs((after.hue - before.hue).remainder(dividingBy: 360)) < 1)
    }
  }

  @Test(arguments: [RGBSpace.sRGB, .displayP3, .rec2020]) func chromaIsLoweredNoMoreThanNeeded(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    for color in Self.colors(outside: space) {
      // The result lies on the border: a channel that was outside is 0, or as good as.
      let result = compression(color)
      #expect(result.rgb.min() < 2e-5)
    }
  }

  @Test(arguments: [RGBSpace.sRGB, .displayP3, .rec2020]) func continuousAcrossTheBorder(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    for step in 0..<400 {
      // Around the border: one channel nearly 0, the others anywhere.
      let (p, q) = (Float(step % 20) / 20 + 0.02, Float(step / 20) / 20 + 0.02)
      for pixel in [SIMD3(0, p, q), SIMD3(p, 0, q), SIMD3(p, q, 0)] {
        for size: Float in [1e-6, 1e-5, 1e-4] {
          let direction = SIMD3<Float>(repeating: size).replacing(with: 0, where: pixel .> 0)
          let outside = compression(Pixel(rgb: pixel - direction, alpha: 1))
          let change = outside.rgb - pixel
          #expect((change * change).sum().squareRoot() < 60 * size + 2e-6)
        }
      }
    }
  }

  @Test(arguments: [RGBSpace.sRGB, .displayP3, .rec2020]) func gradientsDoNotTear(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    let toSpace = RGBSpace.sRGB.matrix(to: space) ?? .identity
    for degrees in stride(from: 0.0, to: 360, by: 3) {
      for lightness in [0.3, 0.45, 0.6] {
        var last: OKLab?
        for step in 0...300 {
          let (chroma, angle) = (Double(step) * 0.001, degrees * .pi / 180)
          let lab = OKLab(lightness, chroma * cos(angle), chroma * sin(angle))
          let rgb = SIMD3<Float>(toSpace * (RGBSpace.sRGB.fromXYZ * lab.xyz.vector))
          guard rgb.max() <= 1 else { break }
          let result = oklab(compression(Pixel(rgb: rgb, alpha: 1)), space)
          if let last {
            let change = result.vector - last.vector
            #expect((change * change).sum().squareRoot() < 0.007)
          }
          last = result
        }
      }
    }
  }

  @Test(arguments: spaces) func scalesWithLight(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    let color = Pixel(0.9, -0.2, 0.1, 1)
    let bright = compression(color)
    for scale: Float in [0.5, 1e-2, 1e-4, 1e-7] {
      let dark = compression(Pixel(rgb: color.rgb * scale, alpha: 1))
      #expect((dark.rgb - bright.rgb * scale).max() < 1e-5 * scale)
      #expect((dark.rgb - bright.rgb * scale).min() > -1e-5 * scale)
    }
  }

  @Test(arguments: spaces) func nothingButDarknessIsBlack(_ space: RGBSpace) {
    let compression = GamutCompression(space)
    for pixel in [
      Pixel(-1, -1, -1, 1), Pixel(-1e6, 0, 0, 1), Pixel(-1e-30, -1e-30, 0, 1), Pixel(-1e-9, -1e-9, -1e-9, 1),
    ] {
      #expect(compression(pixel) == Pixel(0, 0, 0, 1))
    }
  }
}

/// OKLab of linear RGB of a space, in double precision.
func oklab(_ pixel: Pixel, _ space: RGBSpace) -> OKLab {
  OKLab(XYZ(RGBSpace.sRGB.toXYZ * ((space.matrix(to: .sRGB) ?? .identity) * SIMD3<Double>(pixel.rgb))))
}
