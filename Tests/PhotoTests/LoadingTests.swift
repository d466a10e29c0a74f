import GEGL
import Glibc
import Photo
import Raster
import TestSupport
import Testing

@Suite struct LoadingTests {
  let folder: TemporaryFolder

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  private func little(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func values<Sample: BitwiseCopyable>(_ picture: LoadedPicture, as type: Sample.Type) throws -> [Sample] {
    try picture.buffer.read(picture.buffer.extent, format: #require(picture.buffer.format), as: type)
  }

  @Test(arguments: Orientation.allCases) func orientationsTurnUpright(orientation: Orientation) throws {
    // The letters of the EXIF standard's figure: 2 × 3 pixels, each with a number of its own.
    let upright: [UInt16] = [1, 2, 3, 4, 5, 6]
    let stored: [Orientation: (Int, [UInt16])] = [
      .upright: (2, [1, 2, 3, 4, 5, 6]), .mirrored: (2, [2, 1, 4, 3, 6, 5]), .halfTurn: (2, [6, 5, 4, 3, 2, 1]),
      .flipped: (2, [5, 6, 3, 4, 1, 2]), .transposed: (3, [1, 3, 5, 2, 4, 6]), .clockwise: (3, [2, 4, 6, 1, 3, 5]),
      .transversed: (3, [6, 4, 2, 5, 3, 1]), .counterclockwise: (3, [5, 3, 1, 6, 4, 2]),
    ]
    let (width, samples) = try #require(stored[orientation])
    let exif = ExifBlock(image: [.short(274, orientation.rawValue)])
    for name in ["a.png", "a.tif"] {
      try write(samples, width, 6 / width, 1, to: folder.file(name), PictureAttachments(exif: exif))
      let loaded = try PictureLoader.load(folder.file(name))
      #expect(loaded.width == 2 && loaded.height == 3)
      #expect(try values(loaded, as: UInt16.self) == upright)
    }
  }

  @Test(arguments: Orientation.allCases) func largePicturesTurnInBands(orientation: Orientation) throws {
    let (width, height) = (301, 277)
    let samples = samples16(width, height, 3)
    try write(samples, width, height, 3, to: folder.file("a.png"))
    let loaded = try PictureLoader.load(folder.file("a.png"), orientation: orientation)
    let turned = try values(loaded, as: UInt16.self)
    var noise = Noise(3)
    for _ in 0..<500 {
      let (x, y) = (noise.below(loaded.width), noise.below(loaded.height))
      let place = orientation.stored(x: x, y: y, width: width, height: height)
      for channel in 0..<3 {
        #expect(turned[(y * loaded.width + x) * 3 + channel] == samples[(place.y * width + place.x) * 3 + channel])
      }
    }
  }

  @Test(arguments: ["a.png", "a.tif"]) func linearKeepsTheNumbers(name: String) throws {
    let samples: [UInt16] = [0, 13107, 32768, 65534, 65535, 100]
    let icc = ColorSpace(named: "Rec2020")?.iccProfile
    try write(samples, 2, 1, 3, to: folder.file(name), PictureAttachments(icc: icc))
    let linear = try PictureLoader.load(folder.file(name), linear: true)
    let values = try linear.buffer.read(linear.buffer.extent, format: PixelFormat("RGB float"), as: Float.self)
    for (value, sample) in zip(values, samples) { #expect(abs(value - Float(sample) / 65535) < 1e-6) }
    // Only full scale means clipped.
    #expect(values[3] < 1 && values[4] == 1)
    #expect(linear.buffer.format?.space == ColorSpace(named: "sRGB"))
  }

  @Test func withoutAProfileItIsSRGB() throws {
    try write([UInt8](repeating: 188, count: 3), 1, 1, 3, to: folder.file("a.png"))
    let loaded = try PictureLoader.load(folder.file("a.png"))
    let value = try loaded.buffer.read(loaded.buffer.extent, format: PixelFormat("RGB float"), as: Float.self)
    #expect(abs(value[0] - 0.5029) < 0.001)
  }

  /// PNG, 11.3.2: gAMA and cHRM in units of 1/100000 where there is neither a profile nor an sRGB chunk.
  @Test(arguments: [45455, 55556, 100_000], [false, true]) func aPNGIsDecodedByItsGamma(gamma: Int, sRGB: Bool) throws {
    func big(_ value: Int) -> [UInt8] { little(value, 4).reversed() }
    // White, red, green, blue of Rec. 2020.
    let primaries = [31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600].flatMap(big)
    let chunks = [("gAMA", big(gamma)), ("cHRM", primaries)] + (sRGB ? [("sRGB", [UInt8(0)])] : [])
    let samples: [UInt8] = [188, 188, 188, 255, 255, 255, 20, 20, 20]
    try write(samples, 3, 1, 3, to: folder.file("plain.png"))
    writeBytes(png(readBytes(folder.file("plain.png")), adding: chunks), folder.file("a.png"))
    let loaded = try PictureLoader.load(folder.file("a.png"))
    let space = try #require(loaded.buffer.format?.space)
    let found = try loaded.buffer.read(loaded.buffer.extent, format: PixelFormat("RGB float"), as: Float.self)
    for (value, sample) in zip(found, samples) {
      let encoded = Double(sample) / 255
      let expected = sRGB ? pow((encoded + 0.055) / 1.055, 2.4) : pow(encoded, 100_000 / Double(gamma))
      #expect(abs(Double(value) - expected) < 1e-4)
    }
    #expect(abs(space.chromaticities.red.x - (sRGB ? 0.64 : 0.708)) < 0.001)
    #expect(loaded.notes.isEmpty)
    let linear = try PictureLoader.load(folder.file("a.png"), linear: true)
    #expect(try values(linear, as: UInt8.self) == samples)
  }

  /// A host that loads with GEGL's own operations gets the very same numbers.
  @Test(arguments: ["a.jpg", "a.png", "a.tif", "gamma.png"]) func otherHostsSeeTheSameNumbers(name: String) throws {
    let (width, height) = (203, 154)
    let samples = samples16(width, height, 3).map { UInt8($0 >> 8) }
    let path = folder.file(name)
    try write(samples, width, height, 3, to: path)
    if name == "gamma.png" { writeBytes(png(readBytes(path), adding: [("gAMA", [0, 0, 0xB1, 0x8F])]), path) }
    let loader = name == "a.jpg" ? "gegl:jpg-load" : name == "a.tif" ? "gegl:tiff-load" : "gegl:png-load"
    let format = try PixelFormat("RGB float")
    let theirs = try Graph().add(loader, ["path": .string(path)])
      .read(Rectangle(width: width, height: height), format: format, as: Float.self)
    let loaded = try PictureLoader.load(path)
    #expect(try loaded.buffer.read(loaded.buffer.extent, format: format, as: Float.self) == theirs)
  }

  @Test func anUnusableProfileIsSaid() throws {
    let icc = [UInt8](repeating: 7, count: 300)
    try write([UInt16](repeating: 9, count: 3), 1, 1, 3, to: folder.file("a.tif"), PictureAttachments(icc: icc))
    let loaded = try PictureLoader.load(folder.file("a.tif"))
    #expect(loaded.notes.count == 1 && loaded.notes[0].contains("sRGB"))
  }

  @Test(arguments: [8, 24, 32, -24]) func bitmaps(bits: Int) throws {
    let (width, height) = (3, 2)
    let depth = abs(bits)
    let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [1, 2, 3], [40, 50, 60], [7, 8, 9]]
    let palette =
      depth == 8 ? colours.flatMap { [$0[2], $0[1], $0[0], 0] } + [UInt8](repeating: 0, count: 250 * 4) : []
    let rowOrder = bits < 0 ? [0, 1] : [1, 0]
    let rows: [UInt8] = rowOrder.flatMap { y -> [UInt8] in
      let row = (0..<width).flatMap { x -> [UInt8] in
        let colour = colours[y * width + x]
        switch depth {
        case 8: return [UInt8(y * width + x)]
        case 24: return colour.reversed()
        default: return colour.reversed() + [255]
        }
      }
      return row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
    }
    var bytes =
      Array("BM".utf8) + little(54 + palette.count + rows.count, 4) + little(0, 4) + little(54 + palette.count, 4)
    bytes += little(40, 4) + little(width, 4) + little(bits < 0 ? -height : height, 4) + little(1, 2) + little(depth, 2)
    bytes += little(0, 4) + little(rows.count, 4) + little(2835, 4) + little(2835, 4) + little(0, 4) + little(0, 4)
    bytes += palette + rows
    writeBytes(bytes, folder.file("a.bmp"))
    let loaded = try PictureLoader.load(folder.file("a.bmp"))
    #expect(try values(loaded, as: UInt8.self) == colours.flatMap { $0 })
    for length in 2..<bytes.count {
      writeBytes(Array(bytes.prefix(length)), folder.file("cut.bmp"))
      #expect(throws: PhotoError.self) { try PictureLoader.load(folder.file("cut.bmp")) }
    }
  }

  @Test func netpbm() throws {
    writeBytes(Array("P6 # comment\n2 1\n255\n".utf8) + [1, 2, 3, 4, 5, 6], folder.file("a.ppm"))
    #expect(try values(PictureLoader.load(folder.file("a.ppm")), as: UInt8.self) == [1, 2, 3, 4, 5, 6])
    writeBytes(Array("P5\n2 1\n65535\n".utf8) + [0x12, 0x34, 0xFF, 0xFF], folder.file("a.pgm"))
    #expect(try values(PictureLoader.load(folder.file("a.pgm")), as: UInt16.self) == [0x1234, 0xFFFF])
    writeBytes(Array("P5\n2 1\n1023\n".utf8) + [0x03, 0xFF, 0, 0], folder.file("b.pgm"))
    #expect(try values(PictureLoader.load(folder.file("b.pgm")), as: UInt16.self) == [65535, 0])
    let floats: [Float] = [0.5, -1, 2, 0.25]
    writeBytes(Array("Pf\n2 2\n-1.0\n".utf8) + floats.flatMap { little(Int($0.bitPattern), 4) }, folder.file("a.pfm"))
    #expect(try values(PictureLoader.load(folder.file("a.pfm")), as: Float.self) == [2, 0.25, 0.5, -1])
    writeBytes(Array("P6\n2 1\n255\n".utf8) + [1, 2, 3], folder.file("cut.ppm"))
    #expect(message { _ = try PictureLoader.load(folder.file("cut.ppm")) }?.contains("cut off") == true)
    writeBytes(Array("P6\n-2 1\n255\n".utf8) + [1, 2, 3], folder.file("minus.ppm"))
    #expect(throws: PhotoError.self) { try PictureLoader.load(folder.file("minus.ppm")) }
  }

  @Test func openEXRKeepsItsSpaceAndWindow() throws {
    let space = PictureChromaticities(
      red: SIMD2(0.708, 0.292), green: SIMD2(0.17, 0.797), blue: SIMD2(0.131, 0.046), white: SIMD2(0.3127, 0.329))
    let samples: [Float] = [0.25, -0.5, 4, 0, 1, 2]
    try write(samples, 2, 1, 3, to: folder.file("a.exr"), PictureAttachments(chromaticities: space))
    let loaded = try PictureLoader.load(folder.file("a.exr"))
    #expect(try values(loaded, as: Float.self) == samples)
    #expect(abs(try #require(loaded.buffer.format?.space).chromaticities.red.x - 0.708) < 1e-4)
    let linear = try PictureLoader.load(folder.file("a.exr"), linear: true)
    #expect(try linear.buffer.read(linear.buffer.extent, format: PixelFormat("RGB float"), as: Float.self) == samples)
  }
}
