import ColorScience
import ConstantColor
import Glibc
import Raster
import Testing

/// Surfaces as a simulated camera sees them: camera RGB is neutral · colour · brightness.
private struct SimulatedScene {
  static let model = try? CameraColorModel(
    colorMatrix: Matrix3(
      SIMD3(0.9902, -0.248, -0.1025), SIMD3(-0.4775, 1.1944, 0.2384), SIMD3(-0.1816, 0.2941, 0.6718)))

  static func neutral(_ kelvin: Double, duv: Double = 0.002) throws -> SIMD3<Double> {
    let white = try #require(CorrelatedColorTemperature(kelvin: kelvin, duv: duv).chromaticity)
    let neutral = try #require(model?.neutral(of: white))
    return neutral / neutral.y
  }

  /// Eight greys of different brightness, each with a tint of up to 3 % as paints and papers have it, and colours all
  /// round, unevenly large; each surface with shading.
  static func picture(_ neutral: SIMD3<Double>, greys: Int = 8, ambientNoise: Double = 0) -> Image {
    var state: UInt64 = 77
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    var pixels: [Pixel] = []
    for surface in 0..<24 {
      let isGrey = surface < greys
      let color =
        isGrey
        ? SIMD3(exp(0.06 * (random() - 0.5)), 1, exp(0.06 * (random() - 0.5)))
        : SIMD3(exp(0.12 + 1.2 * (random() - 0.5)), 1, exp(-0.1 + 1.2 * (random() - 0.5)))
      let brightness = 0.1 + 0.7 * random()
      for _ in 0..<(20 + Int(200 * random() * random())) {
        let shading = 0.4 + 0.6 * random()
        var rgb = neutral * color * (brightness * shading)
        rgb += ambientNoise * SIMD3(random() - 0.5, random() - 0.5, random() - 0.5)
        pixels.append(Pixel(rgb: SIMD3<Float>(rgb), alpha: 1))
      }
    }
    return image(pixels)
  }

  static func image(_ pixels: [Pixel]) -> Image {
    var image = Image(Rectangle(width: pixels.count, height: 1))
    image.pixels = pixels
    return image
  }

  static func estimate(_ picture: Image) throws -> FlashWhiteEstimate {
    let model = try #require(model)
    return try #require(FlashWhiteEstimate.estimate(picture) { model.neutral(of: $0) })
  }

  static func error(_ estimate: FlashWhiteEstimate, _ neutral: SIMD3<Double>) -> Double {
    let ratio = estimate.neutral / neutral
    return max(abs(log(ratio.x)), abs(log(ratio.z)))
  }
}

@Suite struct FlashWhiteEstimateTests {
  @Test(arguments: [2800.0, 3300, 4100, 4600, 5000, 5200, 5800, 6600]) func greysTellTheWhite(_ kelvin: Double) throws {
    let neutral = try SimulatedScene.neutral(kelvin)
    let estimate = try SimulatedScene.estimate(SimulatedScene.picture(neutral))
    #expect(SimulatedScene.error(estimate, neutral) < (kelvin < 3300 ? 0.06 : 0.035))
    #expect(estimate.neutral.y == 1)
    let found = try #require(CorrelatedColorTemperature(estimate.white))
    #expect(abs(1e6 / found.kelvin - 1e6 / kelvin) < 12)
  }

  @Test func nothingSeenLeavesWhatIsUsual() throws {
    for picture in [
      Image(Rectangle(width: 0, height: 0)), Image(Rectangle(width: 5, height: 5)),
      SimulatedScene.image([
        Pixel(.nan, 1, 1, 1), Pixel(-1, 0.5, 0.2, 1), Pixel(0.2, .infinity, 1, 1), Pixel(1, 1, 1, 0),
      ]),
    ] {
      let estimate = try SimulatedScene.estimate(picture)
      let found = try #require(CorrelatedColorTemperature(estimate.white))
      #expect(abs(1e6 / found.kelvin - FlashWhitePrior.usual.mired) < 8)
      #expect(estimate.miredDeviation > 20)
    }
  }

  @Test func oneColourSaysLittle() throws {
    let neutral = try SimulatedScene.neutral(5400)
    let red = SimulatedScene.image(
      [Pixel](repeating: Pixel(rgb: SIMD3<Float>(neutral * SIMD3(2, 1, 0.5) * 0.3), alpha: 1), count: 500))
    let alone = try SimulatedScene.estimate(red)
    #expect(SimulatedScene.error(alone, neutral) < 0.15)
    let rich = try SimulatedScene.estimate(SimulatedScene.picture(neutral))
    #expect(rich.expectedError < 0.6 * alone.expectedError && rich.miredDeviation < alone.miredDeviation)
  }

  @Test func aLargeWallCountsAboutOnce() throws {
    let neutral = try SimulatedScene.neutral(5000)
    let scene = SimulatedScene.picture(neutral)
    let wall = [Pixel](
      repeating: Pixel(rgb: SIMD3<Float>(neutral * SIMD3(1.6, 1, 0.6) * 0.4), alpha: 1), count: 20 * scene.pixels.count)
    let estimate = try SimulatedScene.estimate(SimulatedScene.image(scene.pixels + wall))
    // The mean of the picture is off by 0.45.
    #expect(SimulatedScene.error(estimate, neutral) < 0.1)
  }

  @Test func brightnessAndNoiseSayNothing() throws {
    let neutral = try SimulatedScene.neutral(5000)
    let picture = SimulatedScene.picture(neutral)
    let first = try SimulatedScene.estimate(picture)
    let dark = try SimulatedScene.estimate(
      SimulatedScene.image(picture.pixels.map { Pixel(rgb: 0.01 * $0.rgb, alpha: $0.w) }))
    #expect(SimulatedScene.error(dark, first.neutral) < 1e-4)
    let noisy = try SimulatedScene.estimate(SimulatedScene.picture(neutral, ambientNoise: 0.02))
    #expect(SimulatedScene.error(noisy, first.neutral) < 0.03)
  }

  @Test func aCameraWithoutModelHasNoEstimate() {
    #expect(FlashWhiteEstimate.estimate(Image(Rectangle(width: 3, height: 3))) { _ in nil } == nil)
    #expect(FlashWhiteEstimate.estimate(Image(Rectangle(width: 3, height: 3))) { _ in SIMD3(1, 0, .nan) } == nil)
  }
}
