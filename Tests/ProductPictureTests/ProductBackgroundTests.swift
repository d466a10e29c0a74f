import ConstantColor
import Glibc
import ProductPicture
import Raster
import Testing

@Suite struct ProductBackgroundTests {
  private static let box = Rectangle(x: 3, y: -2, width: 240, height: 180)

  /// A disc of one colour before an uneven sheet, with a soft edge, and noise; and how much of each pixel is disc.
  private static func scene(
    _ color: SIMD3<Float> = SIMD3(0.3, 0.08, 0.05), noise: Float = 0, slope: Float = 0.001
  ) -> (image: Image, disc: [Float]) {
    var disc: [Float] = []
    var state: UInt32 = 1
    func random() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) * 0x1p-24 - 0.5
    }
    let image = Image(box) { x, y in
      let (u, v) = (Float(x - box.x) - 120, Float(y - box.y) - 90)
      let part = min(max(45.5 - hypotf(u, v), 0), 1)
      disc.append(part)
      let sheet = SIMD3<Float>(0.72, 0.7, 0.68) * (1 - slope * (u + 120))
      return Pixel(rgb: (sheet + part * (color - sheet)) * (1 + noise * random()), alpha: 1)
    }
    return (image, disc)
  }

  @Test func theSheetBecomesWhiteAndTheProductStays() throws {
    let (image, disc) = Self.scene(noise: 0.02)
    let background = try #require(ProductBackground.find(in: image, confidence: nil))
    #expect(abs(background.fraction - 0.85) < 0.03 && background.borderFraction > 0.99)
    let white = WhitenedPicture(image, background, color: SIMD3(1, 1, 1)).image(Self.box)
    for index in disc.indices {
      let (before, after) = (image.pixels[index].rgb, white.pixels[index].rgb)
      // Noise makes single pixels at its edge a little background.
      if disc[index] == 1 { #expect(abs(after.y - before.y) < 0.002 && abs(after.x - before.x) < 0.002) }
      if disc[index] == 0 { #expect((after - SIMD3(1, 1, 1)).min() > -0.02 && after.max() < 1.02) }
    }
    let sure = disc.indices.filter { disc[$0] == 0 }
    let mean = sure.reduce(Float(0)) { $0 + white.pixels[$1].y } / Float(sure.count)
    #expect(abs(mean - 1) < 0.001)
  }

  /// What a product before a white sheet would have looked like, also where pixels are partly of both: no halo.
  @Test(arguments: [SIMD3<Float>(0.3, 0.08, 0.05), SIMD3(0.02, 0.02, 0.02), SIMD3(0.5, 0.45, 0.1)])
  func edgesAreThoseOfAWhiteSheet(_ color: SIMD3<Float>) throws {
    let (image, disc) = Self.scene(color)
    let background = try #require(ProductBackground.find(in: image, confidence: nil))
    let white = WhitenedPicture(image, background, color: SIMD3(0.9, 0.9, 0.9)).image(Self.box)
    var worst: Float = 0
    for index in disc.indices where disc[index] > 0 && disc[index] < 1 {
      let ideal = disc[index] * color + (1 - disc[index]) * SIMD3<Float>(0.9, 0.9, 0.9)
      let off = white.pixels[index].rgb - ideal
      worst = max(worst, max(abs(off.x), abs(off.y), abs(off.z)))
    }
    // The backgrounds differ by 0.2 to 0.3: an edge that was missed would be off by half of that.
    #expect(worst < 0.03, "\(worst)")
  }

  @Test func whatIsNotTrustedStays() throws {
    let (image, _) = Self.scene()
    let trust = Image(Self.box) { x, _ in Pixel(repeating: x < 63 ? 0.1 : 0.9) }
    let background = try #require(ProductBackground.find(in: image, confidence: trust))
    let white = WhitenedPicture(image, background, color: SIMD3(1, 1, 1)).image(Self.box)
    #expect(white[10, 10] == image[10, 10] && white[50, 100] == image[50, 100])
    #expect(white[200, 10].y > 0.99)
  }

  @Test func theProductIsTheLargestThing() throws {
    let card = Rectangle(x: 10, y: 5, width: 60, height: 50)
    var (image, disc) = Self.scene()
    for y in card.y..<card.maxY {
      for x in card.x..<card.maxX {
        image.pixels[(y - Self.box.y) * Self.box.width + x - Self.box.x] = Pixel(0.18, 0.18, 0.18, 1)
      }
    }
    let background = try #require(ProductBackground.find(in: image, confidence: nil, ignoring: [card]))
    let count = Double(background.product.count { $0 }) * Double(background.factor * background.factor)
    #expect(abs(count / Double(disc.reduce(0, +)) - 1) < 0.1)
    #expect(!background.product[20 * background.columns + 20])
  }

  @Test func withoutABackgroundThereIsNone() {
    let dark = Image(Self.box) { _, _ in Pixel(0, 0, 0, 1) }
    #expect(ProductBackground.find(in: dark, confidence: nil) == nil)
    let (image, _) = Self.scene()
    #expect(ProductBackground.find(in: image, confidence: Image(Self.box)) == nil)
    let checker = Image(Self.box) { x, y in Pixel(repeating: (x / 9 + y / 7) % 2 == 0 ? 0.8 : 0.1) }
    if let background = ProductBackground.find(in: checker, confidence: nil) { #expect(background.fraction < 0.6) }
    for size in [Rectangle(width: 0, height: 0), Rectangle(width: 1, height: 1), Rectangle(width: 9, height: 2)] {
      #expect(ProductBackground.find(in: Image(size), confidence: nil) == nil)
    }
    let holes = Image(Self.box) { x, y in Pixel(repeating: x % 2 == 0 ? .nan : 0.8) }
    _ = ProductBackground.find(in: holes, confidence: nil)
  }
}
