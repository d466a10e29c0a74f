/// PNG: chunks from the header to the end mark.
enum PNGStructure {
  static func check(_ file: FileBytes) throws -> (Int, Int) {
    var offset = 8
    var size: (Int, Int)?
    var hasPixels = false
    while true {
      let head = file.reader(offset, 8, little: false)
      guard let length = head.uint32(0), let name = head.slice(4, 4) else { throw cutOff(file) }
      guard length <= UInt32(Int32.max), name.allSatisfy({ (65...90).contains($0 & 0xDF) }) else {
        throw damaged(file, "a chunk of the PNG is unreadable")
      }
      guard offset + 12 + Int(length) <= file.count else { throw cutOff(file) }
      switch String(decoding: name, as: UTF8.self) {
      case "IHDR":
        let header = file.reader(offset + 8, 13, little: false)
        guard offset == 8, length == 13, let width = header.uint32(0), let height = header.uint32(4) else {
          throw damaged(file, "the PNG header is unreadable")
        }
        size = (Int(width), Int(height))
      case "IDAT":
        hasPixels = true
      case "IEND":
        guard let size, hasPixels else { throw damaged(file, "the PNG has no pixels") }
        return size
      default: break
      }
      guard size != nil else { throw damaged(file, "the PNG header is missing") }
      offset += 12 + Int(length)
    }
  }
}

/// JPEG: segments, a frame header, and compressed data up to the end mark. What follows (previews,
/// panoramas, videos of phones) is not looked at.
enum JPEGStructure {
  static func check(_ file: FileBytes) throws -> (Int, Int) {
    var offset = 2
    var size: (Int, Int)?
    var hasScan = false
    while true {
      guard let (marker, next) = marker(file, from: offset, inScan: hasScan) else { throw cutOff(file) }
      offset = next
      if marker == 0xD9 {
        guard let size, hasScan else { throw damaged(file, "the JPEG has no pixels") }
        return size
      }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
      let segment = file.reader(offset, 8, little: false)
      guard let length = segment.uint16(0).map({ Int($0) }), offset + length <= file.count else { throw cutOff(file) }
      guard length >= 2 else { throw damaged(file, "a segment of the JPEG has no length") }
      // The frame headers; C4, C8 and CC are tables and reserved.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        guard let height = segment.uint16(3), let width = segment.uint16(5) else { throw cutOff(file) }
        size = (Int(width), Int(height))
      }
      if marker == 0xDA {
        guard size != nil else { throw damaged(file, "the JPEG's size is missing") }
        hasScan = true
      }
      offset += length
    }
  }

  /// The next marker and the place after it. Compressed data holds FF 00 and restart marks, which are none.
  private static func marker(_ file: FileBytes, from start: Int, inScan: Bool) -> (UInt8, Int)? {
    var offset = start
    while offset < file.count {
      let block = file.read(offset, 1 << 18)
      var index = 0
      while let found = block[index...].firstIndex(of: 0xFF), found + 1 < block.count {
        let code = block[found + 1]
        let isData = code == 0 || (inScan && (0xD0...0xD7).contains(code))
        if code != 0xFF, !isData { return (code, offset + found + 2) }
        index = code == 0xFF ? found + 1 : found + 2
      }
      if block.count < 2 { return nil }
      // One byte back, since a marker may lie across two blocks.
      offset += block.count - 1
      if offset + 1 >= file.count { return nil }
    }
    return nil
  }
}

/// WebP: the RIFF container and the size in its first chunk.
enum WebPStructure {
  static func check(_ file: FileBytes) throws -> (Int, Int) {
    let head = file.reader(0, 40)
    guard let length = head.uint32(4), Int(length) + 8 <= file.count else { throw cutOff(file) }
    if head.starts(with: "VP8X", at: 12), let flags = head.byte(20), let low = head.uint32(24),
      let high = head.uint32(26)
    {
      guard flags & 2 == 0 else { throw PhotoError(file.path, "is an animation; use a still picture") }
      return (Int(low & 0xFF_FFFF) + 1, Int(high >> 8 & 0xFF_FFFF) + 1)
    }
    if head.starts(with: "VP8 ", at: 12), let width = head.uint16(26), let height = head.uint16(28) {
      return (Int(width & 0x3FFF), Int(height & 0x3FFF))
    }
    if head.starts(with: "VP8L", at: 12), let bits = head.uint32(21) {
      return (Int(bits & 0x3FFF) + 1, Int(bits >> 14 & 0x3FFF) + 1)
    }
    throw damaged(file, "the WebP header is unreadable")
  }

  /// The embedded ICC profile.
  static func profile(_ file: FileBytes) -> [UInt8]? {
    var offset = 12
    while offset + 8 <= file.count {
      let head = file.reader(offset, 8)
      guard let length = head.uint32(4) else { return nil }
      if head.starts(with: "ICCP") { return length < 1 << 24 ? file.read(offset + 8, Int(length)) : nil }
      offset += 8 + Int(length) + Int(length & 1)
    }
    return nil
  }
}

/// OpenEXR: the header, and a table of blocks that all lie in the file.
struct OpenEXRStructure {
  let size: (Int, Int)
  /// Eight floats: red, green, blue, white as x, y.
  let chromaticities: [UInt8]?

  init(_ file: FileBytes) throws {
    guard let version = file.reader(4, 4).uint32(0) else { throw cutOff(file) }
    guard version & 0x1800 == 0 else {
      throw PhotoError(file.path, "has several parts or deep pixels; save it as a single flat OpenEXR picture")
    }
    let header = file.reader(0, 1 << 20)
    var offset = 8
    var window: [Int]?
    var compression = 0
    var space: [UInt8]?
    while header.byte(offset) != 0 {
      guard let name = Self.name(header, &offset), name.utf8.count < 256, Self.name(header, &offset) != nil,
        let length = header.uint32(offset), header.slice(offset + 4, Int(length)) != nil
      else { throw header.count < file.count ? damaged(file, "the OpenEXR header is unreadable") : cutOff(file) }
      offset += 4
      if name == "dataWindow", length == 16 {
        window = (0..<4).compactMap { header.uint32(offset + 4 * $0).map { Int(Int32(bitPattern: $0)) } }
      }
      if name == "chromaticities", length == 32 { space = header.slice(offset, 32).map { Array($0) } }
      if name == "compression" { compression = Int(header.byte(offset) ?? 0) }
      offset += Int(length)
    }
    guard let window, window.count == 4 else { throw damaged(file, "the OpenEXR header has no size") }
    size = (window[2] - window[0] + 1, window[3] - window[1] + 1)
    chromaticities = space
    guard size.1 > 0, size.1 <= PictureFile.largestSide else { return }
    if version & 0x200 == 0 {
      let rows = [1, 1, 1, 16, 32, 16, 32, 32, 32, 256]
      let block = rows.indices.contains(compression) ? rows[compression] : 1
      try Self.checkBlocks(file, at: offset + 1, count: (size.1 + block - 1) / block)
    }
  }

  /// Whether the chromaticities span a triangle with the white inside its plane, as numbers.
  var hasPlausibleSpace: Bool {
    guard let chromaticities else { return true }
    let reader = ByteReader(chromaticities)
    let c = (0..<8).map { reader.uint32($0 * 4).map { Float(bitPattern: $0) } ?? .nan }
    guard c.allSatisfy({ $0.isFinite && abs($0) <= 2 }), c[7] > 0.01 else { return false }
    return abs((c[2] - c[0]) * (c[5] - c[1]) - (c[4] - c[0]) * (c[3] - c[1])) > 0.001
  }

  private static func checkBlocks(_ file: FileBytes, at table: Int, count: Int) throws {
    let offsets = file.reader(table, count * 8)
    for index in 0..<count {
      guard let place = offsets.uint64(index * 8) else { throw cutOff(file) }
      guard place > 0, place < UInt64(file.count), let length = file.reader(Int(place) + 4, 4).uint32(0),
        Int(place) + 8 + Int(length) <= file.count
      else { throw cutOff(file) }
    }
  }

  private static func name(_ reader: ByteReader, _ offset: inout Int) -> String? {
    guard offset < reader.count, let end = reader.bytes[offset...].firstIndex(of: 0) else { return nil }
    defer { offset = end + 1 }
    return String(decoding: reader.bytes[offset..<end], as: UTF8.self)
  }
}
