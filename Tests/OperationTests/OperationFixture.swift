import ConstantColorOperations
import GEGL
import GEGLOperation
import Raster
import Testing

/// GEGL with this project's operations, and small pictures to feed them.
enum OperationFixture {
  static let started: Void = Library.start { register(constantColorOperations) }

  /// All operations of this project.
  static var names: [String] {
    started
    return Catalogue.names.filter { $0.hasPrefix("constant-color:") }
  }

  /// Those that take a picture.
  static var filters: [String] {
    names.filter { ((try? Catalogue.describe($0))?.inputs.contains("input")) == true }
  }

  static func linear() throws -> PixelFormat { try PixelFormat("RGBA float") }

  /// A scene with texture: `light` scales it, `shift` moves it.
  static func scene(_ bounds: Rectangle, light: SIMD3<Float>, shift: Int = 0) -> [Pixel] {
    Image(bounds) { x, y in
      let (u, v) = (x + shift - bounds.x, y - bounds.y)
      let hash = (u &* 73_856_093 ^ v &* 19_349_663) & 1023
      let checker: Float = (u / 7 + v / 5) % 2 == 0 ? 0.3 : 0.12
      let texture = checker + Float(hash) / 1023 * 0.002
      return Pixel(rgb: SIMD3(texture, texture * 0.8, texture * 0.6) * light, alpha: 1)
    }.pixels
  }

  /// A buffer of a scene; `space` other than sRGB tags it with that.
  static func buffer(_ bounds: Rectangle, light: SIMD3<Float>, shift: Int = 0) throws -> Buffer {
    try Buffer(bounds, format: linear(), samples: scene(bounds, light: light, shift: shift))
  }

  /// A node with an operation and its pads fed, as far as it has them.
  static func node(
    _ name: String, in graph: Graph, input: Node?, aux: Node?, aux2: Node? = nil
  ) throws -> Node {
    let node = try graph.add(name)
    let pads = Set(try Catalogue.describe(name).inputs)
    for (pad, source) in [("input", input), ("aux", aux), ("aux2", aux2 ?? aux)] {
      if let source, pads.contains(pad) { try node.connect(pad, from: source) }
    }
    return node
  }

  /// The node's result over a rectangle, as linear RGBA.
  static func pixels(_ node: Node, _ rectangle: Rectangle? = nil) throws -> [Pixel] {
    try node.read(rectangle ?? node.boundingBox, format: linear(), as: Pixel.self)
  }

}

/// All tests of the operations, one after the other: what GEGL says while one runs must be about that one.
@Suite(.serialized) enum Operations {}

extension [Messages.Message] {
  /// The messages that may be an operation's fault. Tests of other suites run at the same time, and
  /// make GEGL speak of other things.
  func about(_ operation: String) -> [String] {
    map { "\($0.domain): \($0.text)" }.filter {
      $0.contains(operation) || $0.contains("CRITICAL") || $0.contains("assertion") || $0.contains("babl")
    }
  }
}

extension Pixel {
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite && w.isFinite }
}
