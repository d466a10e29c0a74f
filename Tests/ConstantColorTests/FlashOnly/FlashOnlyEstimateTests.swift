import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct FlashOnlyEstimateTests {
  private static let noisy = NoiseModel(gain: SIMD3(repeating: 4e-4), floor: SIMD3(repeating: 4e-6))

  /// A flat grey wall whose right half is black; the ambient light shines on both.
  private func wall(_ level: Float, _ ambientLevel: Float, noise: NoiseModel) -> (flash: Image, ambient: Image) {
    var random = SimulatedNoise(seed: 11)
    let bounds = Rectangle(width: 160, height: 160)
    let light = SIMD3<Float>(1, 0.7, 0.4) * ambientLevel
    let ambient = Image(bounds) { x, _ in Pixel(rgb: random.noisy(light * (x < 80 ? 1 : 0.02), noise), alpha: 1) }
    let flash = Image(bounds) { x, _ in
      let surface: Float = x < 80 ? 1 : 0.02
      return Pixel(rgb: random.noisy(light * surface + surface * level, noise), alpha: 1)
    }
    return (flash, ambient)
  }

  @Test func noiseFallsAndColoursStayUnbiased() {
    let (flash, ambient) = wall(0.2, 0.3, noise: Self.noisy)
    let result = SimulatedPair.estimate(flash, ambient, noise: Self.noisy)
    let area = Rectangle(x: 20, y: 20, width: 40, height: 120)
    let before = statistics(result.difference, area)
    let after = statistics(result.picture, area)
    #expect((after.deviation / before.deviation).max() < 0.3)
    #expect(((after.mean - 0.2) / 0.2).max() < 0.01 && ((after.mean - 0.2) / 0.2).min() > -0.01)
    // Colour is smoother than brightness.
    let colour = Image(result.picture.bounds) { x, y in
      let p = result.picture[x, y]
      return Pixel(p.x / p.y, 1, p.z / p.y, 1)
    }
    #expect(statistics(colour, area).deviation.max() < 0.012)
    // Dark: signal 0.004 under noise of 0.004. Cutting off negatives would add 0.4 of the noise.
    let dark = Rectangle(x: 105, y: 20, width: 40, height: 120)
    let noise = statistics(result.difference, dark).deviation
    let bias = (statistics(result.picture, dark).mean - 0.004) / noise
    #expect(pointwiseMax(bias, -bias).max() < 0.1, "\(bias)")
  }

  @Test func strongTextureStaysAsItIs() {
    let quiet = NoiseModel(gain: SIMD3(repeating: 1e-7), floor: SIMD3(repeating: 1e-10))
    var random = SimulatedNoise(seed: 3)
    let bounds = Rectangle(width: 96, height: 96)
    let ambient = Image(bounds) { _, _ in Pixel(0.05, 0.04, 0.02, 1) }
    let flash = Image(bounds) { x, y in
      let texture = 0.3 + 0.1 * random.uniform()
      return Pixel(texture + 0.05, texture * 0.8 + 0.04, texture * 0.6 + 0.02, 1)
    }
    let result = SimulatedPair.estimate(flash, ambient, noise: quiet)
    for (before, after) in zip(result.difference.pixels, result.picture.pixels) {
      let change = (after.rgb - before.rgb) / before.rgb
      #expect(pointwiseMax(change, -change).max() < 0.01)
    }
  }

  @Test func aShadowOfTheAmbientLightVanishes() {
    let noise = NoiseModel(gain: SIMD3(repeating: 1e-5), floor: SIMD3(repeating: 1e-7))
    var random = SimulatedNoise(seed: 5)
    let bounds = Rectangle(width: 128, height: 96)
    let light = SIMD3<Float>(0.4, 0.3, 0.2)
    func shade(_ x: Int) -> Float { x < 64 ? 1 : 0.3 }
    let ambient = Image(bounds) { x, _ in Pixel(rgb: random.noisy(light * shade(x), noise), alpha: 1) }
    let flash = Image(bounds) { x, _ in Pixel(rgb: random.noisy(light * shade(x) + 0.1, noise), alpha: 1) }
    let result = SimulatedPair.estimate(flash, ambient, noise: noise).picture
    for x in stride(from: 20, to: 108, by: 2) {
      let column = statistics(result, Rectangle(x: x, y: 20, width: 2, height: 56)).mean
      let error = (column - 0.1) / 0.1
      #expect(pointwiseMax(error, -error).max() < 0.015, "column \(x)")
    }
  }

  /// In a dark room the ambient frame is noise around black, below which half of it lies: nothing may be filled from it.
  @Test func aDarkRoomLeavesTheFlashFrame() {
    let noise = NoiseModel(gain: SIMD3(repeating: 1e-4), floor: SIMD3(repeating: 1e-6))
    var random = SimulatedNoise(seed: 9)
    let bounds = Rectangle(width: 240, height: 180)
    let colour = SIMD3<Float>(0.2, 0.45, 0.25)
    let ambient = Image(bounds) { _, _ in Pixel(rgb: random.noisy(.zero, noise), alpha: 1) }
    let flash = Image(bounds) { x, y in
      let surface: Float = (x / 30 + y / 30) % 2 == 0 ? 1 : 0.15
      return Pixel(rgb: random.noisy(colour * surface, noise), alpha: 1)
    }
    let result = SimulatedPair.estimate(flash, ambient, noise: noise)
    // Ten times the noise of a bright pixel; at the squares' corners averaging may move a few further.
    let changes = zip(result.difference.pixels, result.picture.pixels).map { before, after in
      pointwiseMax(after.rgb - before.rgb, before.rgb - after.rgb).max()
    }
    #expect(changes.filter { $0 > 0.06 }.count < 50, "\(changes.max() ?? 0)")
    for x in stride(from: 5, to: 210, by: 30) {
      let square = Rectangle(x: x, y: 5, width: 20, height: 20)
      let surface: Float = x / 30 % 2 == 0 ? 1 : 0.15
      let error = (statistics(result.picture, square).mean - colour * surface) / (colour * surface)
      #expect(pointwiseMax(error, -error).max() < 0.02, "\(error)")
    }
  }

  @Test func missingAmbientDataIsFilledWithoutASeam() {
    let (flash, original) = wall(0.2, 0.3, noise: .eightBitSRGB)
    var ambient = original
    for y in 60..<100 { for x in 20..<50 { ambient.pixels[y * 160 + x] = Pixel(0.9, 0.9, 0.9, 0) } }
    let result = SimulatedPair.estimate(flash, ambient, noise: .eightBitSRGB).picture
    let inside = statistics(result, Rectangle(x: 22, y: 62, width: 26, height: 36)).mean
    #expect(pointwiseMax(inside - 0.2, 0.2 - inside).max() < 0.02, "\(inside)")
    #expect(abs(result[35, 80].w - 0.00390625) < 0.001)
    #expect(result[10, 80].w > 0.9)
    for x in 15..<54 { #expect(abs(result[x + 1, 80].y - result[x, 80].y) < 0.02) }
  }

  @Test func aWindowThatTheAmbientFrameClipsStaysColourless() {
    // The flash lights the left; on the right is a window, around which a tone curve has made the ambient frame too bright.
    let bounds = Rectangle(width: 192, height: 128)
    let room = SIMD3<Float>(0.4, 0.3, 0.2)
    func isWindow(_ x: Int, _ y: Int, rim: Int) -> Bool {
      (120 - rim..<172 + rim).contains(x) && (40 - rim..<90 + rim).contains(y)
    }
    let ambient = Image(bounds) { x, y in
      if isWindow(x, y, rim: 0) { return Pixel(1, 1, 0.9, 0) }
      return Pixel(rgb: isWindow(x, y, rim: 4) ? SIMD3(0.95, 0.97, 0.85) : room, alpha: 1)
    }
    let flash = Image(bounds) { x, y in
      let added: Float = x < 96 ? 0.2 : 0.004
      return Pixel(rgb: isWindow(x, y, rim: 4) ? SIMD3(0.92, 0.9, 0.88) : room + added, alpha: 1)
    }
    let result = SimulatedPair.estimate(flash, ambient, noise: .eightBitSRGB).picture
    for y in stride(from: 44, to: 88, by: 2) {
      for x in stride(from: 124, to: 168, by: 2) {
        let colour = result[x, y].rgb
        #expect(colour.min() > 0 && colour.max() < 0.1, "(\(x), \(y)): \(colour)")
        // The flash is white, and the room's light is taken out of it.
        #expect(colour.max() < 2.5 * colour.min(), "(\(x), \(y)): \(colour)")
      }
    }
  }

  @Test func whereTheFlashIsLostInNoiseTheAmbientFrameFillsIn() {
    // The right half is so far away that 0.1 % of the flash arrives.
    var random = SimulatedNoise(seed: 9)
    let bounds = Rectangle(width: 192, height: 128)
    let noise = Self.noisy
    let light = SIMD3<Float>(0.4, 0.25, 0.1)
    let ambient = Image(bounds) { _, _ in Pixel(rgb: random.noisy(light, noise), alpha: 1) }
    let flash = Image(bounds) { x, _ in Pixel(rgb: random.noisy(light + (x < 96 ? 0.3 : 0.0003), noise), alpha: 1) }
    let result = SimulatedPair.estimate(flash, ambient, noise: noise)
    let far = Rectangle(x: 130, y: 16, width: 50, height: 96)
    let before = statistics(result.difference, far)
    let after = statistics(result.picture, far)
    #expect(after.deviation.max() < 0.25 * before.deviation.max())
    #expect(pointwiseMax(after.mean, -after.mean).max() < 0.01)
    #expect(result.picture[150, 64].w < 0.6)
  }

  @Test func clippedHighlightsAreWhiteAndBright() {
    let bounds = Rectangle(width: 96, height: 96)
    let ambient = Image(bounds) { _, _ in Pixel(0.3, 0.15, 0.05, 1) }
    let flash = Image(bounds) { x, y in
      let distance = Float((x - 48) * (x - 48) + (y - 48) * (y - 48)).squareRoot()
      let glare = 3 * max(0, 1 - distance / 20)
      let value = SIMD3<Float>(0.3, 0.15, 0.05) + 0.2 + glare
      return Pixel(rgb: pointwiseMin(value, SIMD3(repeating: 1)), alpha: 1)
    }
    let result = SimulatedPair.estimate(flash, ambient, noise: .eightBitSRGB)
    for y in 38..<58 {
      for x in 38..<58 {
        let (colour, difference) = (result.picture[x, y].rgb, result.difference[x, y].rgb)
        #expect(colour.min() / colour.max() > 0.93, "(\(x), \(y)): \(colour)")
        #expect((colour - difference).min() > -1e-4)
        #expect(result.picture[x, y].w <= 0.01)
      }
    }
    #expect(abs(result.picture[4, 4].x - 0.2) < 0.002)
  }

  @Test func piecesAndThreadsGiveTheSameBits() {
    let pair = SimulatedPair(.init(width: 300, height: 280, noise: Self.noisy))
    let whole = SimulatedPair.estimate(pair.flash, pair.ambient, noise: Self.noisy)
    let scattered = SimulatedPair.estimate(pair.flash, pair.ambient, noise: Self.noisy, execution: .scattered)
    #expect(whole.picture.pixels == scattered.picture.pixels)
    for area in [
      Rectangle(x: 0, y: 0, width: 37, height: 280), Rectangle(x: 37, y: 101, width: 263, height: 61),
      Rectangle(x: 299, y: 279, width: 1, height: 1), Rectangle(x: 130, y: 7, width: 3, height: 200),
    ] {
      var piece = Image(area)
      piece.withMutablePixels {
        whole.kernel.process(area, difference: whole.difference, flash: pair.flash, ambient: pair.ambient, into: $0)
      }
      #expect(piece.pixels == whole.picture.image(area).pixels)
    }
  }

  @Test func undefinedNumbersDoNotSpread() {
    let (cleanFlash, ambient) = wall(0.2, 0.3, noise: .eightBitSRGB)
    var flash = cleanFlash
    flash.pixels[80 * 160 + 40] = Pixel(repeating: .nan)
    flash.pixels[20 * 160 + 40] = Pixel(.infinity, 0, 0, 1)
    flash.pixels[21 * 160 + 41] = Pixel(3e38, -3e38, 0, 1)
    let result = SimulatedPair.estimate(flash, ambient, noise: .eightBitSRGB).picture
    for pixel in result.pixels { #expect((pixel * 0) == Pixel.zero) }
    #expect(abs(result[40, 80].y - 0.2) < 0.03)
    #expect(abs(result[41, 80].y - 0.2) < 0.01)
  }

  @Test(arguments: [(0, 0), (1, 1), (1, 300), (20000, 20), (3, 2)])
  func anySizeIsFine(width: Int, height: Int) {
    let bounds = Rectangle(width: width, height: height)
    let flash = Image(bounds) { x, _ in Pixel(0.5, 0.4, 0.3, 1) + Float(x % 3) * 0.01 }
    let ambient = Image(bounds) { _, _ in Pixel(0.2, 0.1, 0.05, 1) }
    let result = SimulatedPair.estimate(flash, ambient, noise: .eightBitSRGB, execution: .scattered).picture
    #expect(result.pixels.allSatisfy { ($0 * 0) == Pixel.zero && $0.x > 0.2 && $0.x < 0.4 })
  }

  @Test func withoutAmbientFrameTheFlashFrameIsDenoised() {
    let (flash, _) = wall(0.2, 0.1, noise: Self.noisy)
    let kernel = FlashOnlyEstimate(
      difference: reduced(flash, clipping: .counted), flash: reduced(flash), ambient: nil, flashNoise: Self.noisy,
      ambientNoise: Self.noisy)
    var picture = Image(flash.bounds)
    picture.withMutablePixels { kernel.process(flash.bounds, difference: flash, flash: flash, ambient: nil, into: $0) }
    let area = Rectangle(x: 20, y: 20, width: 40, height: 120)
    #expect(abs(statistics(picture, area).mean.x / 0.3 - 1) < 0.01)
    #expect((statistics(picture, area).deviation / statistics(flash, area).deviation).max() < 0.4)
  }

  @Test func aCancelledRunReturns() {
    let token = CancellationToken()
    token.cancel()
    let flash = Image(Rectangle(width: 64, height: 64)) { _, _ in Pixel(repeating: 0.5) }
    let execution = Execution(cancellation: token, parallelFor: Execution.serial.parallelFor)
    let result = SimulatedPair.estimate(flash, flash, noise: .eightBitSRGB, execution: execution).picture
    #expect(result.pixels.allSatisfy { $0 == .zero })
  }
}
