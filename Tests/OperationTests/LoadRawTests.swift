import GEGL
import GEGLOperation
import Raster
import Raw
import TestSupport
import Testing

extension Operations {
  @Suite(.serialized) struct LoadRawTests {
    static let name = "constant-color:load-raw"
    let folder: TemporaryFolder
    let dng: DNGFile

    init() throws {
      OperationFixture.started
      folder = try TemporaryFolder()
      var dng = DNGFile(
        width: 90, height: 50, samples: (0..<4500).map { UInt16(truncatingIfNeeded: 256 + ($0 * 7919) % 3500) })
      dng.black = (1, 1, [256])
      dng.white = [3900]
      dng.orientation = 6
      dng.crop = [1, 3, 80, 40]
      self.dng = dng
      try folder.write(dng.file, "frame.dng")
    }

    var path: String { folder.path + "/frame.dng" }

    @Test func givesTheUprightPicture() throws {
      let frame = try RawFrame(path)
      let expected = UprightSource(frame.picture(), .clockwise)
      let graph = try Graph()
      let node = try graph.add(Self.name, ["path": .string(path)])
      #expect(node.boundingBox == Rectangle(width: 40, height: 80))
      #expect(try OperationFixture.pixels(node) == expected.image(expected.bounds).pixels)
      // A part alone gives the same bits.
      let part = Rectangle(x: 11, y: 5, width: 17, height: 60)
      let other = try graph.add(Self.name, ["path": .string(path)])
      #expect(try OperationFixture.pixels(other, part) == expected.image(part).pixels)

      try node.set("orient", false)
      #expect(node.boundingBox == Rectangle(width: 80, height: 40))
      #expect(try OperationFixture.pixels(node) == frame.picture().image(Rectangle(width: 80, height: 40)).pixels)
      try node.set("half-size", true)
      let half = frame.picture(isHalfSize: true)
      #expect(node.boundingBox == Rectangle(width: 40, height: 20))
      #expect(try OperationFixture.pixels(node) == half.image(half.bounds).pixels)
    }

    /// No level or balance is taken from the frame itself: twice the light is exactly twice the numbers.
    @Test func twiceTheExposureIsTwiceTheNumbers() throws {
      var frame = dng
      func pixels(_ gain: Int, _ name: String) throws -> [Pixel] {
        frame.samples = (0..<4500).map { UInt16(256 + gain * (($0 * 7919) % 1700)) }
        try folder.write(frame.file, name)
        return try OperationFixture.pixels(Graph().add(Self.name, ["path": .string(folder.path + "/" + name)]))
      }
      let (one, two) = (try pixels(1, "one.dng"), try pixels(2, "two.dng"))
      #expect(one.contains { $0.x > 0.1 })
      #expect(zip(one, two).allSatisfy { $0.rgb * 2 == $1.rgb })
    }

    @Test func missingAndDamagedFilesAreEmptyAndSaidOnce() throws {
      try folder.write(Array(dng.file.prefix(500)), "cut.dng")
      try folder.write(Array("no picture".utf8), "text.dng")
      for name in ["none.dng", "cut.dng", "text.dng", ""] {
        let (box, messages) = try Messages.capture {
          let graph = try Graph()
          let node = try graph.add(Self.name, ["path": .string(name.isEmpty ? "" : folder.path + "/" + name)])
          let pixels = try OperationFixture.pixels(node, Rectangle(width: 4, height: 4))
          #expect(pixels.allSatisfy { $0 == .zero })
          _ = try OperationFixture.pixels(node, Rectangle(width: 4, height: 4))
          return node.boundingBox
        }
        #expect(box.isEmpty)
        #expect(messages.about(Self.name).count <= 1)
      }
    }

    @Test func anotherFileUnderTheSameNameIsSeen() throws {
      let graph = try Graph()
      let node = try graph.add(Self.name, ["path": .string(path)])
      #expect(node.boundingBox == Rectangle(width: 40, height: 80))
      var other = dng
      other.crop = [0, 0, 60, 30]
      try folder.write(other.file + [0, 0], "frame.dng")
      let again = try graph.add(Self.name, ["path": .string(path)])
      #expect(again.boundingBox == Rectangle(width: 30, height: 60))
    }
  }
}
