import ColorScience
import ConstantColor
import Raster
import Testing

@Suite struct D65AdaptationTests {
  let pixels: [Pixel] = [
    Pixel(0.2, 0.5, 0.7, 0.3), Pixel(0, 0, 0, 0), Pixel(-0.1, 1.7, 0.02, 1), Pixel(12, 3, 40, 0.5), Pixel(1, 1, 1, 1),
  ]

  private func process(_ adaptation: D65Adaptation, _ input: [Pixel]) -> [Pixel] {
    var image = Image(Rectangle(width: input.count, height: 1)) { x, _ in input[x] }
    // In place: what hosts do, and harder than out of place.
    image.withMutablePixels { adaptation.process($0.readable, into: $0) }
    return image.pixels
  }

  @Test func flashWhiteBecomesD65White() throws {
    for space in [RGBSpace.sRGB, .rec2020, .proPhoto] {
      for white in [Chromaticity.illuminantA, .d50, Chromaticity(x: 0.33, y: 0.36)] {
        let adaptation = try D65Adaptation(flashWhite: white, inputToXYZ: space.toXYZ)
        let seen = space.fromXYZ * XYZ(white).vector
        let result = process(adaptation, [Pixel(rgb: SIMD3<Float>(seen), alpha: 0.2)])[0]
        #expect(abs(result.x - 1) < 1e-6 && abs(result.y - 1) < 1e-6 && abs(result.z - 1) < 1e-6 && result.w == 1)
      }
    }
  }

  @Test func agreesWithBradfordInDoublePrecision() throws {
    let white = Chromaticity(x: 0.3447, y: 0.3553)
    let adaptation = try D65Adaptation(flashWhite: white, inputToXYZ: RGBSpace.rec2020.toXYZ)
    let bradford = try #require(ChromaticAdaptation.bradford.matrix(from: XYZ(white), to: .d65))
    for (pixel, result) in zip(pixels, process(adaptation, pixels)) {
      let xyz = bradford * (RGBSpace.rec2020.toXYZ * SIMD3<Double>(pixel.rgb))
      let expected = RGBSpace.sRGB.fromXYZ * xyz
      let error = SIMD3<Double>(result.rgb) - expected
      #expect((error * error).sum().squareRoot() < 1e-6 * (1 + (expected * expected).sum().squareRoot()))
      #expect(result.w == 1)
    }
  }

  @Test func d65WhiteInSRGBChangesNoBit() throws {
    let adaptation = try D65Adaptation(flashWhite: .d65)
    #expect(adaptation == .identity)
    for (pixel, result) in zip(pixels, process(adaptation, pixels)) { #expect(result.rgb == pixel.rgb) }
  }

  @Test func calibratedMatrixIsUsedAsGiven() throws {
    let numbers = [0.678, 0.142, 0.126, 0.233, 0.865, -0.098, 0.02, -0.1, 1.1]
    let adaptation = try D65Adaptation(inputToD65XYZ: numbers)
    let matrix = try #require(Matrix3(rowMajor: numbers))
    let xyz = RGBSpace.sRGB.toXYZ * adaptation(SIMD3(0.3, 0.6, 0.1))
    let expected = matrix * SIMD3(0.3, 0.6, 0.1)
    #expect(abs(xyz.x - expected.x) + abs(xyz.y - expected.y) + abs(xyz.z - expected.z) < 1e-12)
  }

  @Test func nonsenseIsRefusedWithAReason() {
    #expect(throws: AdaptationError.notNineNumbers(8)) {
      try D65Adaptation(inputToD65XYZ: Array(repeating: 1, count: 8))
    }
    #expect(throws: AdaptationError.singular) { try D65Adaptation(inputToD65XYZ: Array(repeating: 1, count: 9)) }
    #expect(throws: AdaptationError.singular) { try D65Adaptation(inputToD65XYZ: Array(repeating: 0, count: 9)) }
    #expect(throws: AdaptationError.singular) { try D65Adaptation(inputToD65XYZ: [1, 0, 0, 0, 1, 0, 0, 0, 1e-5]) }
    #expect(throws: AdaptationError.notFinite) { try D65Adaptation(inputToD65XYZ: [1, 0, 0, 0, .nan, 0, 0, 0, 1]) }
    #expect(throws: AdaptationError.absurdScale) { try D65Adaptation(inputToD65XYZ: 1e9 * Matrix3.identity) }
    #expect(throws: AdaptationError.notFinite) { try D65Adaptation(flashWhite: Chromaticity(x: .nan, y: 0.3)) }
    for white in [Chromaticity(x: 0.3, y: 0), Chromaticity(x: 0.9, y: -0.1), Chromaticity(x: 0, y: 0.001)] {
      #expect(throws: AdaptationError.impossibleWhite(white)) { try D65Adaptation(flashWhite: white) }
    }
    #expect(AdaptationError.singular.description.contains("singular"))
  }

  @Test func badPixelsBecomeBlackAndNeverSpread() throws {
    let bad: [Pixel] = [
      Pixel(.nan, 0, 0, 1), Pixel(0, .infinity, 0, 1), Pixel(0, 0, -.infinity, 1), Pixel(3e38, 3e38, -3e38, 1),
      Pixel(0.5, 0.5, 0.5, .nan),
    ]
    let adaptation = try D65Adaptation(inputToD65XYZ: [9, 1, 1, 1, 9, 1, 1, 1, 9])
    let result = process(adaptation, bad)
    for pixel in result[..<4] { #expect(pixel == Pixel(0, 0, 0, 1)) }
    // A broken alpha says nothing about the colour.
    #expect(result[4].rgb.min() > 0 && result[4].w == 1)
  }

  @Test func anyAddressAndNoPixels() {
    D65Adaptation.identity.process(Pixels(nil, count: 4), into: MutablePixels(nil, count: 4))
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
      guard let base = memory.baseAddress else { return }
      let shifted = MutablePixels(base + 4, count: 3)
      for index in 0..<3 { shifted[index] = Pixel(0.1, 0.2, 0.3, 0.4) * Float(index) }
      D65Adaptation.identity.process(shifted.readable, into: shifted)
      for index in 0..<3 { #expect(shifted[index].rgb == Pixel(0.1, 0.2, 0.3, 0.4).rgb * Float(index)) }
    }
  }
}
