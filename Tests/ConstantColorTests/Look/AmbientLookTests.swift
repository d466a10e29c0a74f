import ConstantColor
import Glibc
import Raster
import Testing

/// A scene under D65, as the flash shows it and as the ambient frame does.
@Suite struct AmbientLookTests {
  private static let bounds = Rectangle(width: 120, height: 96)

  private static func surface(_ x: Int, _ y: Int) -> SIMD3<Float> { SimulatedPair.surface(x, y) }

  private static func luminance(_ colour: SIMD3<Float>) -> Float {
    0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z
  }

  /// The flash falls off to the right.
  private static let colour = Image(bounds) { x, y in
    Pixel(rgb: surface(x, y) * (0.6 - 0.004 * Float(x)), alpha: 1)
  }

  /// The room has shadows, and what is left of its colour.
  private static func ambient(
    _ noise: NoiseModel = NoiseModel(gain: .zero, floor: .zero), _ light: SIMD3<Float> = SIMD3(0.36, 0.3, 0.24)
  ) -> Image {
    var random = SimulatedNoise(seed: 7)
    return Image(bounds) { x, y in
      Pixel(rgb: random.noisy(surface(x, y) * light * SimulatedPair.shadow(x, y), noise), alpha: 1)
    }
  }

  private static func map(_ value: @escaping (Int, Int) -> Float) -> Image {
    Image(bounds) { x, y in Pixel(repeating: value(x, y)) }
  }

  private static func look(_ ambient: Image, _ confidence: Image?, _ tolerance: Float = 3) -> Image {
    var look = AmbientLook(measuring: ambient)
    look.tolerance = tolerance
    var result = Image(bounds)
    result.withMutablePixels {
      look.process(bounds, colour: colour, ambient: ambient, confidence: confidence, into: $0)
    }
    return result
  }

  /// The largest difference of two colours of luminance 1, in the mean over the picture.
  private static func difference(_ a: Image, _ b: (Int, Int) -> SIMD3<Float>) -> Float {
    var sum: Float = 0
    for y in 0..<bounds.height {
      for x in 0..<bounds.width {
        let (first, second) = (a[x, y].rgb, b(x, y))
        let change = first / luminance(first) - second / luminance(second)
        sum += pointwiseMax(change, -change).max()
      }
    }
    return sum / Float(bounds.count)
  }

  @Test func colourOfTheOneLightOfTheOther() {
    let ambient = Self.ambient()
    let result = Self.look(ambient, nil)
    #expect(Self.difference(result, Self.surface) < 0.03)
    #expect(Self.difference(ambient, Self.surface) > 0.15)
    for y in stride(from: 3, to: 96, by: 5) {
      for x in stride(from: 3, to: 120, by: 5) {
        let ratio = Self.luminance(result[x, y].rgb) / Self.luminance(ambient[x, y].rgb)
        #expect(abs(ratio - 1) < 0.03, "\(x) \(y) \(ratio)")
      }
    }
  }

  @Test func whatCannotBeTrustedHasTheAmbientColour() {
    let ambient = Self.ambient()
    let result = Self.look(ambient, Self.map { _, _ in 0 })
    #expect(Self.difference(result) { ambient[$0, $1].rgb } < 0.03)
    // The error that a confidence stands for counts, whatever tolerance it was asked for.
    let strict = Self.look(ambient, Self.map { _, _ in 1 - expf(-1 / 4.0) }, 1)
    let usual = Self.look(ambient, Self.map { _, _ in 1 - expf(-9 / 4.0) }, 3)
    #expect(Self.difference(strict) { usual[$0, $1].rgb } < 1e-4)
    #expect(Self.difference(usual, Self.surface) < 0.06)
  }

  @Test func noiseOfADarkRoomIsAveraged() {
    let noise = NoiseModel(gain: SIMD3(repeating: 4e-3), floor: SIMD3(repeating: 1e-5))
    let (clean, noisy) = (Self.ambient(), Self.ambient(noise))
    let result = Self.look(noisy, nil)
    func deviation(_ image: Image) -> Float {
      var sum: Float = 0
      for (a, b) in zip(image.pixels, clean.pixels) {
        let error = Self.luminance(a.rgb) - Self.luminance(b.rgb)
        sum += error * error
      }
      return (sum / Float(image.pixels.count)).squareRoot()
    }
    #expect(deviation(result) < 0.7 * deviation(noisy), "\(deviation(result)) \(deviation(noisy))")
  }

  @Test func lampsStayWhite() {
    var ambient = Self.ambient()
    for y in 40..<60 { for x in 40..<60 { ambient.pixels[y * 120 + x] = Pixel(1.5, 1.5, 1.5, 1) } }
    let result = Self.look(ambient, Self.map { x, y in (38..<62).contains(x) && (38..<62).contains(y) ? 0 : 0.95 })
    for place in [42, 50, 57] {
      let colour = result[place, place].rgb
      #expect(colour.max() / colour.min() < 1.02 && colour.min() > 1.4, "\(colour)")
    }
  }

  @Test func piecesEqualTheWhole() {
    let ambient = Self.ambient(NoiseModel(gain: SIMD3(repeating: 1e-3), floor: SIMD3(repeating: 1e-6)))
    let confidence = Self.map { x, y in Float((x * 7 + y * 3) % 11) / 10 }
    let look = AmbientLook(measuring: ambient)
    let whole = Self.look(ambient, confidence)
    for piece in [Rectangle(x: 0, y: 0, width: 33, height: 50), Rectangle(x: 61, y: 47, width: 59, height: 49)] {
      var part = Image(piece)
      part.withMutablePixels {
        look.process(
          piece, colour: Self.colour, ambient: ambient, confidence: confidence, into: $0, execution: .scattered)
      }
      #expect(part.pixels == whole.image(piece).pixels)
    }
  }

  @Test func nonsenseBecomesNumbers() {
    let values: [Float] = [.nan, .infinity, -.infinity, -1, 0, 1e30, -1e30, 0.5, 1]
    let absurd = Image(Self.bounds) { x, y in
      Pixel(values[(x + y) % 9], values[(x * 3 + y) % 9], values[(x + y * 7) % 9], 1)
    }
    let look = AmbientLook(gain: .nan, floor: -1)
    for (colour, ambient) in [(absurd, Self.ambient()), (Self.colour, absurd), (absurd, absurd)] {
      var result = Image(Self.bounds)
      result.withMutablePixels {
        look.process(Self.bounds, colour: colour, ambient: ambient, confidence: absurd, into: $0)
      }
      #expect(result.pixels.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite && $0.w == 1 })
    }
  }
}
