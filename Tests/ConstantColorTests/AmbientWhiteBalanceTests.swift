import ConstantColor
import Raster
import Testing

@Suite struct AmbientWhiteBalanceTests {
  @Test func gainsUndoTheAmbientLightWhateverTheSurfaces() {
    let pair = SimulatedPair(.init(hasShadow: true))
    let found = AmbientWhiteBalance.estimate(ambient: reduced(pair.ambient), flashOnly: reduced(pair.truth))
    #expect(found.source == .trustedPixels)
    // The simulator's lights: ambient (1, 0.75, 0.5), flash (0.65, 0.75, 0.8).
    let light = SIMD3<Float>(1 / 0.65, 1, 0.5 / 0.8)
    let error = found.ambientLight / light
    #expect(error.min() > 0.98 && error.max() < 1.02, "\(error)")
    // A grey card gets the flash's colour.
    var card = Image(Rectangle(width: 1, height: 1)) { _, _ in Pixel(0.2, 0.15, 0.1, 1) }
    card.withMutablePixels { found.process($0.readable, into: $0) }
    let balanced = card[0, 0].rgb / SIMD3(0.65, 0.75, 0.8)
    #expect(balanced.max() / balanced.min() < 1.04)
  }

  @Test func brightnessStays() {
    let pair = SimulatedPair(.init())
    let found = AmbientWhiteBalance.estimate(ambient: reduced(pair.ambient), flashOnly: reduced(pair.truth))
    var balanced = pair.ambient
    balanced.withMutablePixels { found.process($0.readable, into: $0) }
    func brightness(_ image: Image) -> Float {
      let mean = statistics(image, image.bounds).mean
      return mean.x * 0.25 + mean.y * 0.5 + mean.z * 0.25
    }
    #expect(abs(brightness(balanced) / brightness(pair.ambient) - 1) < 0.01)
  }

  @Test func withoutFlashLightItIsShadesOfGrey() {
    let pair = SimulatedPair(.init(hasPatches: false))
    let found = AmbientWhiteBalance.estimate(
      ambient: reduced(pair.ambient), flashOnly: Reduction(image: Image(pair.ambient.bounds)))
    #expect(found.source == .shadesOfGrey)
    let light = found.ambientLight / SIMD3<Float>(1 / 0.75, 1, 0.5 / 0.75)
    #expect(light.min() > 0.97 && light.max() < 1.03)
  }

  @Test func nothingGivesNoChange() {
    for image in [
      Image(Rectangle(width: 0, height: 0)), Image(Rectangle(width: 8, height: 8)),
      Image(Rectangle(width: 8, height: 8)) { _, _ in Pixel(repeating: .nan) },
    ] {
      let found = AmbientWhiteBalance.estimate(ambient: reduced(image), flashOnly: nil)
      #expect(found == AmbientWhiteBalance(gains: SIMD3(repeating: 1), source: .none))
    }
    var bad = Image(Rectangle(width: 1, height: 1)) { _, _ in Pixel(.nan, 0.5, .infinity, .nan) }
    bad.withMutablePixels { AmbientWhiteBalance(gains: SIMD3(repeating: 1)).process($0.readable, into: $0) }
    #expect(bad[0, 0] == Pixel(0, 0.5, 0, 0))
  }
}
