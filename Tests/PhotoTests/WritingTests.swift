import GEGL
import Glibc
import Photo
import Raster
import TestSupport
import Testing

@Suite struct WritingTests {
  let folder: TemporaryFolder
  let parallel = Execution(threads: { 4 }) { count, body in Library.parallelFor(count, body) }

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  /// Read by GEGL's own loaders: other people's code for every format.
  private func pixels<Sample: BitwiseCopyable>(
    _ path: String, _ loader: String, _ format: String, as type: Sample.Type
  ) throws -> [Sample] {
    let graph = try Graph()
    let node = try graph.add(loader, ["path": .string(path)])
    return try node.read(node.boundingBox, format: PixelFormat(format), as: type)
  }

  @Test(arguments: [(1, 1), (2, 3), (7, 5), (131, 67), (601, 403)], [1, 3])
  func png16IsExact(size: (Int, Int), channels: Int) throws {
    let samples = samples16(size.0, size.1, channels)
    let path = folder.file("a.png")
    try write(samples, size.0, size.1, channels, to: path)
    #expect(try pixels(path, "gegl:png-load", channels == 1 ? "Y' u16" : "R'G'B' u16", as: UInt16.self) == samples)
    let loaded = try PictureLoader.load(path)
    #expect(loaded.width == size.0 && loaded.height == size.1)
    #expect(
      try loaded.buffer.read(loaded.buffer.extent, format: #require(loaded.buffer.format), as: UInt16.self) == samples)
  }

  /// Several pieces, on several threads, in memory in which other pictures were packed before.
  @Test func pngHasTheSameBytesEveryTime() throws {
    let samples = samples16(1501, 701, 3)
    var first: [UInt8]?
    for round in 0..<6 {
      let path = folder.file("a.png")
      try write(samples, 1501, 701, 3, to: path, execution: round % 2 == 0 ? parallel : .serial)
      let bytes = readBytes(path)
      if let first { #expect(bytes == first, "in round \(round)") } else { first = bytes }
      try write(samples16(603 + round, 407, 1), 603 + round, 407, 1, to: folder.file("b.png"))
    }
  }

  @Test(arguments: [(1, 1), (7, 5), (601, 403)], [1, 3])
  func tiff16IsExact(size: (Int, Int), channels: Int) throws {
    let samples = samples16(size.0, size.1, channels)
    for name in ["a.tif", "a.TIFF"] {
      let path = folder.file(name)
      try write(samples, size.0, size.1, channels, to: path)
      #expect(try pixels(path, "gegl:tiff-load", channels == 1 ? "Y' u16" : "R'G'B' u16", as: UInt16.self) == samples)
    }
  }

  @Test(arguments: ["a.tif", "a.exr"], [1, 3])
  func floatIsExactWithAllItsValues(name: String, channels: Int) throws {
    let (width, height) = (67, 41)
    var samples = samples16(width, height, channels).map { Float($0) / 777 - 3 }
    samples[0] = -1e30
    samples[1] = 1e-30
    samples[2] = .greatestFiniteMagnitude
    let path = folder.file(name)
    try write(samples, width, height, channels, to: path)
    let (loader, format) =
      name == "a.exr"
      ? ("gegl:exr-load", channels == 1 ? "Y float" : "RGB float")
      : ("gegl:tiff-load", channels == 1 ? "Y' float" : "R'G'B' float")
    #expect(try pixels(path, loader, format, as: Float.self) == samples)
  }

  @Test func eightBitsAreExactInPNGAndTIFF() throws {
    let samples = samples16(45, 33, 3).map { UInt8($0 >> 8) }
    for (name, loader) in [("a.png", "gegl:png-load"), ("a.tif", "gegl:tiff-load")] {
      try write(samples, 45, 33, 3, to: folder.file(name))
      #expect(try pixels(folder.file(name), loader, "R'G'B' u8", as: UInt8.self) == samples)
    }
  }

  @Test func jpegIsCloseAndKeepsItsColourEdges() throws {
    // Red beside blue: with chroma subsampling the edge would bleed by tens of levels.
    var samples: [UInt8] = []
    for _ in 0..<64 { for x in 0..<64 { samples += x < 33 ? [200, 30, 30] : [30, 30, 200] } }
    let path = folder.file("a.jpg")
    try write(samples, 64, 64, 3, to: path)
    let read = try pixels(path, "gegl:jpg-load", "R'G'B' u8", as: UInt8.self)
    #expect(read.count == samples.count)
    #expect(zip(read, samples).allSatisfy { abs(Int($0) - Int($1)) <= 12 })
    try write([UInt8](repeating: 90, count: 48), 6, 8, 1, to: folder.file("grey.jpeg"))
    #expect(
      try pixels(folder.file("grey.jpeg"), "gegl:jpg-load", "Y' u8", as: UInt8.self) == .init(repeating: 90, count: 48))
  }

  @Test func aMapIsPlainNumbers() throws {
    for name in ["a.png", "a.tif"] {
      try write([UInt16](repeating: 32768, count: 12), 4, 3, 1, to: folder.file(name))
      let bytes = readBytes(folder.file(name))
      for chunk in ["gAMA", "sRGB", "iCCP"] { #expect(!String(decoding: bytes, as: UTF8.self).contains(chunk)) }
      let loaded = try PictureLoader.load(folder.file(name), linear: true)
      let half = try loaded.buffer.read(loaded.buffer.extent, format: PixelFormat("Y float"), as: Float.self)
      #expect(half.allSatisfy { abs($0 - 32768 / 65535) < 1e-6 })
    }
  }

  @Test(arguments: ["png", "exr"]) func bytesDoNotDependOnThreads(name: String) throws {
    let one = folder.file("one.\(name)")
    let two = folder.file("two.\(name)")
    if name == "png" {
      let samples = samples16(700, 900, 3)
      try write(samples, 700, 900, 3, to: one)
      try write(samples, 700, 900, 3, to: two, execution: parallel)
    } else {
      let samples = samples16(300, 500, 3).map { Float($0) }
      try write(samples, 300, 500, 3, to: one)
      try write(samples, 300, 500, 3, to: two, execution: parallel)
    }
    #expect(readBytes(one) == readBytes(two))
  }

  @Test(arguments: ["a.png", "a.tif", "a.jpg"]) func profileAndMetadataComeBack(name: String) throws {
    let space = try #require(ColorSpace(named: "Rec2020"))
    let icc = try #require(space.iccProfile)
    let exif = cameraBlock.forResult(width: 30, height: 20, isSRGB: false, version: "1.2")
    let attachments = PictureAttachments(icc: icc, exif: exif)
    let path = folder.file(name)
    if name == "a.jpg" {
      try write([UInt8](repeating: 128, count: 1800), 30, 20, 3, to: path, attachments)
    } else {
      try write(samples16(30, 20, 3), 30, 20, 3, to: path, attachments)
    }
    let loaded = try PictureLoader.load(path)
    #expect(loaded.notes.isEmpty)
    let given = try #require(loaded.buffer.format?.space).chromaticities
    #expect(abs(given.red.x - 0.708) < 0.002 && abs(given.green.y - 0.797) < 0.002)
    let metadata = loaded.metadata
    #expect(metadata.model == "Model 5" && metadata.lens == "Lens 50" && metadata.serial == "SN-1")
    #expect(metadata.orientation == .upright && metadata.flashFired == true)
    #expect(metadata.exposureTime == 1.0 / 60 && metadata.fNumber == 5.6 && metadata.iso == 125)
    let block = try #require(metadata.exif)
    #expect(!block.exposure.contains { $0.number == 37500 })
    #expect(block.exposure.contains(.long(40962, 30)) && block.exposure.contains(.long(40963, 20)))
    #expect(block.image.contains(.text(305, "constant-color 1.2")))
    #expect(block.place.contains(.text(1, "N")))
  }

  @Test func openEXRSaysWhatTheCameraWrote() throws {
    let path = folder.file("a.exr")
    try write([Float](repeating: 1, count: 3), 1, 1, 3, to: path, PictureAttachments(exif: cameraBlock))
    let bytes = readBytes(path)
    /// Attributes are a name, a type, a length and the value ("OpenEXR File Layout").
    func value(_ name: String, _ type: String, _ count: Int) -> [UInt8]? {
      let head = Array("\(name)\0\(type)\0".utf8) + [UInt8(count), 0, 0, 0]
      return bytes.indices.first { bytes[$0...].starts(with: head) }.map {
        Array(bytes[($0 + head.count)...].prefix(count))
      }
    }
    func float(_ value: Float) -> [UInt8] { withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    #expect(value("expTime", "float", 4) == float(1 / 60))
    #expect(value("aperture", "float", 4) == float(5.6))
    #expect(value("isoSpeed", "float", 4) == float(125))
    #expect(value("capDate", "string", 19) == Array("2024:05:31 12:34:56".utf8))
    #expect(value("cameraModel", "string", 7) == Array("Model 5".utf8))
    #expect(value("compression", "compression", 1) == [3])
  }

  @Test func fractionsStayWhatTheyAre() throws {
    let exif = ExifBlock(exposure: [.rational(33434, 10, 1250), .rational(37380, -1, 3, signed: true)])
    for name in ["a.png", "a.tif", "a.jpg"] {
      try write([UInt8](repeating: 9, count: 12), 2, 2, 3, to: folder.file(name), PictureAttachments(exif: exif))
      let block = try #require(PictureLoader.load(folder.file(name)).metadata.exif)
      for tag in exif.exposure { #expect(block.exposure.contains(tag), "\(name)") }
    }
  }

  @Test(arguments: ["a.png", "a.tif", "a.jpg", "a.exr"]) func aCancelledPictureLeavesNothing(name: String) throws {
    let format = try PictureFormat(path: name)
    let layout = PictureLayout(width: 2000, height: 1500, channels: 3, sample: format.sample())
    let token = CancellationToken()
    let execution = Execution(cancellation: token) { count, body in if count > 0 { body(Turns(count)) } }
    #expect(throws: RenderingCancelled.self) {
      try PictureDestination(folder.file(name)).write(layout, execution: execution) { rows, _ in
        if rows.upperBound > 1000 { token.cancel() }
      }
    }
    #expect(folder.names.isEmpty)
  }

  @Test func impossiblePicturesAreErrorsBeforeAnyWork() {
    #expect(message { _ = try PictureDestination(folder.file("a.xyz")) }?.contains(".xyz cannot be written") == true)
    #expect(message { _ = try PictureDestination(folder.file("a")) }?.contains("no extension") == true)
    #expect(message { _ = try PictureDestination("/nonexistent-folder/a.png") }?.contains("does not exist") == true)
    for (width, height, channels) in [(0, 5, 3), (5, -1, 3), (5, 5, 2), (Int.max, 5, 3)] {
      let layout = PictureLayout(width: width, height: height, channels: channels, sample: .uint16)
      #expect(message { try PictureDestination(folder.file("a.png")).write(layout) { _, _ in } } != nil)
    }
    let float = PictureLayout(width: 5, height: 5, channels: 3, sample: .float32)
    #expect(message { try PictureDestination(folder.file("a.png")).write(float) { _, _ in } } != nil)
    #expect(folder.names.isEmpty)
  }
}
