import GEGL
import Raster
import Testing

extension Operations {
  /// What every operation owes to pixels, whatever it is for: values are linear light, grey is grey, pixels have the format
  /// that was promised.
  @Suite(.serialized) struct PixelRulesTests {
    init() { OperationFixture.started }

    private static let box = Rectangle(width: 64, height: 48)

    /// An even picture in one colour.
    private static func even(_ rgb: SIMD3<Float>, in graph: Graph) throws -> Node {
      let pixels = [Pixel](repeating: Pixel(rgb: rgb, alpha: 1), count: box.count)
      return try graph.add(Buffer(box, format: OperationFixture.linear(), samples: pixels))
    }

    /// Even pictures for each operation's pads, with which its result is 18 % of white; half of the pair's light is the flash's.
    private static let greys: [(name: String, pads: [Float], properties: KeyValuePairs<String, Value>)] = [
      ("align", [0.38, 0.18], ["align": "none"]),
      ("average-ambient", [0.38, 0.18, 0.18], [:]),
      ("match-exposure", [0.38, 0.09], ["exposure-ratio": 2]),
      ("subtract-ambient", [0.38, 0.1], ["exposure-ratio": 2]),
      ("estimate-flash-only", [0.18, 0.38, 0.2], [:]),
      ("flat-field", [0.18], [:]),
      ("adapt-to-d65", [0.18], [:]),
      ("white-balance-ambient", [0.18, 0.3], [:]),
      ("ambient-look", [0.18, 0.18], [:]),
      ("render-output", [0.18], ["exposure": "fixed"]),
      ("mark-low-confidence", [0.18, 1], [:]),
      ("develop", [0.38, 0.2], ["exposure-ratio": 1, "exposure": "fixed"]),
    ]

    private static func pixels(_ index: Int, tint: SIMD3<Float>) throws -> [Pixel] {
      let (name, pads, properties) = greys[index]
      let graph = try Graph()
      let node = try graph.add("constant-color:" + name, properties)
      for (pad, value) in zip(["input", "aux", "aux2"], pads) {
        try node.connect(pad, from: even(tint * value, in: graph))
      }
      return try OperationFixture.pixels(node, box)
    }

    /// Not of the confidence, which is no colour, nor of paper and background, which become white. An operation that took
    /// encoded numbers for light, or light for encoded numbers, would miss this by far.
    @Test func eighteenPercentGreyHasItsValueInLinearLight() throws {
      let others = ["confidence", "reflectance-check", "even-paper", "white-background"]
      #expect(
        Set((Self.greys.map(\.name) + others).map { "constant-color:" + $0 }) == Set(OperationFixture.filters))
      for index in Self.greys.indices {
        for pixel in try Self.pixels(index, tint: [1, 1, 1]) {
          #expect(abs(pixel.y - 0.18) < 1e-3, "\(Self.greys[index].name) \(pixel)")
        }
      }
    }

    @Test func greyHasNoHue() throws {
      for index in Self.greys.indices {
        for pixel in try Self.pixels(index, tint: [1, 1, 1]) {
          let worst = max(abs(pixel.x - pixel.y), abs(pixel.y - pixel.z))
          #expect(worst < 1e-6, "\(Self.greys[index].name) \(pixel)")
        }
      }
    }

    /// A transparent layer stays so: the result of whatever takes and gives a picture is as transparent as its input.
    @Test func transparencyStays() throws {
      let ramp = Image(Self.box) { x, y in
        Pixel(rgb: SIMD3(0.5, 0.4, 0.3) * (1 + 0.3 * Float((x / 5 + y / 3) % 2)), alpha: Float(x) / 63)
      }.pixels
      func check(_ operation: String, _ pads: [String], show: String? = nil) throws {
        let graph = try Graph()
        let input = try graph.add(Buffer(Self.box, format: OperationFixture.linear(), samples: ramp))
        let other = try graph.add(OperationFixture.buffer(Self.box, light: [0.4, 0.3, 0.2]))
        let node = try graph.add("constant-color:" + operation)
        try node.connect(from: input)
        for pad in pads { try node.connect(pad, from: pad == "aux2" && operation == "render-output" ? input : other) }
        if let show { try node.set("show", .choice(show)) }
        let result = try OperationFixture.pixels(node)
        #expect(zip(result, ramp).allSatisfy { abs($0.w - $1.w) < 1e-6 }, "\(operation) \(pads) \(show ?? "")")
      }
      for show in ["result", "flash-only", "overlay", "fallback"] { try check("develop", ["aux"], show: show) }
      try check("render-output", [])
      try check("render-output", ["aux", "aux2"])
      try check("mark-low-confidence", ["aux"])
      try check("even-paper", [])
      try check("white-balance-ambient", ["aux"])
      try check("ambient-look", [])
    }

    /// The format of each operation's result is its own word, not what happened to come in.
    @Test func resultsHaveTheFormatThatIsPromised() throws {
      for name in OperationFixture.names {
        for input in ["R'G'B' u8", "YA half", "RGBA float"] {
          let graph = try Graph()
          let frame = try Buffer(Self.box, format: PixelFormat(input))
          let node = try OperationFixture.node(
            name, in: graph, input: graph.add(frame), aux: graph.add(frame))
          _ = try OperationFixture.pixels(node, Self.box)
          let isMap = ["constant-color:confidence", "constant-color:reflectance-check"].contains(name)
          let expected = isMap ? "Y float" : "RGBA float"
          let format = try #require(node.outputFormat).name
          #expect(format == expected || format.hasPrefix(expected + "-"), "\(name) of \(input): \(format)")
        }
      }
    }

    /// Rows of any length: no kernel keeps one on the stack, which threads have little of.
    @Test func rowsMayBeVeryLong() throws {
      let long = Rectangle(width: 60_000, height: 3)
      for name in OperationFixture.filters {
        let graph = try Graph()
        let node = try OperationFixture.node(
          name, in: graph, input: graph.add(OperationFixture.buffer(long, light: [1, 1, 1])),
          aux: graph.add(OperationFixture.buffer(long, light: [0.4, 0.3, 0.2])))
        #expect(try OperationFixture.pixels(node).allSatisfy { $0.isFinite }, "\(name)")
      }
    }

    /// Races show themselves seldom: the same again and again, on more threads than there are processors.
    @Test func manyRendersOnEightThreadsGiveTheSameBits() throws {
      let usual = Library.threads
      defer { Library.start(.init(threads: usual)) }
      for name in OperationFixture.filters {
        let box = Rectangle(width: 160, height: 130)
        let frames = (
          try OperationFixture.buffer(box, light: [1, 0.9, 0.8]),
          try OperationFixture.buffer(box, light: [0.5, 0.3, 0.1])
        )
        func render(threads: Int) throws -> [Pixel] {
          Library.start(.init(threads: threads))
          let graph = try Graph()
          return try OperationFixture.pixels(
            OperationFixture.node(name, in: graph, input: graph.add(frames.0), aux: graph.add(frames.1)))
        }
        let reference = try render(threads: 1)
        for count in 1...(EverySettingTests.stress == nil ? 8 : 50) {
          #expect(try render(threads: count % 2 == 0 ? 8 : 2) == reference, "\(name), the \(count)th time")
        }
      }
    }
  }
}
