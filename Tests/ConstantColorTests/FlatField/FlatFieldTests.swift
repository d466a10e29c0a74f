import ConstantColor
import Glibc
import Raster
import Testing

@Suite struct FlatFieldTests {
  /// Light that falls off to one side, otherwise in each channel.
  private func field() throws -> FlatField {
    let slopes = [[-0.3, 0.1, -0.4, 0.05, -0.2], [-0.25, 0.1, -0.5, 0, -0.3], [-0.2, 0.15, -0.6, 0, -0.3]]
    let coefficients = slopes.map { $0 + [Double](repeating: 0, count: FlatField.termCount - $0.count) }
    return try #require(FlatField(coefficients: coefficients, extent: SIMD2(1, 0.75)))
  }

  @Test func theMiddleIsOneAndTheRestThePolynomial() throws {
    let field = try field()
    #expect(field.light(at: .zero) == SIMD3(1, 1, 1))
    let light = field.light(at: SIMD2(0.5, -0.5))
    #expect(abs(light.x - exp(-0.15 - 0.05 - 0.1 - 0.0125 - 0.05)) < 1e-12)
    // Beyond the measured frame the border goes on.
    #expect(field.light(at: SIMD2(3, 3)) == field.light(at: SIMD2(1, 0.75)))
  }

  @Test func divisionGivesTheEvenPicture() throws {
    let field = try field()
    for orientation in Orientation.allCases {
      let stored = Rectangle(width: 320, height: 240)
      let sheet = Image(stored) { x, y in
        let place = FlatField.place(
          ofUpright: SIMD2(Double(x), Double(y)), width: 320, height: 240, orientation: .upright)
        return Pixel(rgb: SIMD3<Float>(0.5 * field.light(at: place)), alpha: 0.25)
      }
      let upright = UprightSource(sheet, orientation)
      let box = upright.bounds
      let correction = FlatFieldCorrection(field, box: box, orientation: orientation)
      var even = upright.image(box)
      let input = even
      even.withMutablePixels { output in
        input.withPixels { correction.process($0, into: output, area: box) }
      }
      let worst = even.pixels.reduce(Float(0)) { max($0, max(abs($1.x - 0.5), abs($1.y - 0.5), abs($1.z - 0.5))) }
      #expect(worst < 0.0005, "\(orientation) \(worst)")
      #expect(even.pixels.allSatisfy { $0.w == 0.25 })
      // Parts equal the whole.
      let part = Rectangle(x: 11, y: 17, width: 23, height: 9)
      var piece = upright.image(part)
      let before = piece
      piece.withMutablePixels { output in before.withPixels { correction.process($0, into: output, area: part) } }
      for y in 0..<9 { for x in 0..<23 { #expect(piece.pixels[y * 23 + x] == even[11 + x, 17 + y]) } }
    }
  }

  /// The same field of view at another size is lit alike.
  @Test func sizeDoesNotMatter() throws {
    let field = try field()
    for (width, height) in [(4000, 3000), (40, 30)] {
      let corner = FlatField.place(
        ofUpright: SIMD2(-0.5, Double(height) - 0.5), width: width, height: height, orientation: .upright)
      #expect(abs(corner.x + 1) < 1e-12 && abs(corner.y - 0.75) < 1e-12)
      #expect(field.light(at: corner).x > 0)
    }
  }

  @Test func orientationsTurnDirections() {
    for orientation in Orientation.allCases {
      let (width, height) = orientation.swapsSides ? (30, 40) : (40, 30)
      for (x, y) in [(3, 8), (25, 29), (17, 0)] {
        let stored = orientation.stored(x: x, y: y, width: 40, height: 30)
        let place = FlatField.place(
          ofUpright: SIMD2(Double(x), Double(y)), width: width, height: height, orientation: orientation)
        #expect(abs(place.x - (Double(stored.x) - 19.5) / 20) < 1e-12, "\(orientation)")
        #expect(abs(place.y - (Double(stored.y) - 14.5) / 20) < 1e-12, "\(orientation)")
      }
    }
  }

  @Test func absurdFieldsAreRefused() {
    let none = [[Double]](repeating: [Double](repeating: 0, count: FlatField.termCount), count: 3)
    #expect(FlatField(coefficients: none, extent: SIMD2(1, 0.5)) != nil)
    #expect(FlatField(coefficients: Array(none.prefix(2)), extent: SIMD2(1, 0.5)) == nil)
    for extent in [SIMD2(0.9, 0.5), SIMD2(1, 0.01), SIMD2(1, .nan), SIMD2(2, 1)] {
      #expect(FlatField(coefficients: none, extent: extent) == nil)
    }
    for value in [Double.nan, .infinity, 50, -50] {
      var wild = none
      wild[1][4] = value
      #expect(FlatField(coefficients: wild, extent: SIMD2(1, 0.75)) == nil)
    }
  }

  @Test func uniformity() {
    #expect(Uniformity.spread([]) == nil && Uniformity.spread([-1, -1]) == nil)
    #expect(Uniformity.spread([2, 2, 2]) == 0)
    #expect(Uniformity.spread((0...100).map { Double($0) + 50 }).map { abs($0 - 0.9) < 1e-12 } == true)
  }
}
