import CGEGL
import GEGL
import Glibc
import Raster
import TestSupport
import Testing

extension Operations {
  /// Every operation, fed through every subset of its pads with every kind of picture: nothing is said, nothing breaks,
  /// and the bits are the same for any number of threads, size of tiles, and cut into pieces.
  ///
  /// The ordinary test takes a sample, always the same. `CONSTANT_COLOR_STRESS` runs all; a path there is a file for the
  /// sums of all results, by which runs under other settings of GEGL's environment are compared.
  @Suite(.serialized) struct EverySettingTests {
    init() { OperationFixture.started }

    static let stress = getenv("CONSTANT_COLOR_STRESS").map { String(cString: $0) }

    /// An operation and what its pads get.
    struct Case: CustomStringConvertible {
      let operation: String
      let pads: [(name: String, kind: PictureKind)]

      var description: String { ([operation] + pads.map { "\($0.name)=\($0.kind)" }).joined(separator: " ") }

      /// What is read: the input's place, or some place where there is none.
      var area: Rectangle {
        pads.first { $0.name == "input" }?.kind.bounds ?? Rectangle(x: -20, y: -20, width: 150, height: 130)
      }

      func node(in graph: Graph) throws -> Node {
        let node = try graph.add(operation)
        for (pad, light) in zip(pads, Self.lights) {
          try node.connect(pad.name, from: pad.kind.node(in: graph, light: light))
        }
        return node
      }

      private static let lights = [SIMD3<Float>(1, 0.9, 0.8), SIMD3(0.5, 0.3, 0.1), SIMD3(0.5, 0.6, 0.7)]

      /// The bits of the result, computed anew.
      func pixels() throws -> [Pixel] { try OperationFixture.pixels(node(in: Graph()), area) }

      /// The same from pieces of 64 × 64 pixels, as GIMP asks for them.
      func pixelsByPieces() throws -> [Pixel] {
        let node = try node(in: Graph())
        var result = [Pixel](repeating: .zero, count: area.count)
        for y in stride(from: area.y, to: area.maxY, by: 64) {
          for x in stride(from: area.x, to: area.maxX, by: 64) {
            let piece = Rectangle(x: x, y: y, width: 64, height: 64).intersection(area)
            let part = try OperationFixture.pixels(node, piece)
            for index in 0..<piece.count {
              let (u, v) = (piece.x - area.x + index % piece.width, piece.y - area.y + index / piece.width)
              result[v * area.width + u] = part[index]
            }
          }
        }
        return result
      }
    }

    /// All cases: every subset of the first three pads, every kind on one pad with every kind on another; a third pad, where
    /// there is one, takes each kind in turn.
    static func cases() throws -> [Case] {
      var cases: [Case] = []
      for name in OperationFixture.filters {
        let pads = Array(try Catalogue.describe(name).inputs.prefix(3))
        for subset in 0..<(1 << pads.count) {
          let used = pads.indices.filter { subset >> $0 & 1 == 1 }.map { pads[$0] }
          let kinds = PictureKind.allCases
          let count = used.isEmpty ? 1 : used.count == 1 ? kinds.count : kinds.count * kinds.count
          for number in 0..<count {
            let (first, second) = (number % kinds.count, number / kinds.count)
            let indices = [first, second, (number * 7 + second) % kinds.count]
            cases.append(Case(operation: name, pads: zip(used, indices).map { ($0, kinds[$1]) }))
          }
        }
      }
      return cases
    }

    /// Those of the ordinary test.
    static func sample() throws -> [Case] {
      let all = try cases()
      guard stress == nil else { return all }
      var numbers = SplitMix(state: 20)
      return all.filter { _ in numbers.uniform() < 1.0 / 40 }
    }

    @Test func theSameBitsInEverySetting() throws {
      defer { Setting.usual.apply() }
      let cases = try Self.sample()
      #expect(cases.count > 150)
      var sums = ""
      for item in cases {
        let (reference, messages) = try Messages.capture {
          Setting.usual.apply()
          let reference = try item.pixels()
          for setting in Setting.others {
            setting.apply()
            #expect(same(try item.pixels(), reference), "\(item), \(setting)")
          }
          Setting.usual.apply()
          #expect(same(try item.pixelsByPieces(), reference), "\(item), by pieces")
          return reference
        }
        #expect(messages.about(item.operation) == [], "\(item)")
        if item.pads.allSatisfy({ $0.kind.isFinite }) {
          #expect(reference.allSatisfy { $0.isFinite }, "\(item)")
        }
        if let input = item.pads.first(where: { $0.name == "input" })?.kind.bounds {
          #expect(try item.node(in: Graph()).boundingBox == input, "\(item)")
        }
        sums += "\(item) \(sum(reference))\n"
      }
      if let path = Self.stress, path.contains("/") {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        fputs(sums, file)
      }
    }

    /// Settings of GEGL that no result may depend on.
    struct Setting: CustomStringConvertible {
      let threads: Int
      let tile: (width: Int, height: Int)

      var description: String { "\(threads) threads, tiles of \(tile.width) × \(tile.height)" }

      static let usual = Setting(threads: 1, tile: (128, 128))
      static let others = [
        Setting(threads: 2, tile: (128, 64)), Setting(threads: 8, tile: (8, 8)), Setting(threads: 8, tile: (128, 128)),
      ]

      func apply() {
        Library.start(.init(threads: threads))
        cgegl_config_set_int("tile-width", gint(tile.width))
        cgegl_config_set_int("tile-height", gint(tile.height))
      }
    }

    private func same(_ one: [Pixel], _ other: [Pixel]) -> Bool {
      one.withUnsafeBytes { one in other.withUnsafeBytes { one.elementsEqual($0) } }
    }

    /// A checksum (FNV-1a, 64 bit).
    private func sum(_ pixels: [Pixel]) -> UInt64 {
      pixels.withUnsafeBytes { $0.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
    }
  }
}
