import ConstantColor
import Raster
import Testing

@Suite struct ColorErrorMapTests {
  private let grey = ColorErrorMap.Sample(rgb: SIMD3(0.5, 0.5, 0.5), error: 0.5)
  private let skin = ColorErrorMap.Sample(rgb: SIMD3(0.5, 0.35, 0.25), error: 1)
  private let cyan = ColorErrorMap.Sample(rgb: SIMD3(0.1, 0.3, 0.35), error: 6)

  /// The confidence of an even, noiseless surface of this colour.
  private func confidence(_ map: ColorErrorMap, _ rgb: SIMD3<Double>, white: SIMD3<Double> = SIMD3(1, 1, 1)) -> Float {
    let noise = NoiseModel(gain: SIMD3(repeating: 1e-7), floor: SIMD3(repeating: 1e-9))
    var kernel = Confidence(flashNoise: noise, ambientNoise: noise)
    kernel.calibrationError = map
    // Numbers of a camera that sees white like this.
    kernel.balance = (SIMD3(Float(1 / white.x), 0, 0), SIMD3(0, Float(1 / white.y), 0), SIMD3(0, 0, Float(1 / white.z)))
    kernel.matrix = kernel.balance
    let bounds = Rectangle(width: 9, height: 9)
    let flash = Image(bounds) { _, _ in Pixel(rgb: SIMD3<Float>(rgb * white), alpha: 1) }
    let dark = Image(bounds) { _, _ in Pixel(0, 0, 0, 1) }
    var values = [Float](repeating: -1, count: bounds.count)
    values.withUnsafeMutableBufferPointer {
      kernel.process(bounds, flash: flash, ambient: dark, flashOnly: nil, into: $0)
    }
    return values[40]
  }

  @Test func aColourThatTheTransformCannotReachIsNotTrusted() {
    // As on a chart: many colours are right, one is not.
    let map = ColorErrorMap([ColorErrorMap.Sample](repeating: grey, count: 12) + [skin, skin, skin, skin, cyan])
    let (good, bad) = (confidence(map, skin.rgb), confidence(map, cyan.rgb))
    #expect(good > 0.85 && bad < 0.3)
    // In other channels the same colours are the same.
    let white = SIMD3(0.5, 1, 0.7)
    #expect(abs(confidence(map, skin.rgb, white: white) - good) < 0.05)
    #expect(abs(confidence(map, cyan.rgb, white: white) - bad) < 0.05)
    // Where nothing differs, colour makes no difference beyond what the size of an error means.
    let even = ColorErrorMap(constant: 1)
    #expect(abs(confidence(even, skin.rgb) - confidence(even, cyan.rgb)) < 0.1)
  }

  @Test func unknownColoursAreTwiceAsUncertain() throws {
    let map = ColorErrorMap([grey, grey, grey])
    let squares = map.squares
    let middle = squares[squares.count / 2]
    #expect(abs(middle - 0.25) < 0.05)
    for corner in [squares.first, squares.last] { #expect(abs(try #require(corner) - 1) < 0.01) }
    let more = ColorErrorMap([grey, grey, grey], adding: 2)
    for (new, old) in zip(more.squares, squares) { #expect(abs(new - old - 4) < 1e-4) }
  }

  @Test func oneWildSampleIsNotWhatToExpect() {
    let map = ColorErrorMap(
      [ColorErrorMap.Sample](repeating: skin, count: 20) + [
        ColorErrorMap.Sample(rgb: SIMD3(0.1, 0.3, 0.35), error: 100),
        ColorErrorMap.Sample(rgb: SIMD3(0.1, .nan, 0.35), error: 1), ColorErrorMap.Sample(rgb: grey.rgb, error: .nan),
      ])
    #expect(map.squares.allSatisfy { $0 > 0 && $0 <= 400 })
    #expect(confidence(map, skin.rgb) > 0.85)
  }

  @Test func storedNumbersAreChecked() {
    let map = ColorErrorMap([grey, skin, cyan])
    #expect(ColorErrorMap(squares: map.squares) == map)
    #expect(ColorErrorMap(squares: []) == nil)
    #expect(ColorErrorMap(squares: map.squares.dropLast()) == nil)
    for wrong in [-1, .nan, .infinity, 1e5] as [Float] {
      var squares = map.squares
      squares[7] = wrong
      #expect(ColorErrorMap(squares: squares) == nil)
    }
  }

  @Test func anyColourHasAnError() {
    let map = ColorErrorMap([grey, skin, cyan])
    for rgb in [
      SIMD3(0, 0, 0), SIMD3(-1, 1, 1), SIMD3(1, 0, 0), SIMD3(0, 0, 1), SIMD3(1e-30, 1e-30, 1), SIMD3(1e6, 1, 1e6),
    ] {
      let value = confidence(map, rgb)
      #expect((0...1).contains(value))
    }
  }
}
