import ColorScience
import ConstantColor
import Raster
import Testing

@Suite struct CalibratedTransformTests {
  /// A transform whose roots do something, on balanced channels; white stays white.
  private func transform(_ degree: RootPolynomial.Degree) throws -> CalibratedTransform {
    var coefficients = [SIMD3<Double>](repeating: .zero, count: degree.termCount)
    for term in 3..<degree.termCount {
      let weights = SIMD3<Double>(Double(term % 3), Double(term % 2) - 0.3, 1 - Double(term % 4) * 0.4)
      coefficients[term] = 0.05 * weights
    }
    let matrix = try #require(Matrix3(rowMajor: [0.5, 0.3, 0.15, 0.25, 0.7, 0.05, 0.02, 0.1, 0.97]))
    let (red, green, blue) = matrix.columns
    let roots = coefficients.reduce(SIMD3<Double>.zero, +)
    coefficients[0] = red - roots / 3
    coefficients[1] = green - roots / 3
    coefficients[2] = blue - roots / 3
    return CalibratedTransform(
      matrix: matrix * Matrix3(diagonal: 1 / SIMD3(0.4, 0.8, 0.5)),
      rootPolynomial: RootPolynomial(degree: degree, coefficients: coefficients), white: SIMD3(0.4, 0.8, 0.5),
      smallestRatio: 0.1)
  }

  private let colours: [SIMD3<Double>] = [
    SIMD3(0.4, 0.8, 0.5), SIMD3(0.1, 0.3, 0.02), SIMD3(0.02, 0.1, 0.2), SIMD3(0.3, 0.05, 0.01), SIMD3(1e-4, 2e-4, 1e-4),
    SIMD3(-0.01, 0.2, 0.1), SIMD3(0, 0, 0), SIMD3(3, 9, 5), SIMD3(0.4, 0.021, 0.5), SIMD3(0.4, 0.05, 0.5),
    SIMD3(-0.1, -0.2, -0.3),
  ]

  @Test(arguments: [RootPolynomial.Degree.second, .third])
  func pixelsAgreeWithDoublePrecision(_ degree: RootPolynomial.Degree) throws {
    let transform = try transform(degree)
    let adaptation = try D65Adaptation(transform)
    var image = Image(Rectangle(width: colours.count, height: 1)) { x, _ in
      Pixel(rgb: SIMD3<Float>(colours[x]), alpha: 0.5)
    }
    image.withMutablePixels { adaptation.process($0.readable, into: $0) }
    for (pixel, rgb) in zip(image.pixels, colours) {
      let expected = RGBSpace.sRGB.fromXYZ * transform(rgb)
      let error = SIMD3<Double>(pixel.rgb) - expected
      #expect((error * error).sum().squareRoot() < 3e-6 * (1e-3 + (expected * expected).sum().squareRoot()))
      #expect(pixel.w == 1)
    }
  }

  @Test func whiteIsWhiteAndRootsCount() throws {
    let transform = try transform(.third)
    let white = transform(transform.white)
    #expect(abs(white.y - 1) < 1e-12)
    let colour = SIMD3(0.1, 0.3, 0.1)
    #expect(abs(transform(colour).x - (transform.matrix * colour).x) > 1e-3)
  }

  /// Where a channel vanishes, the matrix takes over, without a step.
  @Test func saturatedColoursFadeToTheMatrix() throws {
    let transform = try transform(.third)
    var last: SIMD3<Double>?
    for step in 0...400 {
      let rgb = SIMD3(0.4, 0.8 * Double(step) / 2000, 0.5)
      let xyz = transform(rgb)
      if let last {
        let change = xyz - last
        #expect((change * change).sum().squareRoot() < 2e-3)
      }
      last = xyz
    }
    let edge = SIMD3(0.4, 0.8 * 0.02, 0.5)
    #expect(transform(edge) == transform.matrix * edge)
  }

  /// A picture in another space than the calibrated one is converted first.
  @Test func inputsOfAnotherSpace() throws {
    let transform = try transform(.third)
    let toRGB = try #require(RGBSpace.rec2020.matrix(to: .sRGB))
    let adaptation = try D65Adaptation(transform, toRGB: toRGB)
    let rgb = SIMD3(0.3, 0.5, 0.4)
    let expected = RGBSpace.sRGB.fromXYZ * transform(toRGB * rgb)
    let error = adaptation(rgb) - expected
    #expect((error * error).sum().squareRoot() < 1e-6)
  }
}
