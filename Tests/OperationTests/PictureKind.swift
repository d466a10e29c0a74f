import GEGL
import Raster

/// Kinds of pictures that hosts feed operations with, and that have broken somebody's operation before.
enum PictureKind: String, CaseIterable {
  case plain, bytes, shorts, half, opaque, grey, greyAlpha, cmyk, premultiplied, perceptual
  case displaced, small, disjoint, pixel, row, column, absurd, transparent, empty, infinite

  /// Where a plain picture lies; large enough for GEGL to compute it on several threads.
  static let box = Rectangle(width: 130, height: 97)

  /// The picture's place; nil where it has none.
  var bounds: Rectangle? {
    let box = Self.box
    switch self {
    case .displaced: return Rectangle(x: -37, y: -21, width: box.width, height: box.height)
    case .small: return Rectangle(x: 40, y: 30, width: 23, height: 17)
    case .disjoint: return Rectangle(x: 900, y: 700, width: 31, height: 29)
    case .pixel: return Rectangle(width: 1, height: 1)
    case .row: return Rectangle(width: 1000, height: 1)
    case .column: return Rectangle(width: 1, height: 1000)
    case .empty, .infinite: return nil
    default: return box
    }
  }

  /// Whether all of its numbers are numbers.
  var isFinite: Bool { self != .absurd }

  private var format: String {
    switch self {
    case .bytes: "R'G'B' u8"
    case .shorts: "R'G'B'A u16"
    case .half: "RGBA half"
    case .opaque: "RGB float"
    case .grey: "Y' u8"
    case .greyAlpha: "YA float"
    case .cmyk: "cmyk u8"
    case .premultiplied: "RaGaBaA float"
    case .perceptual: "R~G~B~A float"
    default: "RGBA float"
    }
  }

  /// A node with such a picture, of a scene in this light.
  func node(in graph: Graph, light: SIMD3<Float>) throws -> Node {
    switch self {
    case .empty: return try graph.add("gegl:buffer-source")
    case .infinite:
      return try graph.add("gegl:checkerboard", ["x": 7, "y": 5])
    default: break
    }
    let bounds = bounds ?? Self.box
    var pixels = OperationFixture.scene(bounds, light: light)
    for index in pixels.indices {
      switch self {
      case .absurd where index % 5 == 0: pixels[index][index / 5 % 4] = Self.absurdities[index / 20 % 8]
      case .transparent: pixels[index].w = Float(index % bounds.width) / Float(bounds.width)
      default: break
      }
    }
    let buffer = try Buffer(bounds, format: PixelFormat(format))
    try buffer.write(pixels, to: bounds, format: OperationFixture.linear())
    return try graph.add(buffer)
  }

  private static let absurdities: [Float] = [.nan, .infinity, -.infinity, -1, 1e30, -1e30, .leastNonzeroMagnitude, 2]
}
