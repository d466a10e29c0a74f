import GEGL
import Raster
import Testing

extension Operations {
  /// Paper is made even in the graph.
  @Suite(.serialized) struct EvenPaperTests {
    init() { OperationFixture.started }

    private static let size = Rectangle(x: 5, y: -3, width: 200, height: 160)

    /// Paper with a falloff, a line of writing every ten rows, and a red stamp.
    private static func page() throws -> Buffer {
      let image = Image(size) { x, y in
        let light = 0.9 - 0.003 * Float(x) - 0.001 * Float(y)
        if (60..<90).contains(x), (50..<80).contains(y) { return Pixel(rgb: SIMD3(0.5, 0.1, 0.1) * light, alpha: 1) }
        let ink: Float = (y + 10) % 10 < 3 && (x / 3) % 3 == 0 ? 0.06 : 1
        return Pixel(rgb: SIMD3(0.82, 0.8, 0.76) * light * ink, alpha: 1)
      }
      return try Buffer(size, format: OperationFixture.linear(), samples: image.pixels)
    }

    private func even(_ style: String) throws -> (pixels: [Pixel], paper: Double?) {
      let graph = try Graph()
      let node = try graph.add("constant-color:even-paper", ["style": .choice(style)])
      try node.connect(from: graph.add(Self.page()))
      return (try OperationFixture.pixels(node), node.number("found-paper"))
    }

    private func pixel(_ pixels: [Pixel], _ x: Int, _ y: Int) -> Pixel {
      pixels[(y - Self.size.y) * Self.size.width + x - Self.size.x]
    }

    @Test func paperIsEven() throws {
      let (pixels, paper) = try even("plain")
      #expect(try #require(paper) > 0.8)
      for x in [10, 100, 199] {
        let bare = pixel(pixels, x, 5).rgb
        #expect(abs(bare.x - 1) < 0.03 && abs(bare.y - 1) < 0.03 && abs(bare.z - 1) < 0.03, "\(x) \(bare)")
      }
      let stamp = pixel(pixels, 75, 65).rgb
      #expect(abs(stamp.x - 0.61) < 0.03 && abs(stamp.y - 0.125) < 0.02)
    }

    @Test func printIsCleanedUp() throws {
      let (pixels, _) = try even("color")
      #expect(pixel(pixels, 150, 5).rgb.min() > 0.999)
      #expect(pixel(pixels, 153, 11).rgb.max() < 0.01)
      let (bits, _) = try even("bilevel")
      #expect(bits.allSatisfy { $0.x == 0 || $0.x == 1 })
    }

    @Test func withoutPaperNothingIsDone() throws {
      let graph = try Graph()
      let black = [Pixel](repeating: Pixel(0, 0, 0, 1), count: 64 * 48)
      let box = Rectangle(width: 64, height: 48)
      let node = try graph.add("constant-color:even-paper")
      try node.connect(from: graph.add(Buffer(box, format: OperationFixture.linear(), samples: black)))
      #expect(try OperationFixture.pixels(node) == black)
      #expect(node.number("found-paper") == 0)
    }
  }
}
