import ConstantColorOperations
import GEGL
import GEGLOperation
import Raster
import Testing

extension Operations {
  /// The whole chain on scenes whose truth is known.
  @Suite(.serialized) struct DevelopTests {
    private let box = Rectangle(width: 160, height: 120)
    private let flashLight = SIMD3<Float>(0.5, 0.5, 0.5)
    private let ambientLight = SIMD3<Float>(0.5, 0.3, 0.1)

    init() { OperationFixture.started }

    private func pair(in graph: Graph) throws -> (flash: Node, ambient: Node) {
      (
        try graph.add(OperationFixture.buffer(box, light: flashLight + ambientLight)),
        try graph.add(OperationFixture.buffer(box, light: ambientLight))
      )
    }

    private func develop(_ graph: Graph, _ properties: KeyValuePairs<String, Value>) throws -> Node {
      let frames = try pair(in: graph)
      let node = try graph.add("constant-color:develop", properties)
      try node.connect(from: frames.flash)
      try node.connect("aux", from: frames.ambient)
      return node
    }

    private func error(_ pixels: [Pixel], _ truth: [Pixel]) -> Float {
      zip(pixels, truth).map { ($0.rgb - $1.rgb).replacing(with: $1.rgb - $0.rgb, where: $0.rgb .< $1.rgb).max() }
        .reduce(0, +)
        / Float(truth.count)
    }

    @Test func ambientLightVanishes() throws {
      let graph = try Graph()
      let node = try develop(graph, ["exposure-ratio": 1, "exposure": "fixed", "space": "srgb", "align": "none"])
      let pixels = try OperationFixture.pixels(node)
      #expect(error(pixels, OperationFixture.scene(box, light: flashLight)) < 0.004)
    }

    /// The estimate that matches and subtracts by itself is the one of the chain, bit for bit.
    @Test(arguments: ["1.7 1.5 1.3", "1.7 1.5 1.3 rows 37.5 0.1 0.05 0.02 0.01 -0.1 0.03"])
    func subtractingInTheEstimateChangesNothing(matching: String) throws {
      let graph = try Graph()
      let frames = try pair(in: graph)
      let words = matching.split(separator: " ")
      let match = try graph.add(
        "constant-color:match-exposure",
        [
          "exposure-ratio": .double(Double(words[1]) ?? 0), "red-ratio": .double(Double(words[0]) ?? 0),
          "blue-ratio": .double(Double(words[2]) ?? 0), "flicker": .string(words.dropFirst(3).joined(separator: " ")),
        ])
      try match.connect(from: frames.flash)
      try match.connect("aux", from: frames.ambient)
      let subtract = try graph.add("constant-color:subtract-ambient")
      try subtract.connect(from: frames.flash)
      try subtract.connect("aux", from: match)
      let chained = try graph.add("constant-color:estimate-flash-only", ["quality-in-alpha": true])
      try chained.connect(from: subtract)
      try chained.connect("aux", from: frames.flash)
      try chained.connect("aux2", from: match)
      let own = try graph.add(
        "constant-color:estimate-flash-only",
        ["quality-in-alpha": true, "subtract": true, "matching": .string(matching)])
      try own.connect(from: frames.flash)
      try own.connect("aux2", from: frames.ambient)
      let (expected, found) = (try OperationFixture.pixels(chained), try OperationFixture.pixels(own))
      #expect(zip(expected, found).allSatisfy { $0 == $1 })
      try own.set("matching", "")
      #expect(try OperationFixture.pixels(own) != expected)
    }

    @Test func exposureRatioIsAProperty() throws {
      let graph = try Graph()
      let frames = try pair(in: graph)
      let half = try graph.add("gegl:exposure", ["exposure": -1])
      try half.connect(from: frames.ambient)
      let node = try graph.add(
        "constant-color:develop", ["exposure-ratio": 2, "exposure": "fixed", "space": "srgb", "align": "none"])
      try node.connect(from: frames.flash)
      try node.connect("aux", from: half)
      let right = try OperationFixture.pixels(node)
      #expect(error(right, OperationFixture.scene(box, light: flashLight)) < 0.004)
      // Only half of the ambient light taken away leaves the other half.
      try node.set("exposure-ratio", 1)
      let wrong = try OperationFixture.pixels(node)
      #expect(error(wrong, OperationFixture.scene(box, light: flashLight)) > 0.02)
    }

    @Test func showSwitches() throws {
      let graph = try Graph()
      let node = try develop(graph, ["exposure-ratio": 1, "exposure": "fixed", "align": "none"])
      var seen: [[Pixel]] = []
      for show in ["result", "confidence", "flash-only", "fallback", "overlay"] {
        try node.set("show", .choice(show))
        let pixels = try OperationFixture.pixels(node)
        #expect(pixels.allSatisfy { $0.isFinite && $0.w == 1 }, "\(show)")
        #expect(!seen.contains(pixels) || show == "overlay", "\(show)")
        seen.append(pixels)
      }
      try node.set("show", "result")
      #expect(try OperationFixture.pixels(node) == seen[0])
    }

    @Test func greyStaysGrey() throws {
      let graph = try Graph()
      let grey = { (value: Float) in
        try graph.add(
          Buffer(
            box, format: OperationFixture.linear(),
            samples: [Pixel](repeating: Pixel(value, value, value, 1), count: box.count)))
      }
      let node = try graph.add("constant-color:develop", ["exposure-ratio": 1, "exposure": "fixed", "space": "srgb"])
      try node.connect(from: grey(0.38))
      try node.connect("aux", from: grey(0.2))
      for pixel in try OperationFixture.pixels(node) {
        #expect(abs(pixel.x - 0.18) < 1e-3)
        #expect(abs(pixel.x - pixel.y) < 1e-5 && abs(pixel.y - pixel.z) < 1e-5)
      }
    }

    @Test func pieceByPieceEqualsTheWhole() throws {
      for show in ["result", "confidence", "fallback", "overlay"] {
        let whole = try OperationFixture.pixels(
          develop(Graph(), ["show": .choice(show)]))
        let node = try develop(Graph(), ["show": .choice(show)])
        var y = 0
        while y < box.height {
          var x = 0
          while x < box.width {
            let piece = Rectangle(x: x, y: y, width: 64, height: 64).intersection(box)
            let part = try OperationFixture.pixels(node, piece)
            for row in 0..<piece.height {
              let start = (piece.y + row) * box.width + piece.x
              #expect(
                Array(part[(row * piece.width)..<((row + 1) * piece.width)])
                  == Array(whole[start..<(start + piece.width)]), "\(show)")
            }
            x += 64
          }
          y += 64
        }
      }
    }

    @Test func cancelledRenderingLeavesNothingBehind() throws {
      let graph = try Graph()
      let node = try develop(graph, [:])
      let whole = try OperationFixture.pixels(develop(Graph(), [:]))
      Run.cancellation.cancel()
      _ = try OperationFixture.pixels(node)
      Run.recover()
      #expect(try OperationFixture.pixels(node) == whole)
    }

    @Test func measuringOnceGivesWhatAutomaticGives() throws {
      let graph = try Graph()
      let automatic = try OperationFixture.pixels(develop(Graph(), ["space": "srgb"]))
      let frames = try pair(in: graph)
      let steps = try DevelopGraph(in: graph, flash: frames.flash, ambient: frames.ambient)
      try steps.set("space", "srgb")
      try steps.measureAlignment()
      try steps.measureExposure()
      try steps.measureFlashOnly()
      let measured = try OperationFixture.pixels(steps.render)
      #expect(error(measured, automatic) < 0.01)
      #expect(steps.found("found-exposure-ratio") != nil)
    }

    @Test func aWrongMatrixIsSaidOnceAndChangesNothing() throws {
      let (pixels, messages) = try Messages.capture { () -> [Pixel] in
        let graph = try Graph()
        let input = try graph.add(OperationFixture.buffer(box, light: [1, 1, 1]))
        let node = try graph.add("constant-color:adapt-to-d65", ["matrix": "1 2 3"])
        try node.connect(from: input)
        _ = try OperationFixture.pixels(node)
        return try OperationFixture.pixels(node)
      }
      #expect(
        messages.about("adapt-to-d65") == [
          "constant-color: constant-color:adapt-to-d65: a colour matrix has nine numbers, not 3"
        ])
      #expect(error(pixels, OperationFixture.scene(box, light: [1, 1, 1])) < 1e-6)
    }

    @Test func ambientFromAFileReplacesAux() throws {
      let graph = try Graph()
      let node = try graph.add("constant-color:develop")
      let (_, messages) = try Messages.capture { try node.set("ambient-path", "/nowhere/at-all.png") }
      #expect(messages.about("develop") == ["constant-color: constant-color:develop: '/nowhere/at-all.png' is no file"])
    }
  }
}
