import ConstantColorOperations
import GEGL
import GEGLOperation
import Raster
import Testing

extension Operations {
  /// Averaging ambient frames in a graph.
  @Suite(.serialized) struct AverageAmbientTests {
    private let box = Rectangle(width: 160, height: 120)
    private let light = SIMD3<Float>(0.5, 0.3, 0.1)

    init() { OperationFixture.started }

    /// The scene in ambient light with noise, and something in front of it.
    private func frame(_ seed: UInt64, object: Rectangle? = nil, exposure: Float = 1) throws -> Buffer {
      var state = seed
      var samples = OperationFixture.scene(box, light: light)
      for index in samples.indices {
        var noise = SIMD3<Float>.zero
        for channel in 0..<3 {
          // Four of them are normal enough.
          for _ in 0..<4 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            noise[channel] += Float(state >> 40) / 16_777_216 - 0.5
          }
        }
        let isCovered = object?.contains(x: index % box.width, y: index / box.width) ?? false
        let value = (isCovered ? SIMD3(0.4, 0.4, 0.4) : samples[index].rgb) * exposure
        samples[index] = Pixel(rgb: value + noise * 0.004, alpha: 1)
      }
      return try Buffer(box, format: OperationFixture.linear(), samples: samples)
    }

    private func node(_ frames: [Buffer], in graph: Graph, flash: SIMD3<Float> = [1, 1, 1]) throws -> Node {
      let node = try graph.add("constant-color:average-ambient")
      try node.connect(from: graph.add(OperationFixture.buffer(box, light: flash)))
      for (index, frame) in frames.enumerated() {
        try node.connect(index == 0 ? "aux" : "aux\(index + 1)", from: graph.add(frame))
      }
      return node
    }

    private func variance(_ pixels: [Pixel]) -> Float {
      let truth = OperationFixture.scene(box, light: light)
      let squares = zip(pixels, truth).map { ($0.rgb - $1.rgb) * ($0.rgb - $1.rgb) }
      return squares.reduce(0) { $0 + $1.sum() } / Float(3 * pixels.count)
    }

    @Test func noiseFallsWithTheNumberOfFrames() throws {
      let frames = try (1...8).map { try frame($0) }
      let graph = try Graph()
      let one = variance(try OperationFixture.pixels(node([frames[0]], in: graph)))
      for count in [2, 4, 8] {
        let average = try node(Array(frames[..<count]), in: graph)
        let ratio = variance(try OperationFixture.pixels(average)) / one * Float(count)
        #expect(abs(ratio - 1) < 0.08, "\(count) \(ratio)")
        #expect(
          try average.value("found-used") == .string([String](repeating: "1", count: count).joined(separator: " ")))
      }
    }

    @Test func padsMayBeMissingAnywhere() throws {
      let graph = try Graph()
      let average = try node([], in: graph)
      #expect(try OperationFixture.pixels(average).allSatisfy { $0 == .zero })
      let buffers = try [frame(1), frame(2)]
      try average.connect("aux3", from: graph.add(buffers[0]))
      #expect(try OperationFixture.pixels(average) == OperationFixture.pixels(graph.add(buffers[0])))
      try average.connect("aux16", from: graph.add(buffers[1]))
      try average.connect("aux7", from: graph.add("gegl:buffer-source"))
      let both = try OperationFixture.pixels(average)
      #expect(try both == OperationFixture.pixels(node(buffers, in: graph)))
      average.disconnect("aux16")
      #expect(try OperationFixture.pixels(average) == OperationFixture.pixels(graph.add(buffers[0])))
    }

    @Test func piecesEqualTheWhole() throws {
      let graph = try Graph()
      let object = Rectangle(x: 60, y: 40, width: 30, height: 30)
      let frames = try [frame(1), frame(2, object: object), frame(3, exposure: 0.5)]
      let whole = try OperationFixture.pixels(node(frames, in: graph))
      let average = try node(frames, in: graph)
      for piece in [Rectangle(x: 50, y: 30, width: 41, height: 17), Rectangle(x: 0, y: 119, width: 160, height: 1)] {
        let part = try OperationFixture.pixels(average, piece)
        for index in part.indices {
          #expect(part[index] == whole[(piece.y + index / piece.width) * 160 + piece.x + index % piece.width])
        }
      }
      // The object is gone.
      #expect(abs(whole[55 * 160 + 75].x - OperationFixture.scene(box, light: light)[55 * 160 + 75].x) < 0.01)
      guard case .string(let gains) = try average.value("found-gains") else { throw GEGLError("no gains") }
      let numbers = gains.split(separator: " ").compactMap { Double($0) }
      #expect(numbers.count == 9 && abs(numbers[7] - 2) < 0.02, "\(gains)")
    }

    @Test func theFlashFrameDecidesWhereTheRatioIsKnown() throws {
      let graph = try Graph()
      let object = Rectangle(x: 60, y: 40, width: 30, height: 30)
      let average = try node([frame(1, object: object), frame(2)], in: graph, flash: light + 0.1)
      let place = Rectangle(x: 75, y: 55, width: 1, height: 1)
      #expect(try OperationFixture.pixels(average, place)[0].w < 0.005)
      try average.set("exposure-ratio", 1)
      let pixel = try OperationFixture.pixels(average, place)[0]
      #expect(pixel.w > 0.3 && abs(pixel.x - OperationFixture.scene(box, light: light)[55 * 160 + 75].x) < 0.02)
    }

    @Test func theDevelopmentOfOneFrameIsAsItWas() throws {
      let graph = try Graph()
      let flash = try graph.add(OperationFixture.buffer(box, light: [1, 0.8, 0.6]))
      var steps = try DevelopGraph(in: graph, flash: flash, ambient: graph.add(frame(1)))
      #expect(steps.aligned == steps.align && !steps.averages)
      #expect(try steps.measureAverage().isEmpty)
      #expect(steps.match.producer("aux") == steps.align && steps.whiteBalance.producer() == steps.align)
    }

    @Test func theDevelopmentOfSeveralKeepsOnlyTheAverage() throws {
      let graph = try Graph()
      let flash = try graph.add(OperationFixture.buffer(box, light: [1, 0.8, 0.6]))
      let frames = try (1...3).map { try frame($0) }
      var steps = try DevelopGraph(
        in: graph, flash: flash, ambient: graph.add(frames[0]), more: frames.dropFirst().map { try graph.add($0) })
      try steps.set("align", "none")
      try steps.measureAlignment()
      let outcomes = try steps.measureAverage()
      #expect(outcomes.map(\.isUsed) == [true, true, true])
      #expect(outcomes.allSatisfy { $0.model == "identity" && ($0.rejectedFraction ?? 1) < 0.01 })
      #expect(try OperationFixture.pixels(steps.aligned) == OperationFixture.pixels(node(frames, in: graph)))
      #expect(steps.match.producer("aux") == steps.aligned && steps.whiteBalance.producer() == steps.aligned)
      // A second time there is nothing to do; and settings reach what is left.
      #expect(try steps.measureAverage().isEmpty)
      try steps.set("exposure-ratio", 1)
      #expect(try OperationFixture.pixels(steps.render).allSatisfy { $0.isFinite })
    }
  }
}
