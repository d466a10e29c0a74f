import ColorScience
import Development
import GEGL
import Glibc
import Photo
import Raster
import Testing

/// How frames are decoded and results encoded: in one way, and by the curves of their spaces.
@Suite struct PixelCodingTests {
  init() { Library.start() }

  private let values: [Float] = (0...2000).map { Float($0) / 2000 } + [-0.25, -1e-9, 1e-9, 1.5, 40, 0.003130804, 1e-4]

  @Test func encodesByTheCurveOfTheSpace() {
    let pixels = values.map { Pixel($0, 0.5, 0, 1) }
    for space in RGBSpace.all {
      var encoded = [Float](repeating: .nan, count: pixels.count * 3)
      encode(pixels, PixelEncoder(space), .float32, into: &encoded)
      for (index, value) in values.enumerated() {
        let exact = space.transferFunction.encode(Double(value))
        #expect(abs(Double(encoded[3 * index]) - exact) < 1e-6 * max(1, abs(exact)), "\(space) \(value)")
      }
      var linear = encoded
      encode(pixels, PixelEncoder(space, isLinear: true), .float32, into: &linear)
      #expect(stride(from: 0, to: linear.count, by: 3).map { linear[$0] } == values)
    }
  }

  @Test func wholeNumbersAreRoundedAndCutOff() {
    let pixels = [Pixel(-1, 0.5, 2, 1), Pixel(.nan, .infinity, -.infinity, 1)]
    var narrow = [UInt8](repeating: 7, count: 6)
    encode(pixels, PixelEncoder(.linearSRGB), .uint8, into: &narrow)
    #expect(narrow == [0, 128, 255, 0, 255, 0])
    var wide = [UInt16](repeating: 7, count: 6)
    encode(pixels, PixelEncoder(.linearSRGB), .uint16, into: &wide)
    #expect(wide == [0, 32768, 65535, 0, 65535, 0])
    // Memory for one pixel holds one.
    var short = [UInt8](repeating: 7, count: 5)
    encode(pixels, PixelEncoder(.sRGB), .uint8, into: &short)
    #expect(short == [0, 188, 255, 7, 7])
  }

  private func encode<Sample>(
    _ pixels: [Pixel], _ encoder: PixelEncoder, _ sample: PictureLayout.Sample, into samples: inout [Sample]
  ) {
    pixels.withUnsafeBytes { bytes in
      samples.withUnsafeMutableBytes {
        encoder.encode(Pixels(bytes.baseAddress, count: pixels.count), as: sample, into: $0)
      }
    }
  }

  @Test(arguments: ["R'G'B' u8", "R'G'B'A u8", "R'G'B' u16", "R'G'B'A u16"], [RGBSpace.sRGB, .displayP3, .proPhoto])
  func decodesEveryNumberByTheCurve(_ encoding: String, _ space: RGBSpace) throws {
    let isWide = encoding.hasSuffix("16")
    let (most, channels) = (isWide ? 65535 : 255, encoding.contains("A") ? 4 : 3)
    let pixelSpace = ColorSpace(icc: space.iccProfile)
    let format = try PixelFormat(encoding, space: pixelSpace)
    let numbers = (0..<(most + 1) * channels).map { $0 / channels }
    let extent = Rectangle(width: most + 1, height: 1)
    let buffer =
      try isWide
      ? Buffer(extent, format: format, samples: numbers.map { UInt16($0) })
      : Buffer(extent, format: format, samples: numbers.map { UInt8($0) })
    try buffer.fixDecoding()
    try buffer.fixDecoding()
    #expect(buffer.format != format && buffer.format?.space == format.space)
    let pixels = try buffer.read(extent, format: PixelFormat("RGBA float", space: pixelSpace), as: Pixel.self)
    for (number, pixel) in pixels.enumerated() {
      let exact = space.transferFunction.decode(Double(number) / Double(most))
      guard abs(Double(pixel.x) - exact) < 1e-5, pixel.x == pixel.y, pixel.x == pixel.z,
        pixel.w == (channels == 4 ? Float(number) / Float(most) : 1)
      else {
        Issue.record("\(encoding) \(space) \(number): \(pixel) is not \(exact)")
        return
      }
    }
  }

  @Test func otherFormatsStayAsTheyAre() throws {
    for name in ["RGBA float", "R'G'B' float", "Y' u16", "RGB u16"] {
      let format = try PixelFormat(name)
      let buffer = try Buffer(Rectangle(width: 2, height: 2), format: format)
      try buffer.fixDecoding()
      #expect(buffer.format == format)
    }
  }

  @Test func aLayerIsAPictureInTheSpaceOfItsProfile() throws {
    let extent = Rectangle(width: 2, height: 1)
    func buffer() throws -> Buffer {
      try Buffer(extent, format: PixelFormat("R'G'B'A u16"), samples: [UInt16](repeating: 32768, count: 8))
    }
    let picture = try LoadedPicture(name: "lamp", pixels: buffer(), profile: RGBSpace.displayP3.iccProfile)
    #expect(picture.file.path == "lamp" && picture.file.kind == .layer && !picture.isCameraRGB)
    #expect(picture.width == 2 && picture.height == 1 && picture.notes.isEmpty)
    #expect(picture.buffer.format?.space != ColorSpace(named: "sRGB"))
    let plain = try LoadedPicture(name: "lamp", pixels: buffer(), profile: [])
    #expect(plain.buffer.format?.space == ColorSpace(named: "sRGB") && plain.notes.isEmpty)
    let odd = try LoadedPicture(name: "lamp", pixels: buffer(), profile: [1, 2, 3])
    #expect(odd.buffer.format?.space == ColorSpace(named: "sRGB") && odd.notes.count == 1)
  }

  @Test func reducedBuffersAreMeans() throws {
    let format = try PixelFormat("Y float")
    let buffer = try Buffer(
      Rectangle(x: 8, y: -4, width: 8, height: 4), format: format, samples: (0..<32).map { Float($0 % 8) })
    let small = try buffer.reduced(by: 0.5, format: format)
    #expect(small.extent == Rectangle(x: 4, y: -2, width: 4, height: 2))
    #expect(try small.read(small.extent, format: format, as: Float.self) == [0.5, 2.5, 4.5, 6.5, 0.5, 2.5, 4.5, 6.5])
    let same = try buffer.reduced(by: .nan, format: format)
    #expect(same.extent == buffer.extent)
    let moved = try buffer.copy(at: 1, 2)
    #expect(moved.extent == Rectangle(x: 1, y: 2, width: 8, height: 4))
    #expect(try moved.read(moved.extent, format: format, as: Float.self) == (0..<32).map { Float($0 % 8) })
  }
}
