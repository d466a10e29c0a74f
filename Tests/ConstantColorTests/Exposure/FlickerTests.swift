import ConstantColor
import Glibc
import Raster
import Testing

/// Lamps on alternating current, whose rows (or columns) differ between the frames.
@Suite struct FlickerTests {
  private static let period = 96.0

  /// A pair whose ambient frame is 1 / (ratio · (1 + wave)) of the ambient light.
  private func pair(
    amplitude: Float, isVertical: Bool = true, strength: Float = 0.5, phase: Double = 1, seed: UInt64 = 1
  ) -> SimulatedPair {
    var pair = SimulatedPair(
      .init(width: 400, height: 300, ratio: SIMD3(repeating: 0.8), strength: strength, seed: seed))
    for y in 0..<300 {
      for x in 0..<400 {
        let wave = sin(2 * Double.pi * Double(isVertical ? y : x) / Self.period + phase)
        let factor = expf(-amplitude * Float(wave))
        pair.ambient.pixels[y * 400 + x] *= Pixel(factor, factor, factor, 1)
      }
    }
    return pair
  }

  private func estimate(_ pair: SimulatedPair) -> ExposureRatio {
    ExposureRatio.estimate(
      flash: reduced(pair.flash, toAtMost: 120_000), ambient: reduced(pair.ambient, toAtMost: 120_000), prior: 0.8,
      priorUncertainty: 0.01)
  }

  @Test(arguments: [true, false], [0.03, 0.08] as [Float])
  func theWaveIsFoundInItsDirectionToAThirdOfItself(isVertical: Bool, amplitude: Float) throws {
    let found = estimate(pair(amplitude: amplitude, isVertical: isVertical))
    let flicker = try #require(found.flicker)
    #expect(flicker.isVertical == isVertical)
    #expect(abs(flicker.period / Self.period - 1) < 0.05)
    #expect(abs(found.green / 0.8 - 1) < 0.01)
    for place in stride(from: 5.0, to: isVertical ? 300 : 400, by: 17) {
      let truth = exp(Double(amplitude) * sin(2 * Double.pi * place / Self.period + 1))
      #expect(abs(Double(flicker.factor(at: place).y) / truth - 1) < 0.33 * Double(amplitude))
    }
  }

  @Test(arguments: [0.25, 0.5, 1, 3] as [Float], [1, 2, 3] as [UInt64])
  func steadyLightHasNone(strength: Float, seed: UInt64) {
    #expect(estimate(pair(amplitude: 0, strength: strength, seed: seed)).flicker == nil)
  }

  @Test func matchingTakesTheWaveOut() throws {
    let pair = pair(amplitude: 0.1)
    let ratio = estimate(pair)
    let steady = SimulatedPair(.init(width: 400, height: 300, ratio: SIMD3(repeating: 0.8), strength: 0.5))
    /// The root mean square distance from the ambient light in the flash frame.
    func error(_ ratio: ExposureRatio) -> Float {
      let matching = ExposureMatching(ratio, over: pair.flash.bounds)
      var matched = pair.ambient
      let bounds = matched.bounds
      matched.withMutablePixels { pixels in
        for band in bounds.bands(of: 7) {
          matching.apply(to: pixels.suffix(from: band.y * bounds.width, count: band.count), of: band)
        }
      }
      var sum: Float = 0
      for (one, other) in zip(matched.pixels, steady.ambient.pixels) {
        let difference = one.y - 0.8 * other.y
        sum += difference * difference
      }
      return (sum / Float(bounds.count)).squareRoot()
    }
    var plain = ratio
    plain.flicker = nil
    #expect(error(ratio) < 0.2 * error(plain))
  }

  @Test func textIsReadBackExactlyAndNonsenseIsNone() throws {
    let flicker = try #require(estimate(pair(amplitude: 0.08, isVertical: false)).flicker)
    #expect(Flicker(flicker.text) == flicker)
    for text in [
      "", "rows", "rows 10 0 0 0 0 0", "rows 0 0 0 0 0 0 0", "rows nan 0 0 0 0 0 0", "rows 100 9 0 0 0 0 0",
      "diagonal 100 0 0 0 0 0 0", "rows 100 0 0 0 0 0 0 0", "rows 100 inf 0 0 0 0 0", "rows 1e300 0 0 0 0 0 0",
    ] {
      #expect(Flicker(text) == nil, "\(text)")
    }
  }

  @Test func smallOrEmptyPicturesHaveNone() {
    for size in [0, 1, 7, 40] {
      let image = Image(Rectangle(width: size, height: size)) { _, _ in Pixel(0.5, 0.5, 0.5, 1) }
      let ratio = ExposureRatio.estimate(flash: reduced(image), ambient: reduced(image))
      #expect(ratio.flicker == nil)
    }
  }
}
