import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct ExposureRatioTests {
  @Test func textKeepsEverything() {
    var ratio = ExposureRatio(red: 1.1, green: 0.1 + 0.2, blue: 3e-5, relativeUncertainty: 0, source: .prior)
    #expect(ExposureRatio(ratio.text)?.channels == ratio.channels)
    ratio.flicker = Flicker("columns 12.5 0.1 0.2 0.3 -0.1 0 0.05")
    #expect(ratio.flicker != nil)
    #expect(ExposureRatio(ratio.text)?.flicker == ratio.flicker)
    for text in ["", "1 2", "1 2 0", "1 2 nan", "1 2 3 rows", "1 2 3 4"] {
      #expect(ExposureRatio(text) == nil, "\(text)")
    }
  }

  private func estimate(_ pair: SimulatedPair, prior: Double? = nil) -> ExposureRatio {
    ExposureRatio.estimate(flash: reduced(pair.flash), ambient: reduced(pair.ambient), prior: prior)
  }

  @Test(arguments: [0.25, 0.5] as [Float], [0.6, 1, 1.7] as [Float])
  func shadowsOfTheAmbientLightGiveTheRatioToOnePercent(strength: Float, ratio: Float) {
    let pair = SimulatedPair(.init(width: 480, height: 360, ratio: SIMD3(repeating: ratio), strength: strength))
    let found = estimate(pair)
    #expect(found.source == .ambientEdges)
    #expect(abs(found.green / Double(ratio) - 1) < 0.01)
    #expect(found.red == found.green && found.blue == found.green)
    #expect(found.relativeUncertainty < 0.02)
    #expect(!found.looksSwapped)
  }

  @Test(arguments: [0.25, 1, 3] as [Float], [0.3, 1] as [Float])
  func lightsOfTwoColoursGiveTheRatio(strength: Float, ratio: Float) {
    // Nothing but the flash's falloff and the patches: no shadow, no area without flash.
    let pair = SimulatedPair(
      .init(width: 480, height: 360, ratio: SIMD3(repeating: ratio), strength: strength, hasShadow: false, level: 0.2))
    let found = estimate(pair)
    // What counts is the error beside the flash's light.
    #expect(abs(found.green / Double(ratio) - 1) < 0.05 * Double(strength))
    #expect(found.source == .lightColours)
    #expect(abs(log(found.green / Double(ratio))) < 3 * found.relativeUncertainty)
  }

  @Test(arguments: [3, 4] as [Float]) func aStrongFlashBesideNoiseAndShadowsLeavesTheColours(strength: Float) {
    let pair = SimulatedPair(
      .init(
        width: 480, height: 360, ratio: SIMD3(repeating: 0.4), strength: strength,
        noise: NoiseModel(gain: SIMD3(repeating: 4e-4), floor: SIMD3(repeating: 4e-6)), level: 0.15))
    let found = estimate(pair)
    #expect(abs(found.green / 0.4 - 1) < 0.05 * Double(strength))
    #expect(abs(log(found.green / 0.4)) < 3 * found.relativeUncertainty)
  }

  @Test func areasWithoutFlashGiveEachChannelItsRatio() {
    let pair = SimulatedPair(
      .init(
        width: 480, height: 360, ratio: SIMD3(0.5, 0.4, 0.3), strength: 1, hasShadow: false, hasFlashFreeArea: true))
    let found = ExposureRatio.estimate(
      flash: reduced(pair.flash), ambient: reduced(pair.ambient), channels: .found)
    #expect(abs(found.red / 0.5 - 1) < 0.02)
    #expect(abs(found.green / 0.4 - 1) < 0.02)
    #expect(abs(found.blue / 0.3 - 1) < 0.02)
    #expect(found.source == .flashFree)
  }

  @Test(arguments: [0.5, 2] as [Float])
  func balancedOneByOneTheChannelsFollowGreensRatio(strength: Float) {
    // No shadow and no area without flash: the colours of the lights alone tell red and blue, once metadata tell green.
    let pair = SimulatedPair(
      .init(width: 480, height: 360, ratio: SIMD3(0.5, 0.4, 0.3), strength: strength, hasShadow: false, level: 0.2))
    let found = ExposureRatio.estimate(
      flash: reduced(pair.flash), ambient: reduced(pair.ambient), prior: 0.4, priorUncertainty: 0.01,
      channels: .independent)
    #expect(abs(found.green / 0.4 - 1) < 0.02)
    // What counts is the error beside the flash's light.
    #expect(abs(found.red / 0.5 - 1) < 0.1 * Double(strength))
    #expect(abs(found.blue / 0.3 - 1) < 0.1 * Double(strength))
    #expect(found.relativeUncertainty >= 0.03)
  }

  @Test func oneRatioStaysOneWhereTheChannelsMayDiffer() {
    let pair = SimulatedPair(.init(width: 480, height: 360, ratio: SIMD3(repeating: 0.7), strength: 0.5))
    let found = ExposureRatio.estimate(
      flash: reduced(pair.flash), ambient: reduced(pair.ambient), channels: .found)
    #expect(found.red == found.green && found.blue == found.green)
    #expect(abs(found.green / 0.7 - 1) < 0.01)
  }

  @Test func theAnswerDoesNotDependOnThreads() {
    let pair = SimulatedPair(.init(ratio: SIMD3(repeating: 0.6), hasShadow: false))
    let (flash, ambient) = (reduced(pair.flash), reduced(pair.ambient))
    let serial = ExposureRatio.estimate(flash: flash, ambient: ambient)
    #expect(serial == ExposureRatio.estimate(flash: flash, ambient: ambient, execution: .scattered))
  }

  @Test func areasWithoutFlashGiveTheRatio() {
    let pair = SimulatedPair(
      .init(
        width: 480, height: 360, ratio: SIMD3(repeating: 1.4), strength: 1, hasShadow: false, hasFlashFreeArea: true))
    let found = estimate(pair)
    #expect(abs(found.green / 1.4 - 1) < 0.01)
    #expect(found.source == .flashFree)
  }

  @Test(arguments: [0.25, 0.6] as [Float])
  func eachChannelHasItsOwnRatioAfterDifferentWhiteBalances(strength: Float) {
    let ratio = SIMD3<Float>(0.8, 1, 1.3)
    let pair = SimulatedPair(.init(width: 480, height: 360, ratio: ratio, strength: strength, hasPatches: false))
    let found = ExposureRatio.estimate(
      flash: reduced(pair.flash), ambient: reduced(pair.ambient), channels: .found)
    #expect(abs(found.red / 0.8 - 1) < 0.02)
    #expect(abs(found.green - 1) < 0.02)
    #expect(abs(found.blue / 1.3 - 1) < 0.02)
  }

  @Test func aPriorIsRefinedWherePossibleAndKeptElsewhere() {
    let shaded = SimulatedPair(.init(width: 480, height: 360, ratio: SIMD3(repeating: 1.04), strength: 0.5))
    #expect(abs(estimate(shaded, prior: 1).green / 1.04 - 1) < 0.01)
    let plain = SimulatedPair(.init(ratio: SIMD3(repeating: 1.3), hasShadow: false))
    let kept = estimate(plain, prior: 1.3)
    #expect(kept.source == .prior && abs(kept.green - 1.3) < 1e-9 && kept.relativeUncertainty >= 0.05)
  }

  @Test func aWallThatTheFlashReachesALittleDoesNotOverruleMetadata() {
    // Lights of one colour: an eighth of flash in the distance looks as an ambient frame of an eighth less exposure does.
    let pair = SimulatedPair(
      .init(
        width: 480, height: 360, ratio: SIMD3(repeating: 1.4), strength: 1, hasShadow: false, hasFlashFreeArea: true,
        ambientColor: SIMD3(0.65, 0.75, 0.8)))
    func found(prior: Double) -> Double {
      ExposureRatio.estimate(
        flash: reduced(pair.flash), ambient: reduced(pair.ambient), prior: prior, priorUncertainty: 0.025
      ).green
    }
    #expect(abs(found(prior: 1.25) / 1.25 - 1) < 0.03)
    // Where it is as near as metadata are sure, it refines them.
    #expect(found(prior: 1.37) > 1.377)
  }

  @Test func withoutAnyWitnessTheBoundHolds() {
    // Lights of one colour: their colours say nothing.
    let pair = SimulatedPair(
      .init(ratio: SIMD3(repeating: 0.3), strength: 0.5, hasShadow: false, ambientColor: SIMD3(0.65, 0.75, 0.8)))
    let found = estimate(pair)
    #expect(found.source == .bound)
    // Light is only added: the ratio is at most the lowest quotient, and not far below it.
    #expect(found.green > 0.25 && found.green < 0.45)
    #expect(found.relativeUncertainty >= 0.1)
  }

  @Test func swappedFramesAreNoticed() {
    let pair = SimulatedPair(.init(strength: 1))
    let swapped = ExposureRatio.estimate(flash: reduced(pair.ambient), ambient: reduced(pair.flash), prior: 1)
    #expect(swapped.looksSwapped)
    #expect(!estimate(pair, prior: 1).looksSwapped)
  }

  @Test func degenerateFramesGiveADefinedRatio() {
    let bounds = Rectangle(width: 64, height: 64)
    let pictures = [
      Image(bounds), Image(Rectangle(width: 0, height: 0)), Image(Rectangle(width: 1, height: 1)),
      Image(bounds) { _, _ in Pixel(repeating: .nan) }, Image(bounds) { _, _ in Pixel(repeating: 1) },
    ]
    for flash in pictures {
      for ambient in pictures {
        let found = ExposureRatio.estimate(flash: reduced(flash), ambient: reduced(ambient))
        #expect(found.source == .unknown && found.green == 1 && found.medianGain.isNaN && !found.looksSwapped)
        let given = ExposureRatio.estimate(flash: reduced(flash), ambient: reduced(ambient), prior: 2)
        #expect(given.source == .prior && abs(given.red - 2) < 1e-9)
      }
    }
  }
}
