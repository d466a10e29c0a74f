import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct ConfidenceTests {
  private func confidence(
    _ kernel: Confidence, _ flash: Image, _ ambient: Image?, _ estimate: Image? = nil, _ area: Rectangle? = nil,
    execution: Execution = .serial
  ) -> [Float] {
    let area = area ?? flash.bounds
    var values = [Float](repeating: -1, count: area.count)
    values.withUnsafeMutableBufferPointer {
      kernel.process(area, flash: flash, ambient: ambient, flashOnly: estimate, into: $0, execution: execution)
    }
    return values
  }

  private func mean(_ values: [Float]) -> Float { values.reduce(0, +) / Float(max(values.count, 1)) }

  private func flat(_ flash: Pixel, _ ambient: Pixel) -> (flash: Image, ambient: Image) {
    let bounds = Rectangle(width: 24, height: 24)
    return (Image(bounds) { _, _ in flash }, Image(bounds) { _, _ in ambient })
  }

  private func kernel(_ gain: Float = 1e-4) -> Confidence {
    let noise = NoiseModel(gain: SIMD3(repeating: gain), floor: SIMD3(repeating: gain * 0.01))
    return Confidence(flashNoise: noise, ambientNoise: noise)
  }

  @Test func everyCauseOfErrorLowersIt() {
    let (flash, ambient) = flat(Pixel(0.5, 0.5, 0.5, 1), Pixel(0.3, 0.2, 0.1, 1))
    let good = mean(confidence(kernel(), flash, ambient))
    #expect(good > 0.9 && good <= 1)
    var last = good
    for gain in [1e-3, 1e-2, 1e-1] as [Float] {
      let next = mean(confidence(kernel(gain), flash, ambient))
      #expect(next < last)
      last = next
    }
    last = good
    for uncertainty in [0.05, 0.2, 0.8] as [Float] {
      var kernel = kernel()
      kernel.ratioUncertainty = uncertainty
      let next = mean(confidence(kernel, flash, ambient))
      #expect(next < last)
      last = next
    }
    var strict = kernel(1e-3)
    strict.tolerance = 1
    #expect(mean(confidence(strict, flash, ambient)) < mean(confidence(kernel(1e-3), flash, ambient)))
    // A filled colour is a guess: a good one where both lights show the surface, but trusted less than a measured one.
    let filled = Image(flash.bounds) { _, _ in Pixel(0.2, 0.3, 0.4, 1 / 256) }
    #expect(mean(confidence(kernel(), flash, ambient, filled)) < 0.9 * good)
    last = good
    for error in [2, 4, 8, 16] as [Float] {
      var kernel = kernel()
      kernel.calibrationError = ColorErrorMap(constant: error)
      let next = mean(confidence(kernel, flash, ambient))
      #expect(next < last)
      last = next
    }
    // An edge of the ambient light, with a residual of two pixels: everywhere, and where trust says so.
    func edge(trust: Float) -> Image {
      Image(flash.bounds) { x, _ in Pixel(rgb: SIMD3(0.3, 0.2, 0.1) * (x < 12 ? 1 : 0.4), alpha: trust) }
    }
    var shaky = kernel()
    shaky.residual = 2
    let values = confidence(shaky, flash, edge(trust: 1))
    #expect(values[12 * 24 + 12] < 0.6 * values[12 * 24 + 4])
    let distrusted = confidence(kernel(), flash, edge(trust: 1 / 65))
    #expect(distrusted[12 * 24 + 12] < 0.5 * distrusted[12 * 24 + 4])
    #expect(confidence(kernel(), flash, edge(trust: 1))[12 * 24 + 12] > distrusted[12 * 24 + 12])
  }

  @Test func whatMovedIsNotTrusted() {
    let noise = NoiseModel(gain: SIMD3(repeating: 2e-5), floor: SIMD3(repeating: 1e-7))
    let bounds = Rectangle(width: 160, height: 120)
    /// A red square of 30 pixels on a grey wall.
    func surface(_ x: Int, _ y: Int, _ left: Int) -> SIMD3<Float> {
      (left..<left + 30).contains(x) && (45..<75).contains(y) ? SIMD3(0.5, 0.12, 0.1) : SIMD3(0.4, 0.42, 0.38)
    }
    func frames(_ left: Int) -> (flash: Image, ambient: Image) {
      var random = SimulatedNoise(seed: 3)
      let light = SIMD3<Float>(0.4, 0.3, 0.2)
      let ambient = Image(bounds) { x, y in
        Pixel(rgb: random.noisy(surface(x, y, left) * light, noise), alpha: 1)
      }
      let flash = Image(bounds) { x, y in
        Pixel(rgb: random.noisy(surface(x, y, 30) * (light + SIMD3(0.3, 0.35, 0.4)), noise), alpha: 1)
      }
      return (flash, ambient)
    }
    func values(_ left: Int) -> [Float] {
      let pair = frames(left)
      let estimate = SimulatedPair.estimate(pair.flash, pair.ambient, noise: noise).picture
      return confidence(Confidence(flashNoise: noise, ambientNoise: noise), pair.flash, pair.ambient, estimate)
    }
    let (still, moved) = (values(30), values(80))
    func mean(_ values: [Float], _ columns: Range<Int>) -> Float {
      var sum: Float = 0
      for y in 50..<70 { for x in columns { sum += values[y * bounds.width + x] } }
      return sum / Float(20 * columns.count)
    }
    // Where the square is in the flash frame, and where it is in the other, which holds less of its light.
    for columns in [35..<55, 85..<105] { #expect(mean(still, columns) > 0.8) }
    #expect(mean(moved, 35..<55) < 0.5)
    #expect(mean(moved, 85..<105) < mean(still, 85..<105) - 0.04)
    // The wall beside both is as it was.
    #expect(mean(moved, 125..<145) > 0.8)
  }

  @Test func aDarkObjectNearTheFlashIsTrusted() {
    // Brightness alone says nothing: signal to noise does.
    let (flash, ambient) = flat(Pixel(0.02, 0.02, 0.02, 1), Pixel(0.001, 0.001, 0.001, 1))
    var kernel = kernel()
    kernel.flashNoise = NoiseModel(gain: SIMD3(repeating: 1e-6), floor: SIMD3(repeating: 1e-9))
    kernel.ambientNoise = kernel.flashNoise
    #expect(mean(confidence(kernel, flash, ambient)) > 0.9)
  }

  @Test func clippingVoidsTwoPixelsAround() {
    let pair = flat(Pixel(0.5, 0.5, 0.5, 1), Pixel(0.1, 0.1, 0.1, 1))
    var flash = pair.flash
    flash.pixels[12 * 24 + 12].z = 1
    let values = confidence(kernel(), flash, pair.ambient)
    for y in 0..<24 {
      for x in 0..<24 {
        let isNear = abs(x - 12) <= 2 && abs(y - 12) <= 2
        #expect((values[y * 24 + x] == 0) == isNear)
      }
    }
  }

  @Test func missingDataAndImpossibleDifferencesGiveZero() {
    let pair = flat(Pixel(0.5, 0.5, 0.5, 1), Pixel(0.1, 0.1, 0.1, 1))
    var ambient = pair.ambient
    ambient.pixels[5 * 24 + 5].w = 0
    let values = confidence(kernel(), pair.flash, ambient)
    #expect(values[5 * 24 + 5] == 0 && values[5 * 24 + 6] > 0.9)
    let (dark, bright) = flat(Pixel(0.2, 0.2, 0.2, 1), Pixel(0.3, 0.3, 0.3, 1))
    #expect(confidence(kernel(), dark, bright).allSatisfy { $0 == 0 })
  }

  @Test func undefinedNumbersGiveZeroThereOnly() {
    let pair = flat(Pixel(0.5, 0.5, 0.5, 1), Pixel(0.1, 0.1, 0.1, 1))
    for bad in [Pixel(.nan, 0, 0, 1), Pixel(.infinity, 0, 0, 1), Pixel(0, -.infinity, 0, 1)] {
      var (flash, ambient, estimate) = (pair.flash, pair.ambient, SimulatedPair.difference(pair.flash, pair.ambient))
      ambient.pixels[10 * 24 + 10] = bad
      estimate.pixels[20 * 24 + 20] = bad
      var values = confidence(kernel(), flash, ambient, estimate)
      #expect(values.enumerated().allSatisfy { ($1 == 0) == ($0 == 250 || $0 == 500) })
      flash.pixels[4 * 24 + 4] = Pixel(.nan, .nan, .nan, 1)
      values = confidence(kernel(), flash, pair.ambient)
      #expect(values.enumerated().allSatisfy { ($1 == 0) == ($0 == 100) })
    }
  }

  @Test func aboutAsManyPixelsAreRightAsItSays() {
    var bins = [(count: Int, right: Int, sum: Float)](repeating: (0, 0, 0), count: 5)
    var total = (count: 0, right: 0, sum: Float(0))
    for (index, strength) in ([0.05, 0.1, 0.25, 0.5, 1] as [Float]).enumerated() {
      let noise = NoiseModel(gain: SIMD3(repeating: 1e-3), floor: SIMD3(repeating: 2e-5))
      let pair = SimulatedPair(.init(strength: strength, noise: noise, seed: UInt64(index) + 20))
      let estimate = SimulatedPair.estimate(pair.flash, pair.ambient, noise: noise).picture
      var kernel = Confidence(flashNoise: noise, ambientNoise: noise)
      kernel.ratioUncertainty = 0
      kernel.residual = 0
      kernel.white = 0.8 * 0.35 * strength
      let values = confidence(kernel, pair.flash, pair.ambient, estimate)
      let bounds = pair.flash.bounds
      for y in 1..<bounds.height - 1 {
        for x in 1..<bounds.width - 1 {
          let confidence = values[y * bounds.width + x]
          let isRight = Self.error(estimate, pair.truth, x, y, white: kernel.white) <= 3
          let bin = min(4, Int(confidence * 5))
          bins[bin].count += 1
          bins[bin].right += isRight ? 1 : 0
          bins[bin].sum += confidence
          total.count += 1
          total.right += isRight ? 1 : 0
          total.sum += confidence
        }
      }
    }
    let gap = abs(Float(total.right) - total.sum) / Float(total.count)
    #expect(gap < 0.15, "\(bins)")
    var last: Float = -0.1
    for bin in bins where bin.count > 1500 {
      let share = Float(bin.right) / Float(bin.count)
      // A scene of few surfaces and made-up spectra: how exactly bins tell the truth is for `validate` to say.
      #expect(share > last - 0.2, "\(bins)")
      #expect(abs(share - bin.sum / Float(bin.count)) < 0.4, "\(bins)")
      last = share
    }
  }

  /// CIE 1976 colour difference over the chroma weight of CIE94, of 3 × 3 means at equal luminance.
  private static func error(_ result: Image, _ truth: Image, _ x: Int, _ y: Int, white: Float) -> Float {
    let area = Rectangle(x: x - 1, y: y - 1, width: 3, height: 3)
    let (r, t) = (xyz(statistics(result, area).mean), xyz(statistics(truth, area).mean))
    guard r.y > 0 else { return .infinity }
    func lab(_ v: SIMD3<Float>) -> SIMD2<Float> {
      let f = SIMD3(cbrtf(max(v.x, 0)), cbrtf(max(v.y, 0)), cbrtf(max(v.z, 0)))
      return SIMD2(500 * (f.x - f.y), 200 * (f.y - f.z))
    }
    let (a, b) = (lab(r * (t.y / r.y) / white), lab(t / white))
    let chroma = (b * b).sum().squareRoot()
    let difference = ((a - b) * (a - b)).sum().squareRoot()
    return difference / (1 + 0.045 * chroma)
  }

  /// Linear sRGB to XYZ over the white's.
  private static func xyz(_ c: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(
      (c * SIMD3(0.4124, 0.3576, 0.1805)).sum() / 0.9505, (c * SIMD3(0.2126, 0.7152, 0.0722)).sum(),
      (c * SIMD3(0.0193, 0.1192, 0.9505)).sum() / 1.089)
  }

  @Test func piecesAndThreadsGiveTheSameBits() {
    let pair = SimulatedPair(.init(width: 120, height: 100))
    let estimate = SimulatedPair.estimate(pair.flash, pair.ambient, noise: pair.noise).picture
    let whole = confidence(kernel(), pair.flash, pair.ambient, estimate)
    #expect(whole == confidence(kernel(), pair.flash, pair.ambient, estimate, execution: .scattered))
    let area = Rectangle(x: 13, y: 29, width: 50, height: 41)
    let piece = confidence(kernel(), pair.flash, pair.ambient, estimate, area)
    for y in 0..<area.height {
      for x in 0..<area.width { #expect(piece[y * 50 + x] == whole[(y + 29) * 120 + x + 13]) }
    }
    #expect(whole.allSatisfy { $0 >= 0 && $0 <= 1 })
  }

  @Test func clippedFractionCountsEitherFrame() {
    let bounds = Rectangle(width: 10, height: 10)
    var flash = Image(bounds) { _, _ in Pixel(repeating: 0.5) }
    var ambient = flash
    flash.pixels[3].x = 1
    ambient.pixels[3].y = 1.5
    ambient.pixels[77].z = 1
    #expect(ClippedFraction.measure(flash: flash, ambient: ambient) == 0.02)
    #expect(ClippedFraction.measure(flash: flash, ambient: nil) == 0.01)
    #expect(ClippedFraction.measure(flash: Image(Rectangle(width: 0, height: 0)), ambient: nil).isNaN)
  }
}
