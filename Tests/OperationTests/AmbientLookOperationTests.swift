import ConstantColorOperations
import GEGL
import Raster
import Testing

extension Operations {
  /// The room's light instead of the flash's, and the fallback picture, through the whole chain.
  @Suite(.serialized) struct AmbientLookOperationTests {
    private let box = Rectangle(width: 160, height: 120)
    private let flashLight = SIMD3<Float>(0.5, 0.5, 0.5)

    init() { OperationFixture.started }

    /// A shadow over the right half, and orange light.
    private func ambientLight(_ x: Int) -> SIMD3<Float> { SIMD3(0.5, 0.3, 0.1) * (x < 80 ? 1 : 0.3) }

    private func develop(_ graph: Graph, _ properties: KeyValuePairs<String, Value>) throws -> Node {
      let surfaces = OperationFixture.scene(box, light: [1, 1, 1])
      func frame(_ light: (Int) -> SIMD3<Float>) throws -> Node {
        let pixels = surfaces.enumerated().map { Pixel(rgb: $1.rgb * light($0 % 160), alpha: 1) }
        return try graph.add(Buffer(box, format: OperationFixture.linear(), samples: pixels))
      }
      let node = try graph.add("constant-color:develop", properties)
      try node.connect(from: frame { ambientLight($0) + flashLight })
      try node.connect("aux", from: frame(ambientLight))
      for (name, value) in [("exposure-ratio", 1), ("exposure", "fixed"), ("space", "srgb"), ("align", "none")]
        as [(String, Value)]
      { try node.set(name, value) }
      return node
    }

    /// Colours are those of the surfaces, and the shadow is there.
    private func check(_ pixels: [Pixel], tolerance: Float, _ comment: Comment) {
      let surfaces = OperationFixture.scene(box, light: [1, 1, 1])
      var light = SIMD2<Float>.zero
      for y in stride(from: 10, to: 110, by: 3) {
        for x in stride(from: 10, to: 150, by: 3) where abs(x - 80) > 10 {
          let (pixel, surface) = (pixels[y * 160 + x].rgb, surfaces[y * 160 + x].rgb)
          let ratio = pixel / surface
          #expect(ratio.max() / ratio.min() < 1 + tolerance, "\(comment) \(x) \(y) \(pixel) \(surface)")
          light[x < 80 ? 0 : 1] += ratio.y
        }
      }
      let depth = light.y / light.x * Float(24) / Float(22)
      #expect(depth > 0.2 && depth < 0.4, "\(comment) \(depth)")
    }

    @Test func theRoomsLightWithTrueColours() throws {
      let node = try develop(Graph(), ["look": "ambient"])
      check(try OperationFixture.pixels(node), tolerance: 0.08, "look")
      // The flash's light has no shadow.
      try node.set("look", "flash")
      let flash = try OperationFixture.pixels(node)
      #expect(try OperationFixture.pixels(develop(Graph(), [:])) == flash)
      #expect(
        abs(flash[40 * 160 + 40].y / 0.5 - OperationFixture.scene(box, light: [1, 1, 1])[40 * 160 + 40].y) < 0.02)
    }

    @Test func theFallbackHasTheSameColours() throws {
      check(try OperationFixture.pixels(develop(Graph(), ["show": "fallback"])), tolerance: 0.1, "fallback")
    }

    @Test func pieceByPieceEqualsTheWhole() throws {
      let whole = try OperationFixture.pixels(develop(Graph(), ["look": "ambient"]))
      let node = try develop(Graph(), ["look": "ambient"])
      for piece in [Rectangle(x: 70, y: 30, width: 64, height: 50), Rectangle(x: 0, y: 0, width: 64, height: 64)] {
        let part = try OperationFixture.pixels(node, piece)
        for (index, pixel) in part.enumerated() {
          let (x, y) = (piece.x + index % piece.width, piece.y + index / piece.width)
          guard pixel != whole[y * 160 + x] else { continue }
          Issue.record("\(x) \(y)")
          return
        }
      }
    }

    @Test func theMethodIsTold() throws {
      let graph = try Graph()
      let orange = try graph.add(OperationFixture.buffer(box, light: [0.5, 0.3, 0.1]))
      let white = try graph.add(OperationFixture.buffer(box, light: [0.3, 0.3, 0.3]))
      let node = try graph.add("constant-color:white-balance-ambient")
      try node.connect(from: orange)
      func method() throws -> Value {
        _ = try OperationFixture.pixels(node)
        return try node.value("found-method")
      }
      #expect(try method() == "shadesOfGrey")
      try node.connect("aux", from: white)
      #expect(try method() == "pair")
      try node.set("red-gain", 1)
      #expect(try method() == "given")
    }

    @Test func hatchingIsDarkAndLightWhereNothingCanBeTrusted() throws {
      let graph = try Graph()
      let confidence = Image(box) { x, _ in Pixel(repeating: x < 80 ? 0.49 : 0.51) }
      let grey = Image(box) { _, _ in Pixel(0.2, 0.2, 0.2, 1) }
      let node = try graph.add("constant-color:mark-low-confidence")
      try node.connect(
        from: graph.add(Buffer(box, format: OperationFixture.linear(), samples: grey.pixels)))
      try node.connect(
        "aux", from: graph.add(Buffer(box, format: OperationFixture.linear(), samples: confidence.pixels)))
      let pixels = try OperationFixture.pixels(node)
      let (left, right) = (pixels.indices.filter { $0 % 160 < 80 }, pixels.indices.filter { $0 % 160 >= 80 })
      #expect(right.allSatisfy { abs(pixels[$0].y - 0.2) < 1e-6 })
      func share(_ isLine: (Pixel) -> Bool) -> Double {
        Double(left.count { isLine(pixels[$0]) }) / Double(left.count)
      }
      // Three quarters of the picture stay as they are.
      #expect(abs(share { $0.y < 0.1 } - 0.125) < 0.02)
      #expect(abs(share { $0.y > 0.5 } - 0.125) < 0.02)
      #expect(abs(share { abs($0.y - 0.2) < 1e-6 } - 0.75) < 0.03)
    }
  }
}
