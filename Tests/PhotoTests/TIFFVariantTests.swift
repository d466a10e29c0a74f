import GEGL
import Photo
import TestSupport
import Testing

/// TIFF files as other programs write them, made by hand.
@Suite struct TIFFVariantTests {
  let folder: TemporaryFolder

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  private struct File {
    var width = 2
    var height = 2
    var bits = 8
    var photometric = 2
    var samples = 3
    var planar = 1
    var extra: Int?
    var isBigEndian = false
    var strips: [[UInt8]]

    func bytes() -> [UInt8] {
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
      }
      var data: [UInt8] = []
      var offsets: [Int] = []
      for strip in strips {
        offsets.append(8 + data.count)
        data += strip
      }
      let bitsPlace = 8 + data.count
      data += (0..<samples).flatMap { _ in number(bits, 2) }
      let offsetsPlace = 8 + data.count
      data += offsets.flatMap { number($0, 4) }
      let countsPlace = 8 + data.count
      data += strips.flatMap { number($0.count, 4) }
      if data.count % 2 == 1 { data.append(0) }
      var entries: [(Int, Int, Int, Int)] = [
        (256, 4, 1, width), (257, 4, 1, height), (258, 3, samples, samples > 2 ? bitsPlace : bits), (259, 3, 1, 1),
        (262, 3, 1, photometric), (273, 4, strips.count, strips.count > 1 ? offsetsPlace : offsets[0]),
        (277, 3, 1, samples), (278, 4, 1, height),
        (279, 4, strips.count, strips.count > 1 ? countsPlace : strips[0].count), (284, 3, 1, planar),
      ]
      if let extra { entries.append((338, 3, 1, extra)) }
      let head: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
      var result = head + number(8 + data.count, 4) + data + number(entries.count, 2)
      for (tag, type, count, value) in entries {
        let isShort = type == 3 && count == 1
        result += number(tag, 2) + number(type, 2) + number(count, 4)
        result += isShort ? number(value, 2) + [0, 0] : number(value, 4)
      }
      return result + number(0, 4)
    }
  }

  private func load(_ file: File) throws -> LoadedPicture {
    writeBytes(file.bytes(), folder.file("a.tif"))
    return try PictureLoader.load(folder.file("a.tif"))
  }

  private func values<Sample: BitwiseCopyable>(_ picture: LoadedPicture, as type: Sample.Type) throws -> [Sample] {
    try picture.buffer.read(picture.buffer.extent, format: #require(picture.buffer.format), as: type)
  }

  @Test func whiteIsZero() throws {
    let picture = try load(File(photometric: 0, samples: 1, strips: [[0, 255, 10, 128]]))
    #expect(try values(picture, as: UInt8.self) == [255, 0, 245, 127])
    #expect(picture.buffer.format?.encoding == "Y' u8")
  }

  @Test func planesApart() throws {
    let picture = try load(File(planar: 2, strips: [[1, 2, 3, 4], [11, 12, 13, 14], [21, 22, 23, 24]]))
    #expect(try values(picture, as: UInt8.self) == [1, 11, 21, 2, 12, 22, 3, 13, 23, 4, 14, 24])
  }

  @Test func theOtherByteOrder() throws {
    let picture = try load(
      File(height: 1, bits: 16, isBigEndian: true, strips: [[0x12, 0x34, 0, 1, 0, 2, 0xFF, 0xFE, 0, 3, 0, 4]]))
    #expect(try values(picture, as: UInt16.self) == [0x1234, 1, 2, 0xFFFE, 3, 4])
  }

  @Test func alphaIsKeptAndOtherExtrasAreNot() throws {
    let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let alpha = try load(File(height: 1, samples: 4, extra: 2, strips: [pixels]))
    #expect(alpha.buffer.format?.encoding == "R'G'B'A u8")
    #expect(try values(alpha, as: UInt8.self) == pixels)
    let premultiplied = try load(File(height: 1, samples: 4, extra: 1, strips: [pixels]))
    #expect(premultiplied.buffer.format?.encoding == "R'aG'aB'aA u8")
    let mask = try load(File(height: 1, samples: 4, extra: 0, strips: [pixels]))
    #expect(try values(mask, as: UInt8.self) == [1, 2, 3, 5, 6, 7])
  }

  @Test func whatCannotBeMeasuredIsSaid() {
    let pixels = [UInt8](repeating: 1, count: 16)
    #expect(message { _ = try load(File(photometric: 5, samples: 4, strips: [pixels])) }?.contains("CMYK") == true)
    #expect(message { _ = try load(File(photometric: 32803, samples: 1, strips: [pixels])) }?.contains("RAW") == true)
    #expect(message { _ = try load(File(strips: [[1, 2, 3]])) } != nil)
  }
}
