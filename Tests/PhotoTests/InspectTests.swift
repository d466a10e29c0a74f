import GEGL
import Glibc
import Photo
import Raster
import TestSupport
import Testing

@Suite struct InspectTests {
  let folder: TemporaryFolder

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  private func error(_ bytes: [UInt8], _ name: String) -> String? {
    writeBytes(bytes, folder.file(name))
    return message { _ = try PictureLoader.load(folder.file(name)) }
  }

  @Test func whatIsNoPictureSaysSo() {
    mkdir(folder.file("d.png"), 0o755)
    mkfifo(folder.file("p.png"), 0o644)
    #expect(message { _ = try PictureFile.inspect(folder.file("d.png")) }?.contains("is a folder") == true)
    #expect(message { _ = try PictureFile.inspect(folder.file("p.png")) }?.contains("not a regular file") == true)
    #expect(message { _ = try PictureFile.inspect("/dev/zero") }?.contains("not a regular file") == true)
    #expect(message { _ = try PictureFile.inspect(folder.file("none.png")) }?.contains("no such file") == true)
    #expect(error([], "empty.png")?.contains("empty") == true)
    #expect(error(Array("Dear diary".utf8), "text.png")?.contains("whatever its name says") == true)
    #expect(error(Array("GIF89a0000".utf8), "a.gif")?.contains("GIF") == true)
    #expect(error([0, 0, 0, 24] + Array("ftypheic".utf8), "a.heic")?.contains("cut off") == true)
    #expect(error([0, 0, 0, 24] + Array("ftypcrx ".utf8), "a.cr3")?.contains("cut off") == true)
    #expect(error([0x49, 0x49, 42, 0, 8, 0, 0, 0], "a.NEF") != nil)
    #expect(error([0x49, 0x49, 42, 0, 16, 0, 0, 0] + Array("CR".utf8), "a.tif") != nil)
    for name in folder.names {
      #expect(message { _ = try PictureFile.inspect(folder.file(name)) }?.contains("\n") == false)
    }
  }

  @Test(arguments: ["a.png", "a.tif", "a.jpg", "a.exr"]) func everyCutIsSeen(name: String) throws {
    let path = folder.file(name)
    switch name {
    case "a.jpg": try write(samples16(40, 30, 3).map { UInt8($0 >> 8) }, 40, 30, 3, to: path)
    case "a.exr": try write(samples16(40, 30, 3).map { Float($0) }, 40, 30, 3, to: path)
    default: try write(samples16(40, 30, 3), 40, 30, 3, to: path)
    }
    let bytes = readBytes(path)
    #expect(try PictureFile.inspect(path).width == 40)
    #expect(try PictureFile.inspect(path).height == 30)
    for length in stride(from: 1, to: bytes.count - 8, by: max(1, bytes.count / 150)) {
      let error = error(Array(bytes.prefix(length)), "cut-\(name)")
      #expect(error != nil, "cut at \(length) of \(bytes.count)")
      #expect(error?.contains("\n") == false)
    }
    // What phones and editors append is no damage.
    #expect(error(bytes + [UInt8](repeating: 0xFF, count: 500), "long-\(name)") == nil)
  }

  @Test(arguments: ["png", "jpg", "tif"]) func mutatedFilesAreErrorsOrPictures(kind: String) throws {
    let path = folder.file("seed.\(kind)")
    let exif = PictureAttachments(exif: cameraBlock)
    if kind == "jpg" {
      try write(samples16(37, 29, 3).map { UInt8($0 >> 8) }, 37, 29, 3, to: path, exif)
    } else {
      try write(samples16(37, 29, 3), 37, 29, 3, to: path, exif)
    }
    let bytes = readBytes(path)
    var noise = Noise(UInt64(kind.utf8.count) &+ UInt64(kind.utf8.first ?? 0))
    var errors = 0
    for round in 0..<250 {
      var broken = bytes
      // Half of the changes hit the headers at either end, where they hurt most.
      for _ in 0...noise.below(6) {
        let place =
          round % 2 == 0
          ? noise.below(broken.count)
          : kind == "tif"
            ? broken.count - 1 - noise.below(broken.count - 16 - 37 * 29 * 6) : noise.below(min(700, broken.count))
        broken[place] = round % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: noise.next())
      }
      writeBytes(broken, folder.file("m.\(kind)"))
      do {
        let loaded = try PictureLoader.load(folder.file("m.\(kind)"))
        #expect(loaded.width > 0 && loaded.height > 0)
        _ = try loaded.buffer.read(loaded.buffer.extent, format: PixelFormat("RGBA float"), as: Float.self)
      } catch {
        errors += 1
        #expect(error is PhotoError, "\(error)")
        #expect(!"\(error)".contains("\n"))
      }
    }
    #expect(errors > 20)
  }

  @Test func damagedProfilesAreSRGBOrErrors() throws {
    let icc = try #require(ColorSpace(named: "Rec2020")?.iccProfile)
    var noise = Noise(11)
    for round in 0..<24 {
      var broken = icc
      // The table of tags and the counts behind it: what a careless reader believes.
      for _ in 0..<8 { broken[128 + noise.below(round % 2 == 0 ? 120 : icc.count - 128)] = 0xFF }
      let path = folder.file("icc.tif")
      try write(samples16(3, 2, 3), 3, 2, 3, to: path, PictureAttachments(icc: broken))
      let loaded = try PictureLoader.load(path)
      #expect(loaded.width == 3)
    }
  }

  @Test func bombsAreRefused() throws {
    // A PNG header that asks for 2^31 pixels a side.
    try write([UInt8](repeating: 1, count: 12), 2, 2, 3, to: folder.file("a.png"))
    var bytes = readBytes(folder.file("a.png"))
    bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(error(bytes, "bomb.png")?.contains("too many") == true)
    bytes.replaceSubrange(16..<24, with: [UInt8](repeating: 0, count: 8))
    #expect(error(bytes, "zero.png")?.contains("no pixels") == true)
  }

  /// Small files that claim to be as large as is legal, of kinds that decoders hold whole: refused before there is memory for them.
  @Test func whatMustBeHeldWholeIsLimited() throws {
    func seed(_ name: String) -> [UInt8] { readBytes("\(Built.root)/Fuzzing/Seeds/picture/\(name)") }
    func big(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    // 30000 × 17000 of 16 bits and three channels, interlaced.
    var png = seed("interlaced16.png")
    png.replaceSubrange(16..<24, with: big(30000) + big(17000))
    png.replaceSubrange(29..<33, with: big(crc32(png[12..<29])))
    #expect(error(png, "a.png")?.contains("interlaced") == true)
    // The same as a JPEG whose coefficients are refined scan by scan.
    var jpeg = seed("progressive.jpg")
    let frame = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC2 })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x42, 0x68, 0x75, 0x30])
    // With colours as fine as brightness.
    jpeg[frame + 11] = 0x11
    #expect(error(jpeg, "a.jpg")?.contains("baseline") == true)
    // A single tile.
    var tiff = seed("tiled.tif")
    for (tag, value) in [256: 32752, 257: 16384, 322: 32752, 323: 16384] as [UInt16: UInt32] {
      setTag(tag, to: value, in: &tiff)
    }
    #expect(error(tiff, "a.tif")?.contains("tiles are too large") == true)
  }

  /// The checksum of PNG's chunks (ISO 3309).
  private func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// Gives a tag of a little-endian TIFF file one number of 32 bits.
  private func setTag(_ tag: UInt16, to value: UInt32, in tiff: inout [UInt8]) {
    let reader = ByteReader(tiff)
    guard let start = reader.uint32(4).map({ Int($0) }), let count = reader.uint16(start) else { return }
    for entry in stride(from: start + 2, to: start + 2 + 12 * Int(count), by: 12) where reader.uint16(entry) == tag {
      let field: [UInt8] = [4, 0, 1, 0, 0, 0] + withUnsafeBytes(of: value.littleEndian) { Array($0) }
      tiff.replaceSubrange(entry + 2..<entry + 12, with: field)
    }
  }
}
