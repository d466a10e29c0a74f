import Raster
import TerminalPicture
import Testing

struct PreviewTests {
  private func picture(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> Pixel) -> Image {
    Image(Rectangle(width: width, height: height), pixel)
  }

  @Test func smallPicturesStayAsTheyAre() throws {
    let image = picture(3, 2) { x, y in Pixel(Float(x) / 2, Float(y), 0.21404, 1) }
    let preview = try #require(Preview(image, fitting: (100, 100)))
    #expect(preview.width == 3 && preview.height == 2)
    // 0.5 in linear light is 188, 0.21404 is 127.5 in sRGB.
    #expect(preview.bytes[4] == 188 && (127...128).contains(preview.bytes[2]))
    #expect(preview.bytes[0] == 0 && preview.bytes[13] == 255 && preview.bytes[3] == 255)
  }

  @Test func largeOnesAreMeansOfLight() throws {
    let image = picture(1000, 500) { x, y in Pixel(repeating: (x + y) % 2 == 0 ? 1 : 0) + Pixel(0, 0, 0, 1) }
    let preview = try #require(Preview(image, fitting: (40, 40)))
    #expect(preview.width == 40 && preview.height == 20)
    let opaque = try #require(
      Preview(picture(64, 64) { x, _ in Pixel(rgb: SIMD3(repeating: x % 2 == 0 ? 1 : 0), alpha: 1) }, fitting: (8, 8)))
    #expect(opaque.bytes.prefix(3) == [188, 188, 188])
    let narrow = try #require(Preview(picture(5000, 1) { _, _ in .one }, fitting: (10, 10)))
    #expect(narrow.width == 10 && narrow.height == 1)
  }

  @Test func everySizeFits() throws {
    let image = picture(37, 23) { _, _ in .one }
    for width in [1, 2, 7, 36, 37, 38] {
      for height in [1, 5, 22, 23, 24] {
        let preview = try #require(Preview(image, fitting: (width, height)))
        #expect(preview.width <= width && preview.height <= height && preview.width >= 1 && preview.height >= 1)
        #expect(preview.bytes.allSatisfy { $0 == 255 })
      }
    }
    #expect(Preview(image, in: Rectangle(x: 90, y: 0, width: 4, height: 4), fitting: (8, 8))?.width == 0)
    #expect(Preview(image, in: Rectangle(x: 30, y: 20, width: 90, height: 90), fitting: (80, 80))?.width == 7)
    #expect(Preview(image, fitting: (0, -5))?.width == 1)
  }

  @Test func whatIsNoColourIsSeen() throws {
    let image = picture(3, 1) { x, _ in [Pixel(.nan, 0, 0, 1), Pixel(0, .infinity, 0, 1), Pixel(1, 1, 1, 0)][x] }
    let preview = try #require(Preview(image, fitting: (9, 9)))
    #expect(preview.bytes == [255, 0, 255, 255, 255, 0, 255, 255, 0, 0, 0, 0])
    let bounded = try #require(Preview(picture(2, 1) { x, _ in Pixel(x == 0 ? -3 : 1e30, 0, 0, 1) }, fitting: (9, 9)))
    #expect(bounded.bytes[0] == 0 && bounded.bytes[4] == 255)
  }

  @Test func exposureIsInStops() throws {
    let dark = picture(20, 20) { _, _ in Pixel(0.125, 0.125, 0.125, 1) }
    #expect(try #require(Preview(dark, fitting: (9, 9), stops: 3)).bytes[0] == 255)
    #expect(try #require(Preview(dark, fitting: (9, 9), stops: 2)).bytes[0] == 188)
    #expect(abs(Preview.automaticStops(dark) - 2.848) < 0.001)
    #expect(Preview.automaticStops(picture(4, 4) { _, _ in .zero }) == 0)
    #expect(Preview.automaticStops(picture(4, 4) { _, _ in Pixel(repeating: .nan) }) == 0)
    _ = Preview(dark, fitting: (9, 9), stops: .nan)
  }

  @Test func twoStandSideBySide() throws {
    let one = try #require(Preview(picture(2, 3) { _, _ in .one }, fitting: (9, 9)))
    let two = try #require(Preview(picture(4, 1) { _, _ in Pixel(0, 0, 0, 1) }, fitting: (9, 9)))
    let both = one.beside(two, gap: 1)
    #expect(both.width == 7 && both.height == 3 && both.bytes.count == 84)
    #expect(Array(both.bytes[8..<16]) == [0, 0, 0, 0, 0, 0, 0, 255])
    #expect(both.bytes[28..<32] == [255, 255, 255, 255] && both.bytes[40..<44] == [0, 0, 0, 0])
  }

  @Test func cancelled() {
    let token = CancellationToken()
    token.cancel()
    let execution = Execution(cancellation: token) { count, body in body(Turns(count)) }
    #expect(Preview(picture(9, 9) { _, _ in .one }, fitting: (4, 4), execution: execution) == nil)
  }
}
