import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct AmbientWhiteBalanceTests {
  private static let flashLight = SIMD3<Float>(0.65, 0.75, 0.8)

  private static func estimate(
    _ ambient: Image, _ flashOnly: Image?, matched: Image? = nil
  ) -> AmbientWhiteBalance {
    func small(_ image: Image, _ clipping: Reduction.Clipping) -> Reduction {
      reduced(image, toAtMost: AmbientWhiteBalance.mostCells, clipping: clipping)
    }
    return AmbientWhiteBalance.estimate(
      ambient: small(ambient, .voids), flashOnly: flashOnly.map { small($0, .counted) },
      matched: matched.map { small($0, .voids) }, noise: NoiseModel(gain: .zero, floor: .zero), neutral: flashLight)
  }

  /// The balanced frame, a grey surface as 1, 1, 1 times its brightness.
  private static func balanced(_ ambient: Image, _ balance: AmbientWhiteBalance) -> Image {
    var picture = ambient
    picture.withMutablePixels { balance.process(ambient.bounds, $0.readable, into: $0) }
    return Image(picture.bounds) { x, y in
      Pixel(rgb: picture[x, y].rgb / flashLight * 0.7375, alpha: picture[x, y].w)
    }
  }

  /// Two lamps whose light meets at the edge of a shadow, on patches of all colours; the flash reaches what `isLit` says.
  private static func mixed(isLit: (Int, Int) -> Bool = { _, _ in true }) -> (ambient: Image, flashOnly: Image) {
    let bounds = Rectangle(width: 240, height: 180)
    let ambient = Image(bounds) { x, y in
      let light = x < 120 ? SIMD3<Float>(0.4, 0.3, 0.15) : SIMD3<Float>(0.15, 0.25, 0.4)
      return Pixel(rgb: SimulatedPair.surface(x, y) * light, alpha: 1)
    }
    let flashOnly = Image(bounds) { x, y in
      isLit(x, y) ? Pixel(rgb: SimulatedPair.surface(x, y) * flashLight * 0.3, alpha: 1) : Pixel(0, 0, 0, 1.0 / 256)
    }
    return (ambient, flashOnly)
  }

  /// How far colours are from those of the surfaces, in the mean over a rectangle: the largest relative error of a channel.
  private static func error(_ picture: Image, _ area: Rectangle) -> Float {
    var sum: Float = 0
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        func tone(_ colour: SIMD3<Float>) -> SIMD3<Float> { colour / colour.sum() }
        let change = tone(picture[x, y].rgb) - tone(SimulatedPair.surface(x, y))
        sum += 3 * pointwiseMax(change, -change).max()
      }
    }
    return sum / Float(area.count)
  }

  @Test func eachLightIsBalancedByItself() {
    let pair = Self.mixed()
    let found = Self.estimate(pair.ambient, pair.flashOnly)
    #expect(found.method == .pair)
    let picture = Self.balanced(pair.ambient, found)
    for x in [4, 80, 126, 200] {
      let error = Self.error(picture, Rectangle(x: x, y: 10, width: 32, height: 160))
      #expect(error < 0.1, "\(x) \(error)")
    }
  }

  @Test func lightsGoOnWhereTheFlashDidNotReach() {
    let pair = Self.mixed { x, y in y < 90 && !(100..<140).contains(x) }
    let picture = Self.balanced(pair.ambient, Self.estimate(pair.ambient, pair.flashOnly))
    for x in [10, 200] {
      let error = Self.error(picture, Rectangle(x: x, y: 110, width: 30, height: 60))
      #expect(error < 0.06, "\(x) \(error)")
    }
  }

  @Test func theRoomsShadingStays() {
    let pair = SimulatedPair(.init(noise: NoiseModel(gain: .zero, floor: .zero)))
    let picture = Self.balanced(pair.ambient, Self.estimate(pair.ambient, pair.truth))
    for y in stride(from: 5, to: 180, by: 7) {
      for x in stride(from: 5, to: 240, by: 7) {
        let shade = SimulatedPair.shadow(x, y) * SimulatedPair.surface(x, y)
        let ratio = picture[x, y].rgb / shade / 0.35
        // The ambient light's brightness is 0.75 of its green's.
        #expect(ratio.min() > 0.7 && ratio.max() < 0.8, "\(x) \(y) \(ratio)")
      }
    }
  }

  @Test func mereNoiseKeepsItsColours() {
    let pair = Self.mixed()
    let noise = NoiseModel(gain: SIMD3(repeating: 1e-4), floor: SIMD3(repeating: 1e-6))
    var random = SimulatedNoise(seed: 3)
    let dark = Image(pair.ambient.bounds) { _, _ in Pixel(rgb: random.noisy(.zero, noise), alpha: 1) }
    let found = AmbientWhiteBalance.estimate(
      ambient: reduced(dark, toAtMost: AmbientWhiteBalance.mostCells),
      flashOnly: reduced(pair.flashOnly, toAtMost: AmbientWhiteBalance.mostCells, clipping: .counted), noise: noise)
    #expect(found.method == .none)
    #expect(found.gains == SIMD3(repeating: 1))
  }

  @Test func framesThatWereBalancedOneByOne() {
    let pair = Self.mixed()
    let camera = Pixel(0.5, 1, 1.4, 1)
    let ambient = Image(pair.ambient.bounds) { pair.ambient[$0, $1] * camera }
    let found = Self.estimate(ambient, pair.flashOnly, matched: pair.ambient)
    let error = Self.error(Self.balanced(ambient, found), Rectangle(x: 20, y: 20, width: 80, height: 140))
    #expect(error < 0.07, "\(error)")
  }

  @Test func clippedLampsAreWhite() {
    var pair = Self.mixed()
    for y in 60..<100 { for x in 40..<80 { pair.ambient.pixels[y * 240 + x] = Pixel(1, 1, 1, 1) } }
    // A bright wall in the lamp's light, of which red alone has reached its end.
    for y in 60..<100 { for x in 80..<100 { pair.ambient.pixels[y * 240 + x] = Pixel(1, 0.8, 0.4, 1) } }
    let picture = Self.balanced(pair.ambient, Self.estimate(pair.ambient, pair.flashOnly))
    for x in [60, 90] {
      let colour = picture[x, 80].rgb
      #expect(colour.max() / colour.min() < 1.02 && colour.min() > 0.7, "\(x) \(colour)")
    }
  }
  @Test func gainsUndoTheAmbientLightWhateverTheSurfaces() {
    let pair = SimulatedPair(.init(hasShadow: true))
    let found = Self.estimate(pair.ambient, pair.truth)
    #expect(found.method == .pair)
    // The simulator's lights: ambient (1, 0.75, 0.5), flash (0.65, 0.75, 0.8).
    let light = SIMD3<Float>(1 / 0.65, 1, 0.5 / 0.8)
    let error = found.ambientLight / light
    #expect(error.min() > 0.98 && error.max() < 1.02, "\(error)")
    // A grey card gets the flash's colour.
    var card = Image(Rectangle(width: 1, height: 1)) { _, _ in Pixel(0.2, 0.15, 0.1, 1) }
    card.withMutablePixels { found.process(Rectangle(x: 120, y: 90, width: 1, height: 1), $0.readable, into: $0) }
    let balanced = card[0, 0].rgb / SIMD3(0.65, 0.75, 0.8)
    #expect(balanced.max() / balanced.min() < 1.04)
  }

  @Test func brightnessStays() {
    let pair = SimulatedPair(.init())
    let found = Self.estimate(pair.ambient, pair.truth)
    var balanced = pair.ambient
    balanced.withMutablePixels { found.process(pair.ambient.bounds, $0.readable, into: $0) }
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
    #expect(found.method == .shadesOfGrey)
    let light = found.ambientLight / SIMD3<Float>(1 / 0.75, 1, 0.5 / 0.75)
    #expect(light.min() > 0.97 && light.max() < 1.03)
  }

  @Test func nothingGivesNoChange() {
    for image in [
      Image(Rectangle(width: 0, height: 0)), Image(Rectangle(width: 8, height: 8)),
      Image(Rectangle(width: 8, height: 8)) { _, _ in Pixel(repeating: .nan) },
    ] {
      let found = AmbientWhiteBalance.estimate(ambient: reduced(image), flashOnly: nil)
      #expect(found == AmbientWhiteBalance(gains: SIMD3(repeating: 1), method: .none))
    }
    var bad = Image(Rectangle(width: 1, height: 1)) { _, _ in Pixel(.nan, 0.5, .infinity, .nan) }
    bad.withMutablePixels {
      AmbientWhiteBalance(gains: SIMD3(repeating: 1)).process(Rectangle(width: 1, height: 1), $0.readable, into: $0)
    }
    #expect(bad[0, 0] == Pixel(0, 0.5, 0, 0))
  }
}

/// Deep orange light, in which an 8-bit file has next to no blue.
@Suite struct ColouredLightTests {
  private static let light = SIMD3<Float>(0.25, 0.08, 0.0006)
  private static let bounds = Rectangle(width: 128, height: 128)

  /// Rounded to eight bits with the sRGB curve.
  private static func rounded(_ colour: SIMD3<Float>) -> SIMD3<Float> {
    func channel(_ v: Float) -> Float {
      let code = v <= 0.0031308 ? 12.92 * v : 1.055 * powf(v, 1 / 2.4) - 0.055
      let u = (max(0, min(code, 1)) * 255).rounded() / 255
      return u <= 0.04045 ? u / 12.92 : powf((u + 0.055) / 1.055, 2.4)
    }
    return SIMD3(channel(colour.x), channel(colour.y), channel(colour.z))
  }

  private static let noise = NoiseModel(gain: SIMD3(repeating: 2e-5), floor: SIMD3(repeating: 2e-8))

  private static func frame(_ seed: UInt64, _ value: (Int, Int) -> SIMD3<Float>) -> Image {
    var random = SimulatedNoise(seed: seed)
    return Image(bounds) { x, y in Pixel(rgb: rounded(random.noisy(value(x, y), noise)), alpha: 1) }
  }

  @Test func theFallbackHasNoColouredNoise() {
    let ambient = Self.frame(1) { _, _ in Self.light }
    var balance = AmbientWhiteBalance(gains: 0.1 / Self.light)
    var picture = ambient
    balance.noise = Self.noise
    picture.withMutablePixels { balance.process(Self.bounds, $0.readable, into: $0) }
    let (mean, deviation) = (statistics(picture, Self.bounds).mean, statistics(picture, Self.bounds).deviation)
    let plain = statistics(ambient, Self.bounds).deviation.z * balance.gains.z
    #expect(deviation.z < 0.2 * plain, "\(deviation.z) \(plain)")
    #expect(mean.max() / mean.min() < 1.1, "\(mean)")
  }

  @Test func channelsThatTellKeepTheirColour() {
    // A saturated red in white light, at small gains: its dark channels are known to be dark.
    var picture = Image(Rectangle(width: 3, height: 1)) { _, _ in Pixel(0.5, 0.03, 0.01, 1) }
    let before = picture[0, 0].rgb
    picture.withMutablePixels {
      AmbientWhiteBalance(gains: SIMD3(1.2, 1, 0.8)).process(Rectangle(width: 3, height: 1), $0.readable, into: $0)
    }
    let change = picture[2, 0].rgb - before * SIMD3(1.2, 1, 0.8)
    #expect(pointwiseMax(change, -change).max() < 0.01 * 1.2 * before.x, "\(change)")
  }

  @Test func theFlashsOwnShadowIsNeutralAndNotBlack() {
    // A grey wall, lit by the flash except in a stripe, where its difference is all but lost.
    func flashLight(_ x: Int) -> Float { abs(x - 64) < 8 ? 0.001 : 0.15 }
    let ambient = Self.frame(2) { _, _ in Self.light }
    let flash = Self.frame(3) { x, _ in Self.light + flashLight(x) * SIMD3(1, 1, x > 55 && x < 73 ? 0 : 1) }
    let result = SimulatedPair.estimate(flash, ambient, noise: Self.noise).picture
    let shadow = statistics(result, Rectangle(x: 60, y: 16, width: 8, height: 96)).mean
    let wall = statistics(result, Rectangle(x: 16, y: 16, width: 24, height: 96)).mean
    #expect(wall.max() / wall.min() < 1.05 && abs(wall.y / 0.15 - 1) < 0.05, "\(wall)")
    #expect(shadow.max() / shadow.min() < 1.35, "\(shadow)")
    #expect(shadow.min() > 0.0005 && shadow.y < 0.3 * wall.y, "\(shadow)")
  }

  @Test func theWhiteOfTheConfidenceFollowsTheFrame() {
    let identity: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
    for strength in [0.05, 0.2, 0.8] as [Float] {
      // A tenth of the picture is white paper of 85 %.
      let flash = Image(Self.bounds) { x, _ in Pixel(0.1, 0.1, 0.1, 1) + (x < 13 ? 0.85 : 0.2) * strength }
      let ambient = Image(Self.bounds) { _, _ in Pixel(repeating: 0.1) }
      let white = Confidence.white(flash: reduced(flash), ambient: reduced(ambient), matrix: identity)
      #expect(abs(white / strength - 1) < 0.01)
    }
  }
}
