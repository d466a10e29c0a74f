import ConstantColor
import Raster
import Testing

@Suite struct AmbientSubtractionTests {
  private func subtract(_ flash: Pixel, _ ambient: Pixel?, ratio: SIMD3<Float> = SIMD3(1, 2, 3)) -> Pixel {
    let bounds = Rectangle(width: 1, height: 1)
    let flash = Image(bounds) { _, _ in flash }
    var result = Image(bounds)
    result.withMutablePixels { output in
      flash.withPixels { flash in
        if let ambient {
          Image(bounds) { _, _ in ambient }.withPixels {
            AmbientSubtraction(ratio: ratio).process(flash: flash, ambient: $0, into: output)
          }
        } else {
          AmbientSubtraction(ratio: ratio).process(flash: flash, ambient: nil, into: output)
        }
      }
    }
    return result[0, 0]
  }

  @Test func differencesAreSignedAndKeepTrust() {
    #expect(subtract(Pixel(0.5, 0.5, 0.5, 1), Pixel(0.25, 0.25, 0.25, 0.5)) == Pixel(0.25, 0, -0.25, 0.5))
    #expect(subtract(Pixel(0.5, 1.5, -0.5, 1), nil) == Pixel(0.5, 1.5, -0.5, 1))
    #expect(subtract(Pixel(0.5, 0.5, 0.5, 1), Pixel(9, 9, 9, 0)) == Pixel(0.5, 0.5, 0.5, 0))
  }

  @Test func undefinedNumbersBecomeUntrustedZeros() {
    #expect(subtract(Pixel(.nan, 0.5, 0.5, 1), Pixel(0, 0, 0, 1)) == Pixel(0, 0.5, 0.5, 0))
    #expect(subtract(Pixel(0.5, 0.5, 0.5, 1), Pixel(.infinity, 0, 0, 1)) == Pixel(0, 0.5, 0.5, 0))
    #expect(subtract(Pixel(0.5, 0.5, 0.5, 1), Pixel(0.1, 0.1, 0.1, .nan)) == Pixel(0.5, 0.5, 0.5, 0))
    #expect(subtract(Pixel(0.5, 0.5, 0.5, 1), Pixel(1, 1, 1, 1), ratio: SIMD3(.nan, 0, 1)) == Pixel(0.5, 0.5, -0.5, 1))
  }
}
