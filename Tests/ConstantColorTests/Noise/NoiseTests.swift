import ConstantColor
import Raster
import Testing

@Suite struct NoiseTests {
  private func frame(_ model: NoiseModel, texture: Float = 0) -> Image {
    var random = SimulatedNoise(seed: 7)
    return Image(Rectangle(width: 640, height: 480)) { x, y in
      let level = 0.01 + 0.8 * Float(x) / 640
      // Texture covers the lower half.
      let detail = y > 240 ? texture * Float((x * 7 + y * 13) % 5 - 2) : 0
      let value = SIMD3<Float>(1, 0.8, 0.6) * level * (1 + detail)
      return Pixel(rgb: random.noisy(value, model), alpha: 1)
    }
  }

  @Test(arguments: [0, 0.05] as [Float])
  func modelIsFoundToTwentyPercent(texture: Float) {
    let truth = NoiseModel(gain: SIMD3(1e-4, 2e-4, 4e-4), floor: SIMD3(1e-6, 2e-6, 4e-6))
    let found = NoiseEstimation.estimate(frame(truth, texture: texture))
    for level in [0.03, 0.1, 0.4] as [Float] {
      let ratio = found.variance(SIMD3(repeating: level)) / truth.variance(SIMD3(repeating: level))
      #expect(ratio.min() > 0.75 && ratio.max() < 1.3, "\(ratio) at \(level)")
    }
  }

  @Test func differenceAddsVariances() {
    let flash = NoiseModel(gain: SIMD3(repeating: 1e-4), floor: SIMD3(repeating: 1e-6))
    let ambient = NoiseModel(gain: SIMD3(repeating: 2e-4), floor: SIMD3(repeating: 3e-6))
    let variance = flash.variance(
      ofDifference: SIMD3(repeating: 0.5), ambient: SIMD3(repeating: 0.1), ambientNoise: ambient,
      ratio: SIMD3(1, 2, 3))
    #expect(abs(variance.x - 7.4e-5) < 1e-9)
    #expect(abs(variance.y - (5.1e-5 + 4 * 2.3e-5)) < 1e-9)
    // The model of the matched frame says the same of matched values.
    let matched = ambient.scaled(by: SIMD3(repeating: 2))
    #expect(abs(matched.variance(SIMD3(repeating: 0.2)).x - 4 * 2.3e-5) < 1e-9)
  }

  @Test func degenerateFramesGiveFiniteNoise() {
    for image in [
      Image(Rectangle(width: 0, height: 0)), Image(Rectangle(width: 1, height: 1)),
      Image(Rectangle(width: 64, height: 64)),
      Image(Rectangle(width: 64, height: 64)) { _, _ in Pixel(repeating: .nan) },
    ] {
      let model = NoiseEstimation.estimate(image)
      let variance = model.variance(SIMD3(0, 0.5, 2))
      #expect(variance.min() >= 0 && variance.max() < 1)
    }
  }

  @Test func threadsDoNotMatter() {
    let image = frame(.eightBitSRGB)
    #expect(NoiseEstimation.estimate(image) == NoiseEstimation.estimate(image, execution: .scattered))
  }
}
