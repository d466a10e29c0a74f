import ColorScience
import ConstantColor
import Raster
import Testing

@Suite struct OutputRenderingTests {
  static let spaces: [RGBSpace] = [.sRGB, .displayP3, .rec2020, .proPhoto, .linearSRGB]

  private func render(_ input: [Pixel], gain: Double = 1, space: RGBSpace) -> [Pixel] {
    var image = Image(Rectangle(width: input.count, height: 1)) { x, _ in input[x] }
    let rendering = OutputRendering(gain: gain, space: space)
    image.withMutablePixels { rendering.process($0.readable, into: $0) }
    return image.pixels
  }

  @Test(arguments: spaces) func neutralStaysNeutral(_ space: RGBSpace) {
    let levels = [0, 1e-6, 0.01, 0.18, 0.5, 0.899, 0.9, 0.95, 1, 1.5, 4, 100, 1e5] as [Float]
    for gain in [0.25, 1, 3.7] {
      for (level, pixel) in zip(levels, render(levels.map { Pixel($0, $0, $0, 1) }, gain: gain, space: space)) {
        #expect(pixel.rgb.max() - pixel.rgb.min() <= 1e-6)
        if Double(level) * gain <= 0.9 { #expect(abs(Double(pixel.y) - Double(level) * gain) <= 1e-6) }
      }
    }
  }

  @Test(arguments: spaces) func linearBelowTheKnee(_ space: RGBSpace) throws {
    let matrix = try #require(RGBSpace.sRGB.matrix(to: space))
    let input: [Pixel] = (0..<200).map { index in
      Pixel(SIMD4(index % 7, index % 11, index % 13, index % 2)) / SIMD4(20, 30, 40, 1)
    }
    for (pixel, result) in zip(input, render(input, gain: 2, space: space)) {
      let expected: SIMD3<Double> = 2 * (matrix * SIMD3<Double>(pixel.rgb))
      let error: SIMD3<Double> = SIMD3<Double>(result.rgb) - expected
      #expect((error * error).sum().squareRoot() < 3e-7)
      #expect(result.w == pixel.w)
      if space.red == RGBSpace.sRGB.red { #expect(result.rgb == 2 * pixel.rgb) }
    }
  }

  @Test(arguments: [0.5, 1, 1.37, 6.02]) func belowTheKneeItIsThePlainGainBitForBit(_ gain: Double) {
    var input: [Pixel] = []
    for r in stride(from: Float(0), through: 0.9, by: 0.06) {
      for g in stride(from: Float(0), through: 0.9, by: 0.06) {
        for b in [0, 1e-6, 0.123, 0.7, 0.9] as [Float] {
          let pixel = Pixel(r, g, b, 1) / Pixel(rgb: SIMD3(repeating: Float(gain)), alpha: 1)
          if (pixel.rgb * Float(gain)).max() <= 0.9 { input.append(pixel) }
        }
      }
    }
    #expect(input.count > 800)
    for (pixel, result) in zip(input, render(input, gain: gain, space: .sRGB)) {
      #expect(result.rgb == Float(gain) * pixel.rgb)
    }
  }

  @Test func theCensusCountsWhatIsMoved() {
    let input = [
      Pixel(0.2, 0.3, 0.4, 1), Pixel(0.9, 0.9, 0.9, 0.5), Pixel(0, 0, 0, 1), Pixel(0.95, 0.2, 0.1, 1),
      Pixel(-0.01, 0.5, 0.2, 1), Pixel(3, -0.5, 0.1, 1), Pixel(.nan, 1, -1, 1), Pixel(.infinity, 0.2, 0.2, 0),
    ]
    let census = Image(input).withPixels { OutputRendering(space: .sRGB).census($0) }
    #expect(census.pixels == 8 && census.highlights == 3 && census.outsideGamut == 2)
    #expect(census.highlightFraction == 0.375 && census.gamutMappedFraction == 0.25)
    #expect(RenderingCensus().highlightFraction == nil && RenderingCensus().gamutMappedFraction == nil)
    // Together as in parts, in every space, and nobody is moved who was not counted.
    var noise = UInt64(3)
    let many = (0..<4000).map { _ in
      func next() -> Float {
        noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(noise >> 40) / Float(1 << 24) * 1.5 - 0.2
      }
      return Pixel(next(), next(), next(), 1)
    }
    for space in Self.spaces {
      let rendering = OutputRendering(gain: 0.8, space: space)
      let whole = Image(many).withPixels { rendering.census($0) }
      var parts = RenderingCensus()
      for start in stride(from: 0, to: many.count, by: 333) {
        parts += Image(Array(many[start..<min(start + 333, many.count)])).withPixels { rendering.census($0) }
      }
      #expect(parts == whole)
      let matrix = 0.8 * (RGBSpace.sRGB.matrix(to: space) ?? .identity)
      var moved = 0
      for (pixel, result) in zip(many, render(many, gain: 0.8, space: space)) {
        let change = SIMD3<Double>(result.rgb) - matrix * SIMD3<Double>(pixel.rgb)
        if max(change.max(), -change.min()) > 1e-5 { moved += 1 }
      }
      #expect(moved <= whole.highlights + whole.outsideGamut)
      #expect(Double(moved) > 0.99 * Double(max(whole.highlights, whole.outsideGamut)))
    }
  }

  @Test func rollOffIsSmoothMonotoneAndEndsAtWhite() {
    let curve = HighlightRollOff.compress
    #expect(curve(0.9) == 0.9 && curve(0.3) == 0.3 && curve(-2) == -2)
    var last: Float = 0
    for step in 0..<4000 {
      let value = curve(Float(step) / 1000)
      #expect(value >= last && value <= 1)
      if step > 0 { #expect(value > last) }
      last = value
    }
    // One slope on both sides of the knee.
    #expect(abs((curve(0.9 + 1e-4) - curve(0.9)) / 1e-4 - 1) < 5e-3)
    #expect(curve(1) > 0.94 && curve(1) < 0.96)
    #expect(curve(1e30) == 1 && curve(.infinity) == 1 && curve(100) < 1)
  }

  @Test(arguments: spaces) func highlightsKeepTheirHue(_ space: RGBSpace) {
    let input = [Pixel(3, 1, 0.5, 1), Pixel(0.4, 2, 1.5, 1), Pixel(1.2, 1.1, 0.3, 1), Pixel(0.5, 0.6, 5, 1)]
    for (pixel, result) in zip(input, render(input, space: space)) {
      let (before, after) = (oklab(pixel, .sRGB), oklab(result, space))
      #expect(abs(before.hue - after.hue) < 0.05)
      #expect(abs(before.chroma / before.lightness - after.chroma / after.lightness) < 1e-4)
    }
  }

  @Test(arguments: spaces) func saturatedColorsKeepTheirHue(_ space: RGBSpace) {
    // Colours of Rec. 2020's surface, seen from sRGB: outside all but Rec. 2020 and ProPhoto.
    let matrix = RGBSpace.rec2020.matrix(to: .sRGB) ?? .identity
    let surface: [SIMD3<Double>] = [
      SIMD3(0.7, 0, 0), SIMD3(0, 0.7, 0), SIMD3(0, 0, 0.7), SIMD3(0.7, 0.5, 0), SIMD3(0, 0.6, 0.6), SIMD3(0.6, 0, 0.7),
    ]
    let input = surface.map { Pixel(rgb: SIMD3<Float>(matrix * $0), alpha: 1) }
    for (pixel, result) in zip(input, render(input, space: space)) {
      #expect(result.rgb.min() >= 0 && result.rgb.max() <= 1)
      let (before, after) = (oklab(pixel, .sRGB), oklab(result, space))
      let turn = (after.hue - before.hue).remainder(dividingBy: 360)
      #expect(abs(turn) < 0.6)
    }
  }

  @Test func whatTheOutputCanShowIsNotBent() throws {
    // A P3 red of 0.8 has a red of 0.97 in sRGB: below the knee where it matters.
    let matrix = try #require(RGBSpace.displayP3.matrix(to: .sRGB))
    let red = render([Pixel(rgb: SIMD3<Float>(matrix * SIMD3(0.8, 0.01, 0.01)), alpha: 1)], space: .displayP3)[0]
    #expect(abs(red.x - 0.8) < 1e-6 && abs(red.y - 0.01) < 1e-6 && abs(red.z - 0.01) < 1e-6)
  }

  @Test(arguments: spaces) func everythingComesOutFiniteAndInside(_ space: RGBSpace) {
    let values: [Float] = [
      .nan, .infinity, -.infinity, -0.0, 0, 1, -1, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1e-20, -1e-20, 3e38,
      -3e38, 0.5, 1e6, -1e6,
    ]
    var input: [Pixel] = []
    for r in values { for g in values { for b in values { input.append(Pixel(r, g, b, r)) } } }
    for gain in [1, 0, 1e6, .infinity, .nan, -3] {
      for (pixel, result) in zip(input, render(input, gain: gain, space: space)) {
        #expect(result.rgb.min() >= 0 && result.rgb.max() <= 1)
        #expect(all(result .== result))
        #expect(result.w == (pixel.w.isFinite ? pixel.w : 1))
        if !all(pixel.rgb .== pixel.rgb) { #expect(result.rgb == .zero) }
      }
    }
    #expect(render([Pixel(.infinity, .infinity, .infinity, 1)], space: space)[0].rgb.min() > 0.99)
  }

  @Test func noisyBlackIsNotTinted() {
    // Symmetric noise around black: no channel may come out systematically brighter than another.
    var state: UInt64 = 1
    func noise() -> Float {
      var sum: Float = -6
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        sum += Float(state >> 40) / 16_777_216
      }
      return 0.002 * sum
    }
    let input = (0..<20_000).map { _ in Pixel(noise(), noise(), noise(), 1) }
    var sum = SIMD3<Double>.zero
    for pixel in render(input, space: .sRGB) { sum += SIMD3<Double>(pixel.rgb) / 20_000 }
    #expect(sum.max() < 0.001 && sum.max() - sum.min() < 0.0006)
  }
}

extension Image {
  fileprivate init(_ row: [Pixel]) {
    self.init(Rectangle(width: row.count, height: 1))
    pixels = row
  }
}
