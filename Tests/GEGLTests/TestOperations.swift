import GEGL
import GEGLOperation
import Raster

// One small operation of each kind, as a newcomer would write it.

struct Doubled: PointFilter {
  static let name = "test:doubled"
  static let words = Words(title: "Doubled", description: "Twice the light")
  @Property("gain", "How many times", 2.0, in: 0...10) var gain: Double

  func process(_ input: Pixels, into output: MutablePixels, area: Rectangle) {
    let gain = Float(gain)
    for index in 0..<output.count { output[index] = Pixel(rgb: input[index].rgb * gain, alpha: input[index].w) }
  }
}

enum Mode: String, PropertyChoice {
  case first, second
  static let typeName = "TestMode"
  var label: String { self == .first ? "The first" : "The second" }
}

struct Offset: PropertyGroup {
  @Property("offset", "What is added", 0.0, in: -1...1) var offset: Double
}

struct Sum: PointComposer {
  static let name = "test:sum"
  static let words = Words(title: "Sum", description: "input + aux", aux: ("Other", "What is added"))
  @Property("count", "A whole number", 3, in: 0...5) var count: Int
  @Property("flag", "Yes or no", true) var flag: Bool
  @Property("text", "Words", "none") var text: String
  @Property("mode", "A choice", Mode.second) var mode: Mode
  let offset = Offset()

  func process(_ input: Pixels, _ aux: Pixels?, into output: MutablePixels, area: Rectangle) {
    let offset = Pixel(repeating: Float(offset.offset))
    for index in 0..<output.count { output[index] = input[index] + (aux?[index] ?? .zero) + offset }
  }
}

struct Third: PointComposer3 {
  static let name = "test:third"
  static let words = Words(title: "Third", description: "aux2 alone")

  func process(_ input: Pixels, _ aux: Pixels?, _ aux2: Pixels?, into output: MutablePixels, area: Rectangle) {
    for index in 0..<output.count { output[index] = aux2?[index] ?? input[index] }
  }
}

/// The mean of the whole picture in every pixel: a whole-image operation with a result.
struct Mean: Composer {
  static let name = "test:mean"
  static let words = Words(title: "Mean", description: "The mean of everything")
  @Found("found-mean", "The mean of red") var foundMean: Double

  var reach: Reach { .whole }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    var sum = Pixel.zero
    if let input = inputs.input {
      let image = input.image(input.bounds)
      for pixel in image.pixels { sum += pixel }
      sum /= Float(max(1, image.pixels.count))
    }
    foundMean = Double(sum.x)
    run.bands(area, to: output) { _, pixels in for index in 0..<pixels.count { pixels[index] = sum } }
  }
}

/// The left neighbour: an operation with a margin.
struct Left: Composer {
  static let name = "test:left"
  static let words = Words(title: "Left", description: "The left neighbour's light")

  var reach: Reach { .margin(1) }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    run.bands(area, to: output) { band, pixels in
      let shifted = Rectangle(x: band.x - 1, y: band.y, width: band.width, height: band.height)
      inputs.input?.read(shifted, into: pixels)
    }
  }
}

/// The sum of all inputs beside the first: an operation with many pads.
struct Collected: Collector {
  static let name = "test:collected"
  static let words = Words(title: "Collected", description: "aux + aux2 + ...")

  var reach: Reach { .margin(0) }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    run.bands(area, to: output) { band, pixels in
      for index in 0..<pixels.count { pixels[index] = .zero }
      for input in inputs.auxiliaries.compactMap(\.self) {
        let image = input.image(band)
        for index in 0..<pixels.count { pixels[index] += image.pixels[index] }
      }
    }
  }
}

struct Ramp: GEGLOperation.Source {
  static let name = "test:ramp"
  static let words = Words(title: "Ramp", description: "x, y, x + y")
  @Property("size", "Width and height", 100, in: 1...100_000) var size: Int

  func bounds() -> Rectangle { Rectangle(width: size, height: size) }

  func process(into output: Sink, area: Rectangle, run: Run) {
    run.bands(area, to: output) { band, pixels in
      for index in 0..<pixels.count {
        let (x, y) = (Float(band.x + index % band.width), Float(band.y + index / band.width))
        pixels[index] = Pixel(x, y, x + y, 1)
      }
    }
  }
}

struct Quadrupled: MetaOperation {
  static let name = "test:quadrupled"
  static let words = Words(title: "Quadrupled", description: "Twice twice")
  static let hasAux = false
  @Property("gain", "How many times, each of two", 2.0, in: 0...10) var gain: Double
  @Found("found-gain", "The gain of both") var foundGain: Double

  static func attach(to graph: Graph) throws -> [Node] {
    let (first, second) = (try graph.add("test:doubled"), try graph.add("test:doubled"))
    try first.connect(from: graph.input())
    try second.connect(from: first)
    try graph.output().connect(from: second)
    return [first, second]
  }

  func update(_ nodes: [Node]) throws { for node in nodes { try node.set("gain", .double(gain)) } }

  func found(_ name: String, in nodes: [Node]) -> Value? {
    .double(nodes.reduce(1) { $0 * ($1.number("gain") ?? .nan) })
  }
}

/// A graph with a part that no installation has.
struct Broken: MetaOperation {
  static let name = "test:broken"
  static let words = Words(title: "Broken", description: "A part is missing")
  static let hasAux = false

  static func attach(to graph: Graph) throws -> Node {
    let first = try graph.add("test:doubled")
    try first.connect(from: graph.input())
    let second = try graph.add("test:nowhere")
    try second.connect(from: first)
    try graph.output().connect(from: second)
    return second
  }

  func update(_ node: Node) throws {}
}

enum TestLibrary {
  /// Starts GEGL with the test's operations, registered as a program registers its own.
  static let started: Void = Library.start {
    register([
      Doubled.self, Sum.self, Third.self, Mean.self, Left.self, Collected.self, Ramp.self, Quadrupled.self, Broken.self,
    ])
  }

  static let rgba = "RGBA float"
}
