import ColorScience
import GEGL
import Glibc
import Photo
import Raster
import TestSupport
import Testing

/// HEIC and AVIF pictures, written by libheif's own encoder from pictures of ours.
@Suite(.serialized) struct HEIFTests {
  private let folder: TemporaryFolder

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  /// Smooth colours, so that a lossy encoder keeps them.
  private func samples(_ width: Int, _ height: Int, most: Double = 65535) -> [UInt16] {
    (0..<width * height).flatMap { index in
      let (x, y) = (Double(index % width) / Double(width - 1), Double(index / width) / Double(height - 1))
      return [x, y, 0.25 + 0.5 * x * y].map { UInt16($0 * most) }
    }
  }

  /// Encodes a picture; an odd size is cropped by some decoders, so sizes are even.
  private func encoded(_ picture: String, as name: String, _ options: [String] = []) throws -> String {
    let result = try Command(
      ["heif-enc", folder.file(picture), "-o", folder.file(name), "-q", "100", "-p", "chroma=444"] + options)
    try #require(result.status == 0, "\(result.errors)")
    return folder.file(name)
  }

  private func read(_ picture: LoadedPicture) throws -> [UInt16] {
    let format = try PixelFormat("R'G'B' u16", space: picture.buffer.format?.space)
    return try picture.buffer.read(picture.buffer.extent, format: format, as: UInt16.self)
  }

  private func meanError(_ one: [UInt16], _ other: [UInt16]) -> Double {
    guard one.count == other.count else { return .infinity }
    return zip(one, other).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(max(one.count, 1))
  }

  @Test(arguments: ["a.heic", "a.avif"]) func eightBits(_ name: String) throws {
    let expected = samples(64, 48)
    try write(expected.map { UInt8($0 >> 8) }, 64, 48, 3, to: folder.file("a.png"))
    let path = try encoded("a.png", as: name)
    let file = try PictureFile.inspect(path)
    #expect(file.kind == .heif && file.width == 64 && file.height == 48)
    let picture = try PictureLoader.load(path)
    #expect(picture.buffer.format?.name.hasPrefix("R'G'B' u8") == true && picture.notes.isEmpty)
    #expect(meanError(try read(picture), expected) < 2.5 * 257)
    #expect(picture.metadata.flashFired == nil && !picture.isCameraRGB)
    // As linear numbers, where the user says so.
    #expect(try PictureLoader.load(path, linear: true).buffer.format?.name.hasPrefix("RGB u8") == true)
  }

  /// Ten bits fill all of sixteen: white is 65535, and steps are finer than those of eight.
  @Test func tenBits() throws {
    let expected = samples(64, 48)
    try write(expected, 64, 48, 3, to: folder.file("a.png"))
    let picture = try PictureLoader.load(encoded("a.png", as: "a.heic", ["-b", "10"]))
    #expect(picture.buffer.format?.name.hasPrefix("R'G'B' u16") == true)
    let values = try read(picture)
    #expect(meanError(values, expected) < 1.6 * 65535 / 1023)
    #expect(Set(values.map { $0 >> 8 }).count > 200 && Set(values).count > 400)
    try write([UInt16](repeating: 65535, count: 16 * 16 * 3), 16, 16, 3, to: folder.file("w.png"))
    let white = try read(PictureLoader.load(encoded("w.png", as: "w.heic", ["-b", "10"])))
    #expect(white.allSatisfy { $0 > 65535 - 3 * 65 } && white.max() == 65535)
  }

  /// The file turns its picture, and EXIF says the same once more: it is turned once.
  @Test func turnedOnce() throws {
    let expected = samples(64, 48)
    try write(
      expected.map { UInt8($0 >> 8) }, 64, 48, 3, to: folder.file("a.jpg"), PictureAttachments(exif: cameraBlock))
    let upright = try PictureLoader.load(folder.file("a.jpg"))
    // EXIF's orientation 6: three quarter turns against the clock.
    let path = try encoded("a.jpg", as: "a.heic")
    writeBytes(try #require(turned(readBytes(path), quarterTurns: 3)), path)
    let picture = try PictureLoader.load(path)
    #expect(upright.width == 48 && picture.width == 48 && picture.height == 64)
    #expect(meanError(try read(picture), try read(upright)) < 4 * 257)
    #expect(picture.metadata.orientation == .upright)
    var (ours, theirs) = (picture.metadata, upright.metadata)
    (ours.orientation, ours.exif, theirs.orientation, theirs.exif) = (.upright, nil, .upright, nil)
    #expect(ours == theirs && ours.flashFired == true && ours.exposure != nil)
    // What the metadata alone say is the same.
    #expect(Metadata(path: path).time == upright.metadata.time)
  }

  @Test func colourSpaces() throws {
    let p3 = RGBSpace.displayP3
    let values = samples(64, 48).map { UInt8($0 >> 8) }
    try write(values, 64, 48, 3, to: folder.file("icc.png"), PictureAttachments(icc: p3.iccProfile))
    try write(values, 64, 48, 3, to: folder.file("none.png"))
    func red(_ path: String) throws -> (x: Double, y: Double) {
      let picture = try PictureLoader.load(path)
      return try #require(picture.buffer.format?.space).chromaticities.red
    }
    /// The encoder leaves primaries and transfer function open, whatever it is told.
    func marked(_ name: String, primaries: UInt8, transfer: UInt8) throws -> String {
      let path = try encoded("none.png", as: name)
      var bytes = readBytes(path)
      let box = Array("colrnclx".utf8)
      let start = try #require(bytes.indices.dropLast(12).first { bytes[$0..<$0 + 8].elementsEqual(box) })
      (bytes[start + 9], bytes[start + 11]) = (primaries, transfer)
      writeBytes(bytes, path)
      return path
    }
    for path in [try encoded("icc.png", as: "icc.heic"), try marked("nclx.avif", primaries: 12, transfer: 13)] {
      let red = try red(path)
      // ICC profiles keep primaries adapted to D50; babl turns them back, or not quite.
      #expect(abs(red.x - p3.red.x) < 0.02 && abs(red.y - p3.red.y) < 0.02, "\(path) \(red)")
    }
    let plain = try red(encoded("none.png", as: "none.heic"))
    #expect(abs(plain.x - RGBSpace.sRGB.red.x) < 0.02)
    for (transfer, name) in [(UInt8(16), "PQ"), (18, "HLG")] {
      let hdr = try marked("hdr.avif", primaries: 9, transfer: transfer)
      #expect(message { _ = try PictureLoader.load(hdr) }?.contains("HDR picture (\(name))") == true)
    }
    let odd = try PictureLoader.load(marked("odd.avif", primaries: 5, transfer: 11))
    #expect(odd.notes.count == 2 && odd.notes.allSatisfy { $0.contains("sRGB") })
    let linear = try PictureLoader.load(marked("linear.avif", primaries: 1, transfer: 8))
    #expect(linear.buffer.format?.name.hasPrefix("RGB u8") == true)
  }

  /// Whatever is cut off or damaged is an error of one line, or a picture; never the end of the process.
  @Test func damaged() throws {
    try write(samples(64, 48).map { UInt8($0 >> 8) }, 64, 48, 3, to: folder.file("a.png"))
    let bytes = readBytes(try encoded("a.png", as: "a.heic"))
    #expect(bytes.count > 400)
    for count in stride(from: 12, to: bytes.count - 1, by: 23) {
      writeBytes(Array(bytes[..<count]), folder.file("cut.heic"))
      let error = message { _ = try PictureLoader.load(folder.file("cut.heic")) }
      #expect(error?.hasPrefix(folder.file("cut.heic") + ": ") == true && error?.contains("\n") == false)
    }
    var noise = Noise(5)
    for _ in 0..<150 {
      var broken = bytes
      for _ in 0..<4 { broken[noise.below(broken.count)] = UInt8(truncatingIfNeeded: noise.next() >> 30) }
      writeBytes(broken, folder.file("broken.heic"))
      let error = message { _ = try PictureLoader.load(folder.file("broken.heic")) }
      #expect(error?.contains("\n") != true)
    }
  }
}
