import GEGL
import JSONValue
import Raster

/// The point operations in a graph, beside GEGL's own that do as much: their pictures in bands, as they are written to files,
/// and whole, into a buffer.
struct OperationBenchmark {
  private let box: Rectangle
  private let times: Int
  private let flash, ambient: Buffer

  init(_ box: Rectangle, times: Int) throws {
    (self.box, self.times) = (box, times)
    let format = try PixelFormat("RGBA float")
    func picture(brightness: Float) throws -> Buffer {
      let buffer = try Buffer(box, format: format)
      for band in box.bands(of: 256) {
        let pixels = (0..<band.count).map { madeUpPixel(band.y * box.width + $0, brightness: brightness) }
        try buffer.write(pixels, to: band, format: format)
      }
      return buffer
    }
    (flash, ambient) = (try picture(brightness: 1), try picture(brightness: 0.4))
  }

  func run() throws {
    let matrix: KeyValuePairs<String, Value> = [
      "rr-gain": 0.82, "rg-gain": 0.18, "rb-gain": 0.0, "gr-gain": 0.03, "gg-gain": 0.97, "gb-gain": 0.0,
      "br-gain": 0.02, "bg-gain": 0.07, "bb-gain": 0.91,
    ]
    try compare(
      "subtract-ambient", Chain([("constant-color:subtract-ambient", [:])], flash, ambient),
      Chain([("gegl:subtract", [:])], flash, ambient))
    // Scales the ambient frame: the other one is there for its size alone.
    try compare(
      "match-exposure", Chain([("constant-color:match-exposure", ["exposure-ratio": 0.9])], flash, ambient),
      Chain([("gegl:multiply", ["value": 0.9])], ambient))
    try compare(
      "adapt-to-d65", Chain([("constant-color:adapt-to-d65", ["flash-cct": 5600.0])], flash),
      Chain([("gegl:channel-mixer", matrix)], flash))
    try compare(
      "render-output",
      Chain([("constant-color:render-output", ["exposure": "fixed", "exposure-gain": -0.15])], flash),
      Chain([("gegl:channel-mixer", matrix), ("gegl:rgb-clip", [:])], flash))
  }

  /// Operations one after the other, the first with one or two pictures.
  private struct Chain {
    let steps: [(operation: String, properties: KeyValuePairs<String, Value>)]
    let input: Buffer
    let aux: Buffer?

    init(_ steps: [(String, KeyValuePairs<String, Value>)], _ input: Buffer, _ aux: Buffer? = nil) {
      (self.steps, self.input, self.aux) = (steps, input, aux)
    }

    var name: String { steps.map(\.operation).joined(separator: ", ") }

    /// The last node, in a graph of its own: GEGL keeps what nodes have computed.
    func node() throws -> Node {
      let graph = try Graph()
      var last = try graph.add(input)
      for (index, step) in steps.enumerated() {
        let node = try graph.add(step.operation, step.properties)
        try node.connect(from: last)
        if index == 0, let aux { try node.connect("aux", from: graph.add(aux)) }
        node.keepsResult = false
        last = node
      }
      return last
    }
  }

  /// Times two chains that do as much.
  private func compare(_ name: String, _ ours: Chain, _ theirs: Chain) throws {
    for (way, work) in [("streamed", stream), ("buffer", render)] {
      let seconds = try leastTimes(times, [ours, theirs].map { chain in { try work(chain) } })
      Benchmark.report([
        "operation": .string(name), "peer": .string(theirs.name), "way": .string(way), "seconds": .number(seconds[0]),
        "peerSeconds": .number(seconds[1]), "pixels": .integer(box.count), "threads": .integer(Library.threads),
      ])
    }
  }

  private func stream(_ chain: Chain) throws {
    let node = try chain.node()
    // The format of the result is known once its place is.
    _ = node.boundingBox
    let format = try PixelFormat("RGBA float", space: node.outputSpace)
    try node.renderBands(of: box, format: format) { _, _ in }
  }

  private func render(_ chain: Chain) throws { _ = try chain.node().buffer() }
}
