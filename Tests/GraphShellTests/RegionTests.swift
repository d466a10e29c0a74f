import ConstantColorOperations
import GEGL
import GraphShell
import Raster
import TestSupport
import Testing

/// What was looked at before does not change what is computed.
@Suite(.serialized) struct RegionTests {
  private static let area = Rectangle(width: 112, height: 84)
  /// They throw dice.
  private static let random: Set = ["gegl:c2g", "gegl:fattal02", "gegl:stress"]
  /// They need what only a program can give them, or end the process.
  private static let left: Set = ["gegl:npd", "gegl:seamless-clone", "gegl:seamless-clone-compose"]

  private func noise(_ seed: UInt64) throws -> Buffer {
    var numbers = SplitMix(state: seed)
    let pixels = (0..<Self.area.count).map { index -> Pixel in
      let color = SIMD3<Float>((0..<3).map { _ in Float.random(in: 0.05...0.95, using: &numbers) })
      return Pixel(rgb: color, alpha: index % 5 == 0 ? 0.5 : 1)
    }
    return try Buffer(Self.area, format: PixelFormat("RGBA float"), samples: pixels)
  }

  private func node(_ name: String, _ operation: OperationDescription) throws -> Node {
    let graph = try Graph()
    let node = try graph.add(name)
    for (seed, pad) in operation.orderedInputs.enumerated() {
      try node.connect(pad, from: graph.add(noise(UInt64(seed + 1))))
    }
    return node
  }

  @Test("Every operation gives the same bits for a part as for all") func parts() throws {
    _ = try SessionFixture()
    for name in Catalogue.names where !Self.random.contains(name) && !Self.left.contains(name) {
      let operation = try Catalogue.describe(name)
      guard !operation.inputs.isEmpty, operation.outputs.contains("output") else { continue }
      _ = try Messages.capture {
        let (one, other) = (try node(name, operation), try node(name, operation))
        var box = one.boundingBox
        guard !box.isEmpty else { return }
        if box.width > 2000 || box.height > 2000 { box = Self.area }
        guard let format = one.outputFormat else { return }
        let all = try one.read(box, format: format, as: UInt8.self)
        for part in [
          Rectangle(x: box.x + box.width / 2, y: box.y + box.height / 2, width: 1, height: 1),
          Rectangle(x: box.x + box.width / 3, y: box.y + box.height / 3, width: 37, height: 29).intersection(box),
        ] {
          _ = try other.read(part, format: format, as: UInt8.self)
        }
        var parts: [UInt8] = []
        for band in box.bands(of: 35) { parts += try other.read(band, format: format, as: UInt8.self) }
        let isSame = parts == all
        #expect(isSame, "\(name)")
      }
    }
  }

  @Test("A saved session gives the same bits whatever was looked at before") func looking() throws {
    let folder = try TemporaryFolder()
    _ = try SessionFixture(
      """
      n = gegl:plasma seed=3 width=900 height=700 | gegl:crop width=900 height=700
      x = gegl:box-blur n radius=9
      y = x | gegl:edge-sobel | gegl:gaussian-blur std-dev-x=3
      save "\(folder.path)/s.ccg"
      probe x 300 200
      stats x 17 23 211 97
      probe y 500 400
      hist y
      render y "\(folder.path)/one.tif" --float
      """)
    let again = try SessionFixture("open \"\(folder.path)/s.ccg\"\nrender y \"\(folder.path)/two.tif\" --float")
    #expect(try Command(["cmp", "\(folder.path)/one.tif", "\(folder.path)/two.tif"]).status == 0)
    #expect(again.session.document.names.contains("y"))
  }
}
