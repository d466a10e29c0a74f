import ConstantColor
import Raster
import Raw
import TestSupport
import Testing

@Suite struct DNGTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func open(_ dng: DNGFile) throws -> RawFrame {
    try folder.write(dng.file, "frame.dng")
    return try RawFrame(folder.path + "/frame.dng")
  }

  /// Numbers below a limit that look random.
  static func samples(_ count: Int, below limit: Int) -> [UInt16] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt16(truncatingIfNeeded: Int(state >> 20) % limit)
    }
  }

  /// The samples that a frame has, (raw - black) / (white - black), taken out of its picture.
  static func values(_ frame: RawFrame) -> [Float] {
    guard let mosaic = frame.mosaic else { return [] }
    let picture = frame.picture()
    let image = picture.image(picture.bounds)
    return image.pixels.indices.map { index in
      let (x, y) = (index % image.bounds.width + mosaic.visible.x, index / image.bounds.width + mosaic.visible.y)
      return image.pixels[index][mosaic.pattern[x, y]]
    }
  }

  @Test(arguments: [8, 10, 12, 14, 16], [false, true]) func everyDepthInEitherByteOrder(bits: Int, big: Bool) throws {
    let white = 1 << bits - 1
    var dng = DNGFile(width: 70, height: 45, samples: Self.samples(70 * 45, below: white * 3 / 4))
    dng.bits = bits
    dng.isBigEndian = big
    let frame = try open(dng)
    #expect(frame.info.bits == bits)
    #expect(frame.info.make == "Maker" && frame.info.model == "Model 1")
    #expect(frame.info.sensor == .bayer && frame.info.isDNG)
    let neutral = try #require(frame.info.asShotNeutral)
    #expect(neutral.x == 0.5 && neutral.y == 1 && abs(neutral.z - 0.6) < 1e-3)
    // Without a white level in the file: the largest number.
    #expect(Self.values(frame) == dng.samples.map { Float($0) / Float(white) })
    #expect(frame.notes.isEmpty)
  }

  @Test func stripsAndTilesInAnyOrder() throws {
    var plain = DNGFile(width: 100, height: 77, samples: Self.samples(7700, below: 3000))
    plain.bits = 12
    plain.isBehindThumbnail = true
    let expected = try Self.values(open(plain))
    #expect(expected == plain.samples.map { Float($0) / 4095 })
    for isReversed in [false, true] {
      var strips = plain
      strips.stripRows = 16
      strips.isReversed = isReversed
      #expect(try Self.values(open(strips)) == expected)
      var tiles = plain
      tiles.tile = (48, 32)
      tiles.isReversed = isReversed
      #expect(try Self.values(open(tiles)) == expected)
    }
  }

  @Test(arguments: [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]] as [[UInt8]], 0..<4)
  func levelsAndColoursCountFromTheActiveArea(pattern: [UInt8], shift: Int) throws {
    let (dx, dy) = (shift % 2, shift / 2)
    var dng = DNGFile(width: 64, height: 50, samples: Self.samples(3200, below: 3000).map { $0 + 300 })
    dng.pattern = pattern
    let levels = [250.5, 256, 257.25, 262]
    dng.black = (2, 2, levels)
    dng.columnBlack = (0..<UInt(60 - dx)).map { Double($0 % 8) / 8 }
    dng.rowBlack = (0..<UInt(45 - dy)).map { -Double($0 % 4) / 4 }
    dng.white = [4000]
    dng.activeArea = [UInt32(4 + dy), UInt32(3 + dx), 49, 63]
    dng.crop = [UInt32(1 + dx), 5, 40, 31]
    let frame = try open(dng)
    #expect((frame.info.width, frame.info.height) == (40, 31))
    let mosaic = try #require(frame.mosaic)
    let values = Self.values(frame)
    for y in 0..<31 {
      for x in 0..<40 {
        // In the active area, and on the sensor.
        let (ax, ay) = (x + 1 + dx, y + 5)
        let raw = Double(dng.samples[(ay + 4 + dy) * 64 + ax + 3 + dx])
        let level = levels[ay % 2 * 2 + ax % 2]
        let expected = (raw - level - Double(ax % 8) / 8 + Double(ay % 4) / 4) / (4000 - level)
        #expect(mosaic.pattern[ax, ay] == Int(pattern[ay % 2 * 2 + ax % 2]))
        #expect(abs(Double(values[y * 40 + x]) - expected) < 1e-6)
      }
    }
  }

  @Test func arraysOfSixBySixAreRead() throws {
    var dng = DNGFile(width: 66, height: 50, samples: Self.samples(3300, below: 3000))
    (dng.pattern, dng.patternColumns) = (CFAPattern.xTrans.colors, 6)
    dng.white = [4000]
    let frame = try open(dng)
    #expect(frame.mosaic?.pattern == .xTrans)
    #expect(Self.values(frame) == dng.samples.map { Float($0) / 4000 })
  }

  @Test func darkFrameAveragesToZero() throws {
    let noise = Self.samples(200 * 160, below: 65)
    var dng = DNGFile(width: 200, height: 160, samples: noise.map { 512 - 32 + $0 })
    dng.black = (1, 1, [512])
    dng.white = [16383]
    let frame = try open(dng)
    let picture = frame.picture()
    let pixels = picture.image(picture.bounds).pixels
    for color in 0..<3 {
      let mean = pixels.reduce(0.0) { $0 + Double($1[color]) } / Double(pixels.count)
      // Uniform noise of ±32 has a deviation of 18.8; a quarter of the samples are red.
      let standardError: Double = 18.8 / 15871 / (Double(pixels.count) / 4).squareRoot()
      #expect(abs(mean) < 4 * standardError)
    }
  }

  @Test func theWhiteLevelIsTheFilesAndClippingIsMarked() throws {
    var dng = DNGFile(width: 48, height: 40, samples: [UInt16](repeating: 100, count: 48 * 40))
    dng.white = [900]
    // The frame's own largest number changes nothing.
    #expect(try Self.values(open(dng)) == [Float](repeating: 100 / 900, count: 48 * 40))
    dng.samples[20 * 48 + 20] = 900
    dng.samples[30 * 48 + 31] = 899
    let values = try Self.values(open(dng))
    #expect(values[20 * 48 + 20] == 1)
    let below: Float = 899 / 900
    #expect(values[30 * 48 + 31] == below)
    #expect(values.count { $0 >= 1 } == 1)
  }

  @Test func linearizationTablesApply() throws {
    var dng = DNGFile(width: 40, height: 30, samples: Self.samples(1200, below: 256))
    dng.bits = 8
    dng.table = (0..<256).map { UInt16($0 * $0 / 4) }
    dng.white = [16383]
    let expected = dng.samples.map { sample -> Float in Float(Int(sample) * Int(sample) / 4) / 16383 }
    #expect(try Self.values(open(dng)) == expected)
  }

  @Test(arguments: [false, true]) func linearFramesNeedNoDemosaicing(isTiled: Bool) throws {
    var dng = DNGFile(width: 50, height: 34, samples: Self.samples(50 * 34 * 3, below: 5000))
    dng.samplesPerPixel = 3
    dng.pattern = nil
    dng.black = (1, 1, [100, 110, 120])
    dng.white = [4000, 4500, 5500]
    dng.crop = [3, 1, 40, 30]
    if isTiled { dng.tile = (16, 16) }
    let frame = try open(dng)
    #expect(frame.info.sensor == .linear)
    #expect((frame.info.width, frame.info.height) == (40, 30))
    let image = frame.picture().image(frame.picture().bounds)
    var clipped = 0
    for y in 0..<30 {
      for x in 0..<40 {
        for color in 0..<3 {
          let raw = Float(dng.samples[((y + 1) * 50 + x + 3) * 3 + color])
          let (black, white) = ([100, 110, 120][color] as Float, [4000, 4500, 5500][color] as Float)
          #expect((image[x, y][color] >= 1) == (raw >= white))
          if raw < white { #expect(image[x, y][color] == (raw - black) / (white - black)) } else { clipped += 1 }
        }
      }
    }
    #expect(clipped > 100)
    #expect(image.pixels.contains { $0.x < 0 })
    let half = frame.picture(isHalfSize: true)
    #expect(half.bounds == Rectangle(width: 20, height: 15))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt16>) func orientationIsTold(_ orientation: UInt16) throws {
    var dng = DNGFile(width: 40, height: 30, samples: [UInt16](repeating: 1, count: 1200))
    dng.orientation = orientation
    try folder.write(dng.file, "frame.dng")
    #expect(try RawFrame.inspect(folder.path + "/frame.dng").orientation.rawValue == orientation)
  }

  @Test func filesThatCannotBeUsedSaySo() throws {
    func error(_ bytes: [UInt8]) throws -> String {
      try folder.write(bytes, "bad.dng")
      do {
        _ = try RawFrame(folder.path + "/bad.dng")
        return ""
      } catch { return "\(error)" }
    }
    let good = DNGFile(width: 64, height: 64, samples: Self.samples(4096, below: 4000))
    #expect(try error([]).contains("empty"))
    #expect(try error(Array("not a picture at all, but long enough to be looked at".utf8)).contains("not a RAW file"))
    #expect(try error(Array(good.file.prefix(300))) != "")
    var gray = good
    gray.pattern = [0, 0, 0, 0]
    #expect(try error(gray.file).contains("colours"))
    var yellow = good
    yellow.pattern = [3, 4, 5, 1]
    #expect(try error(yellow.file).contains("other colours"))
    #expect(throws: RawError.self) { try RawFrame("/nowhere/frame.dng") }
    #expect(throws: RawError.self) { try RawFrame(folder.path) }
    // A huge picture whose strips all lie at one place of a small file.
    var huge = good
    huge.replaced = [
      257: [6400], 278: [64], 273: [UInt32](repeating: 8, count: 100), 279: [UInt32](repeating: 8192, count: 100),
    ]
    #expect(try error(huge.file).contains("cut off"))
    // Behind the directory, so that only the picture is missing.
    var strips = good
    strips.isBehindThumbnail = true
    let bytes = strips.file
    for length in stride(from: 8, to: bytes.count, by: 997) { #expect(try error(Array(bytes.prefix(length))) != "") }
  }

  /// Sizes whose product no integer holds, levels that are named but not there.
  @Test func absurdTagsNeverTrap() throws {
    let most = UInt32.max
    let tags: [[UInt16: [UInt32]]] = [
      [33421: [most, most]], [33421: [0, 0]], [50714: []], [50714: [], 50713: [most, most]], [50717: []],
      [50713: [4096, 4096], 277: [most]], [50714: [most]], [50829: [most, most, 0, 0]],
      [50720: [0, 0], 50719: [9, 9]],
      [277: [0]], [322: [0], 323: [0], 324: [8], 325: [8]], [273: [most]], [256: [most]], [50712: []], [330: [8, 8]],
    ]
    for replaced in tags {
      for samplesPerPixel in [1, 3] {
        var dng = DNGFile(width: 48, height: 32, samples: Self.samples(48 * 32 * samplesPerPixel, below: 4000))
        dng.samplesPerPixel = samplesPerPixel
        if samplesPerPixel == 3 { dng.pattern = nil }
        dng.replaced = replaced
        guard let frame = try? open(dng) else { continue }
        let picture = frame.picture()
        #expect(picture.image(picture.bounds).pixels.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
      }
    }
  }

  /// Whatever bytes a file has, there is an error or a picture.
  @Test func damagedFilesNeverTrap() throws {
    var dng = DNGFile(width: 48, height: 32, samples: Self.samples(1536, below: 4000))
    dng.black = (2, 2, [1, 2, 3, 4])
    dng.activeArea = [1, 1, 31, 47]
    dng.crop = [1, 1, 40, 28]
    let good = dng.file
    let damage = Self.samples(3000, below: 65536)
    for round in 0..<250 {
      var bytes = good
      for change in 0..<4 {
        let place = 3072 + Int(damage[round * 8 + change]) % (bytes.count - 3072)
        bytes[place] = UInt8(truncatingIfNeeded: damage[round * 8 + 4 + change])
      }
      try folder.write(bytes, "bad.dng")
      guard let frame = try? RawFrame(folder.path + "/bad.dng") else { continue }
      let picture = frame.picture()
      let image = picture.image(Rectangle(x: -1, y: -1, width: 20, height: 20))
      #expect(image.pixels.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
    }
  }
}
