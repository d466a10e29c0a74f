import ColorScience
import Photo
import TestSupport
import Testing

/// Tags as a raw camera or converter writes them.
private enum RawTags {
  static func rationals(_ number: UInt16, _ values: [Double], signed: Bool = true) -> TIFFTag {
    var bytes: [UInt8] = []
    for value in values {
      for part in [Int32((value * 10_000).rounded()), 10_000] {
        withUnsafeBytes(of: part.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return TIFFTag(number, type: signed ? 10 : 5, count: UInt64(values.count), bytes: bytes)
  }

  static func doubles(_ number: UInt16, _ values: [Double]) -> TIFFTag {
    var bytes: [UInt8] = []
    for value in values { withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) } }
    return TIFFTag(number, type: 12, count: UInt64(values.count), bytes: bytes)
  }

  static let colorA = [1.3884, -0.4376, -0.0751, -0.5459, 1.4641, 0.3817, -0.1303, 0.2482, 0.9787]
  static let colorD65 = [0.9902, -0.248, -0.1025, -0.4775, 1.1944, 0.2384, -0.1816, 0.2941, 0.6718]

  static let version = TIFFTag(50706, type: 1, count: 4, bytes: [1, 4, 0, 0])
  static let color: [TIFFTag] = [
    .text(50708, "Maker Camera"), rationals(50721, colorA), rationals(50722, colorD65), .short(50778, 17),
    .short(50779, 21), rationals(50728, [0.5, 1, 0.6], signed: false), rationals(50730, [0.25]), .text(50735, "S 42"),
  ]
  static let noise = doubles(51041, [1e-4, 1e-6, 2e-4, 2e-6, 3e-4, 3e-6])

  /// A file of directories alone, as DNG, NEF and CR2 begin: the first one, and one below it with the raw picture.
  static func file(_ first: [TIFFTag], below: [TIFFTag] = [], exposure: [TIFFTag] = [], isLittle: Bool = true)
    -> [UInt8]
  {
    var bytes: [UInt8] = isLittle ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? little : little.reversed()
    }
    func stored(_ tag: TIFFTag) -> [UInt8] {
      let unit = [3: 2, 4: 4, 5: 4, 10: 4, 12: 8][Int(tag.type)] ?? 1
      return isLittle
        ? tag.bytes
        : stride(from: 0, to: tag.bytes.count, by: unit).flatMap { tag.bytes[$0..<($0 + unit)].reversed() }
    }
    func directory(_ tags: [TIFFTag], at offset: Int) -> [UInt8] {
      var entries = number(tags.count, 2)
      var values: [UInt8] = []
      for tag in tags.sorted(by: { $0.number < $1.number }) {
        entries += number(Int(tag.number), 2) + number(Int(tag.type), 2) + number(Int(tag.count), 4)
        let bytes = stored(tag)
        if bytes.count <= 4 {
          entries += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
        } else {
          entries += number(offset + 2 + 12 * tags.count + 4 + values.count, 4)
          values += bytes + (bytes.count % 2 == 0 ? [] : [0])
        }
      }
      return entries + number(0, 4) + values
    }
    bytes += number(8, 4)
    func whole(_ sub: Int, _ exif: Int) -> [UInt8] {
      var tags = first
      if !below.isEmpty { tags.append(.long(330, UInt32(sub))) }
      if !exposure.isEmpty { tags.append(.long(34665, UInt32(exif))) }
      return directory(tags, at: 8)
    }
    let sub = 8 + whole(0, 0).count
    let lower = below.isEmpty ? [] : directory(below, at: sub)
    let upper = exposure.isEmpty ? [] : directory(exposure, at: sub + lower.count)
    return bytes + whole(sub, sub + lower.count) + lower + upper
  }
}

@Suite struct DNGColorTagsTests {
  @Test func readsWhatConvertersNeed() throws {
    let tags = try #require(DNGColorTags(RawTags.color + [RawTags.noise]))
    #expect(tags.uniqueCameraModel == "Maker Camera")
    #expect(tags.asShotNeutral == SIMD3(0.5, 1, 0.6) && tags.baselineExposure == 0.25)
    #expect(tags.noise?.gain == SIMD3(1e-4, 2e-4, 3e-4) && tags.noise?.floor == SIMD3(1e-6, 2e-6, 3e-6))
    let model = try CameraColorModel([
      .init(kelvin: 2850, colorMatrix: #require(Matrix3(rowMajor: RawTags.colorA))),
      .init(kelvin: 6500, colorMatrix: #require(Matrix3(rowMajor: RawTags.colorD65))),
    ])
    #expect(tags.colorModel == model && tags.problem == nil)
  }

  @Test func oneProfileOfNoiseIsForAllPlanes() {
    let tags = DNGColorTags([RawTags.doubles(51041, [1e-4, 1e-6])])
    #expect(tags?.noise?.gain == SIMD3(repeating: 1e-4) && tags?.noise?.floor == SIMD3(repeating: 1e-6))
  }

  @Test func nonsenseIsUnknown() {
    #expect(DNGColorTags([]) == nil && DNGColorTags([.text(271, "Maker")]) == nil)
    for wrong: [Double] in [
      [1e-4], [1e-4, 1e-6, 1e-4], [.nan, 0], [-1, 0], [2, 0], [1e-4, -1], [0, 0], [1e-4, .infinity],
    ] {
      #expect(DNGColorTags([RawTags.doubles(51041, wrong)]) == nil, "\(wrong)")
    }
    for wrong: [Double] in [[0, 1, 1], [1, 1], [1, -1, 1], [1, 1, 1, 1]] {
      #expect(DNGColorTags([RawTags.rationals(50728, wrong)]) == nil, "\(wrong)")
    }
    // Zero denominators.
    #expect(DNGColorTags([TIFFTag(50728, type: 5, count: 3, bytes: [UInt8](repeating: 0, count: 24))]) == nil)
    #expect(DNGColorTags([TIFFTag(50721, type: 10, count: 9, bytes: [UInt8](repeating: 1, count: 20))]) == nil)
    #expect(DNGColorTags([RawTags.rationals(50721, [1, 0, 0, 0, 1, 0])]) == nil)
    #expect(DNGColorTags([.short(50778, 17)]) == nil)
  }

  @Test func aBadMatrixLeavesTheOther() throws {
    let singular = RawTags.rationals(50721, [1, 2, 3, 2, 4, 6, 0, 1, 0])
    let left = try #require(DNGColorTags([singular, RawTags.rationals(50722, RawTags.colorD65), .short(50779, 21)]))
    #expect(left.colorModel?.neutral(of: .d65) != nil && left.problem == nil)
    let none = try #require(DNGColorTags([singular]))
    #expect(none.colorModel == nil && none.problem?.contains("ColorMatrix") == true)
  }

  @Test func calibrationsOfAnotherProfileDoNotCount() throws {
    let own = RawTags.rationals(50723, [1.1, 0, 0, 0, 1, 0, 0, 0, 0.9])
    let base = [RawTags.rationals(50721, RawTags.colorA), .short(50778, 17)]
    let plain = try #require(DNGColorTags(base)?.colorModel?.neutral(of: .d50))
    let used = try #require(DNGColorTags(base + [own])?.colorModel?.neutral(of: .d50))
    #expect(abs(used.x / used.y / (plain.x / plain.y) - 1.1) < 1e-9)
    let foreign = DNGColorTags(base + [own, .text(50931, "another")])?.colorModel?.neutral(of: .d50)
    #expect(foreign == plain)
  }

  @Test(arguments: [true, false], ["dng", "nef"]) func filesOfEitherByteOrder(_ isLittle: Bool, _ name: String) throws {
    let folder = try TemporaryFolder()
    let first =
      [.text(271, "Maker"), .text(272, "Camera"), .short(274, 6)] + RawTags.color
      + (name == "dng" ? [RawTags.version, .long(254, 1)] : [])
    let exposure: [TIFFTag] = [
      .rational(33434, 1, 60), .rational(33437, 28, 10), .short(34855, 200), .short(37385, 9),
      .text(36867, "2024:05:31 12:34:56"), .text(37521, "25"), .rational(37386, 35, 1),
    ]
    let path = folder.file("frame.\(name)")
    writeBytes(
      RawTags.file(first, below: [.long(254, 0), RawTags.noise], exposure: exposure, isLittle: isLittle), path)
    let metadata = Metadata(path: path)
    #expect(metadata.make == "Maker" && metadata.model == "Camera" && metadata.serial == "S 42")
    #expect(metadata.exposureTime == 1.0 / 60 && metadata.iso == 200 && metadata.fNumber == 2.8)
    #expect(metadata.flashFired == true && metadata.orientation == .clockwise && metadata.focalLength == 35)
    #expect(metadata.time == Metadata(ExifBlock(exposure: exposure)).time && metadata.time != nil)
    #expect(metadata.dng?.colorModel == DNGColorTags(RawTags.color)?.colorModel)
    if name == "dng" { #expect(metadata.dng?.noise == DNGColorTags([RawTags.noise])?.noise) }
    // What is written into results is of the picture, not of the raw file.
    let result = try #require(metadata.exif).forResult(width: 60, height: 40, isSRGB: true, version: "1")
    #expect(Set(result.image.map(\.number)) == [271, 272, 274, 305])
    #expect(result.exposure.contains { $0.number == 33434 } && result.exposure.contains { $0.number == 36867 })
  }

  @Test func damagedFilesAreNoHarm() throws {
    let folder = try TemporaryFolder()
    let bytes = RawTags.file(RawTags.color + [RawTags.version], below: [.long(254, 0), RawTags.noise])
    var noise = Noise(9)
    let path = folder.file("broken.dng")
    for length in stride(from: 1, to: bytes.count, by: 61) {
      writeBytes(Array(bytes.prefix(length)), path)
      _ = Metadata(path: path)
    }
    for _ in 0..<100 {
      var broken = bytes
      for _ in 0..<3 { broken[noise.below(broken.count)] = UInt8(truncatingIfNeeded: noise.next()) }
      writeBytes(broken, path)
      _ = Metadata(path: path)
    }
  }
}

@Suite struct XMPTests {
  static func packet(_ properties: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
       xmlns:aux="http://ns.adobe.com/exif/1.0/aux/">
      \(properties)
      </rdf:Description></rdf:RDF></x:xmpmeta>
      <?xpacket end="w"?>

      """.utf8)
  }

  static let full = packet(
    """
    <exif:ExposureTime>1/60</exif:ExposureTime><exif:FNumber>28/10</exif:FNumber>
    <exif:ISOSpeedRatings><rdf:Seq><rdf:li>400</rdf:li></rdf:Seq></exif:ISOSpeedRatings>
    <exif:Flash rdf:parseType="Resource"><exif:Fired>True</exif:Fired></exif:Flash>
    <exif:DateTimeOriginal>2024-05-31T12:34:56.5+02:00</exif:DateTimeOriginal>
    <tiff:Make>Maker</tiff:Make><tiff:Model>Camera</tiff:Model><tiff:Orientation>6</tiff:Orientation>
    <aux:SerialNumber>77</aux:SerialNumber><aux:Lens>50 mm</aux:Lens><exif:FocalLength>50/1</exif:FocalLength>
    """)

  private func picture(_ folder: TemporaryFolder, _ exif: ExifBlock?) throws -> String {
    let path = folder.file("frame.png")
    let destination = try PictureDestination(path)
    let layout = PictureLayout(width: 4, height: 4, channels: 3, sample: .uint16)
    try destination.write(layout, PictureAttachments(exif: exif)) { _, bytes in
      for index in 0..<bytes.count { bytes[index] = 7 }
    }
    return path
  }

  @Test(arguments: ["frame.xmp", "frame.png.xmp", "frame.XMP"]) func sidecarsFillWhatIsMissing(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try picture(folder, nil)
    #expect(Metadata(path: path).exposureTime == nil)
    writeBytes(Self.full, folder.file(name))
    let metadata = Metadata(path: path)
    #expect(metadata.exposureTime == 1.0 / 60 && metadata.exactExposureTime == 1.0 / 64)
    #expect(metadata.fNumber == 2.8 && metadata.iso == 400 && metadata.flashFired == true)
    #expect(
      metadata.make == "Maker" && metadata.model == "Camera" && metadata.serial == "77" && metadata.lens == "50 mm")
    #expect(metadata.focalLength == 50)
    let expected = Metadata(
      ExifBlock(exposure: [.text(36867, "2024:05:31 12:34:56"), .text(37521, "5"), .text(36881, "+02:00")])
    ).time
    #expect(metadata.time == expected && expected != nil)
  }

  @Test func theFileCountsFirst() throws {
    let folder = try TemporaryFolder()
    let path = try picture(
      folder, ExifBlock(image: [.text(271, "Own"), .short(274, 1)], exposure: [.rational(33434, 1, 125)]))
    writeBytes(Self.full, folder.file("frame.xmp"))
    let metadata = Metadata(path: path)
    #expect(metadata.make == "Own" && metadata.exposureTime == 1.0 / 125 && metadata.orientation == .upright)
    #expect(metadata.exactExposureTime == 1.0 / 128 && metadata.iso == 400)
  }

  @Test func nonsenseStaysUnknown() throws {
    let folder = try TemporaryFolder()
    let path = try picture(folder, nil)
    for (time, date) in [
      ("1/0", "yesterday"), ("0/1", "2024-13-01T00:00:00"), ("abc", "2024-05-31"), ("", ""), ("1/2/3", "T"),
      ("-1", "T::"),
    ] {
      writeBytes(
        Self.packet(
          "<exif:ExposureTime>\(time)</exif:ExposureTime><exif:DateTimeOriginal>\(date)</exif:DateTimeOriginal>"
            + "<tiff:Orientation>\(time)</tiff:Orientation>"), folder.file("frame.xmp"))
      let metadata = Metadata(path: path)
      #expect(metadata.exposureTime == nil && metadata.time == nil && metadata.orientation == .upright)
    }
    for bytes in [[], [0], Array("<x:xmpmeta".utf8), Array(Self.full.prefix(300))] {
      writeBytes(bytes, folder.file("frame.xmp"))
      #expect(Metadata(path: path).exposureTime == nil)
    }
  }
}
