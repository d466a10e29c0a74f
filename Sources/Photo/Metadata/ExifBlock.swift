/// EXIF metadata as it is embedded in files (CIPA DC-008, "Exif 2.32"): three directories of tags.
public struct ExifBlock: Equatable, Sendable {
  /// The tags of the camera and the picture (IFD 0), of the exposure (Exif IFD) and of the place (GPS IFD).
  public var image, exposure, place: [TIFFTag]

  /// A block of the given tags.
  public init(image: [TIFFTag] = [], exposure: [TIFFTag] = [], place: [TIFFTag] = []) {
    self.image = image
    self.exposure = exposure
    self.place = place
  }

  /// Reads a block as it stands in a file, from its byte order mark on; nil if it is none.
  public init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    if reader.starts(with: "MM") { reader.isLittle = false } else if !reader.starts(with: "II") { return nil }
    guard reader.uint16(2) == 42, let first = reader.uint32(4) else { return nil }
    let tags = TIFFDirectory.decode(reader, at: Int(first))
    func directory(_ pointer: UInt16) -> [TIFFTag] {
      guard let tag = tags.first(where: { $0.number == pointer }), tag.bytes.count == 4,
        let offset = ByteReader(tag.bytes).uint32(0)
      else { return [] }
      return TIFFDirectory.decode(reader, at: Int(offset))
    }
    self.init(
      image: tags.filter { !Tag.pointers.contains($0.number) },
      exposure: directory(Tag.exposurePointer).filter { !Tag.pointers.contains($0.number) },
      place: directory(Tag.placePointer))
  }

  /// The block for a result made from this frame: time, camera, lens, exposure and place are kept;
  /// upright, the result's own size, without thumbnail, maker note and what described the old file.
  ///
  /// Maker notes are dropped because their offsets break when they move, and because they describe
  /// a processing that this picture has not had.
  public func forResult(width: Int, height: Int, isSRGB: Bool, version: String) -> ExifBlock {
    var result = ExifBlock(
      image: image.filter { Tag.keptOfImage.contains($0.number) && !Tag.describesLayout($0) },
      exposure: exposure.filter { !Tag.droppedOfExposure.contains($0.number) && $0.bytes.count <= 4096 },
      place: place)
    result.image += [.short(Tag.orientation, 1), .text(Tag.software, "constant-color \(version)")]
    result.exposure += [
      .long(Tag.pixelWidth, UInt32(clamping: width)), .long(Tag.pixelHeight, UInt32(clamping: height)),
      .short(Tag.colorSpace, isSRGB ? 1 : 0xFFFF),
    ]
    if !result.exposure.contains(where: { $0.number == Tag.exifVersion }) {
      result.exposure.append(TIFFTag(Tag.exifVersion, type: 7, count: 4, bytes: Array("0232".utf8)))
    }
    return result
  }

  /// The block as it stands in a file, without the "Exif\0\0" of JPEG.
  public func bytes() -> [UInt8] {
    var writer = ByteWriter()
    writer.text("II")
    writer.little(UInt16(42))
    writer.little(UInt32(8))
    func first(_ exposure: Int?, _ place: Int?) -> [UInt8] {
      let pointers = [(Tag.exposurePointer, exposure), (Tag.placePointer, place)].compactMap { number, place in
        place.map { TIFFTag.long(number, UInt32(truncatingIfNeeded: $0)) }
      }
      return TIFFDirectory.encode(image + pointers, at: 8)
    }
    // The pointers stand inside IFD 0, so its size does not depend on them.
    let size = first(exposure.isEmpty ? nil : 0, place.isEmpty ? nil : 0).count
    let rest = directories(at: 8 + size)
    return writer.bytes + first(rest.exposure, rest.place) + rest.bytes
  }

  /// The directories of the exposure and the place as they stand at `offset` of a file, and where each begins.
  func directories(at offset: Int, big: Bool = false) -> (bytes: [UInt8], exposure: Int?, place: Int?) {
    let first = exposure.isEmpty ? [] : TIFFDirectory.encode(exposure, at: offset, big: big)
    let second = place.isEmpty ? [] : TIFFDirectory.encode(place, at: offset + first.count, big: big)
    return (first + second, exposure.isEmpty ? nil : offset, place.isEmpty ? nil : offset + first.count)
  }

  enum Tag {
    static let orientation: UInt16 = 274
    static let software: UInt16 = 305
    static let exposurePointer: UInt16 = 34665
    static let placePointer: UInt16 = 34853
    static let exifVersion: UInt16 = 36864
    static let colorSpace: UInt16 = 40961
    static let pixelWidth: UInt16 = 40962
    static let pixelHeight: UInt16 = 40963
    static let makerNote: UInt16 = 37500
    static let interoperability: UInt16 = 40965
    static let pointers: Set<UInt16> = [exposurePointer, placePointer, interoperability]
    static let description: UInt16 = 270

    /// Whether a description is a program's note on how the old file's pixels lie, as {"shape": [480, 640, 3]}.
    static func describesLayout(_ tag: TIFFTag) -> Bool {
      tag.number == description && tag.bytes.starts(with: Array("{\"shape\"".utf8))
    }

    /// Description, make, model, resolution and its unit, time, artist, copyright.
    static let keptOfImage: Set<UInt16> = [description, 271, 272, 282, 283, 296, 306, 315, 33432]
    /// The maker note and what the result says itself; components and compression of a JPEG, of no use now;
    /// custom rendering, digital zoom's gain and the white balance mode stay, since they describe the capture.
    static let droppedOfExposure: Set<UInt16> = [
      makerNote, colorSpace, pixelWidth, pixelHeight, 37121, 37122, 40964, interoperability,
    ]
  }
}
