import CPictureIO
import Photo

/// A ZIP archive in memory (PKWARE, "APPNOTE", 4.3): stored and deflated members, below 4 GB.
struct ZipArchive {
  /// A member as the central directory describes it.
  private struct Entry {
    var method: UInt16
    var checksum: UInt32
    var packed, size, offset: Int
  }

  private let file: ByteReader
  private var entries: [String: Entry] = [:]

  /// Reads the directory of an archive. Throws where there is none.
  init(_ bytes: [UInt8]) throws(ArrayError) {
    file = ByteReader(bytes)
    // The end record is the last thing, but for a comment of at most 64 KB.
    let first = max(0, bytes.count - 22 - 65535)
    guard let end = stride(from: bytes.count - 22, through: first, by: -1).first(where: { isAt($0, 0x0605_4B50) }),
      let count = file.uint16(end + 10), let start = file.uint32(end + 16)
    else { throw ArrayError("is no ZIP archive, or is cut off") }
    var place = Int(start)
    for _ in 0..<count {
      guard isAt(place, 0x0201_4B50), let flags = file.uint16(place + 8), let method = file.uint16(place + 10),
        let checksum = file.uint32(place + 16), let packed = file.uint32(place + 20),
        let size = file.uint32(place + 24), let nameLength = file.uint16(place + 28),
        let extraLength = file.uint16(place + 30), let commentLength = file.uint16(place + 32),
        let offset = file.uint32(place + 42), let name = file.slice(place + 46, Int(nameLength))
      else { throw ArrayError("is an archive with a damaged directory") }
      guard flags & 1 == 0 else { throw ArrayError("is encrypted") }
      guard packed != .max, size != .max, offset != .max else { throw ArrayError("is too large") }
      entries[String(decoding: name, as: UTF8.self)] = Entry(
        method: method, checksum: checksum, packed: Int(packed), size: Int(size), offset: Int(offset))
      place += 46 + Int(nameLength) + Int(extraLength) + Int(commentLength)
    }
  }

  private func isAt(_ place: Int, _ signature: UInt32) -> Bool { file.uint32(place) == signature }

  /// DEFLATE makes nothing smaller than a thousandth; whoever says so is after the memory.
  private static let greatestRatio = 1100

  /// The contents of a member. Throws where it is missing or damaged.
  func member(_ name: String) throws(ArrayError) -> [UInt8] {
    guard let entry = entries[name] else { throw ArrayError("has no member '\(name)'") }
    guard isAt(entry.offset, 0x0403_4B50), let nameLength = file.uint16(entry.offset + 26),
      let extraLength = file.uint16(entry.offset + 28),
      let packed = file.slice(entry.offset + 30 + Int(nameLength) + Int(extraLength), entry.packed)
    else { throw ArrayError("has a damaged member '\(name)'") }
    let contents: [UInt8]
    switch entry.method {
    case 0: contents = Array(packed)
    case 8 where entry.size <= Self.greatestRatio * (entry.packed + 1): contents = Self.inflated(packed, entry.size)
    case 8: throw ArrayError("has a damaged member '\(name)'")
    default: throw ArrayError("has a member '\(name)' packed in a way that is not read here")
    }
    guard contents.count == entry.size, Self.checksum(contents) == entry.checksum else {
      throw ArrayError("has a damaged member '\(name)'")
    }
    return contents
  }

  /// An archive of members, packed.
  static func file(_ members: [(name: String, contents: [UInt8])]) throws(ArrayError) -> [UInt8] {
    var file = ByteWriter()
    var directory = ByteWriter()
    for (name, contents) in members {
      let packed = deflated(contents)
      guard contents.count < Int(UInt32.max), file.bytes.count + packed.count < Int(UInt32.max) else {
        throw ArrayError("would be too large")
      }
      var shared = ByteWriter()
      // Version 2.0, no flags, deflated, midnight of 1 January 1980.
      for number: UInt16 in [20, 0, 8, 0, 0x21] { shared.little(number) }
      shared.little(checksum(contents))
      shared.little(UInt32(packed.count))
      shared.little(UInt32(contents.count))
      shared.little(UInt16(clamping: name.utf8.count))
      shared.little(UInt16(0))

      directory.little(UInt32(0x0201_4B50))
      directory.little(UInt16(20))
      directory.bytes += shared.bytes
      // No comment, one disk, no attributes.
      for _ in 0..<5 { directory.little(UInt16(0)) }
      directory.little(UInt32(file.bytes.count))
      directory.text(name)

      file.little(UInt32(0x0403_4B50))
      file.bytes += shared.bytes
      file.text(name)
      file.bytes += packed
    }
    let start = file.bytes.count
    guard start + directory.bytes.count < Int(UInt32.max) else { throw ArrayError("would be too large") }
    file.bytes += directory.bytes
    file.little(UInt32(0x0605_4B50))
    for number in [0, 0, members.count, members.count] { file.little(UInt16(clamping: number)) }
    file.little(UInt32(directory.bytes.count))
    file.little(UInt32(start))
    file.little(UInt16(0))
    return file.bytes
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { picture_crc32($0.baseAddress, $0.count) }
  }

  /// Empty where the stream is damaged.
  private static func inflated(_ packed: ArraySlice<UInt8>, _ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { output, count in
      let isWhole = packed.withUnsafeBufferPointer {
        picture_inflate($0.baseAddress, $0.count, output.baseAddress, size)
      }
      count = isWhole ? size : 0
    }
  }

  private static func deflated(_ contents: [UInt8]) -> [UInt8] {
    // What cannot be packed grows by five bytes in 16 KB at most.
    let room = contents.count + contents.count / 1000 + 64
    return [UInt8](unsafeUninitializedCapacity: room) { output, count in
      count = contents.withUnsafeBufferPointer {
        picture_deflate($0.baseAddress, $0.count, output.baseAddress, room)
      }
    }
  }
}
