/// One tag of a TIFF directory (TIFF 6.0, section 2), its value in little-endian bytes.
public struct TIFFTag: Equatable, Sendable {
  /// The tag's number and the number of its type.
  public var number, type: UInt16
  /// How many values there are.
  public var count: UInt64
  /// The values.
  public var bytes: [UInt8]

  /// A tag from its parts.
  public init(_ number: UInt16, type: UInt16, count: UInt64, bytes: [UInt8]) {
    self.number = number
    self.type = type
    self.count = count
    self.bytes = bytes
  }

  /// A tag as it stands in a file of either byte order.
  init(_ number: UInt16, type: UInt16, count: UInt64, storedBytes bytes: [UInt8], isLittle: Bool) {
    self.init(number, type: type, count: count, bytes: isLittle ? bytes : Self.swapped(bytes[...], type))
  }

  /// The values as they stand in a file of either byte order.
  public func bytes(isBigEndian: Bool) -> [UInt8] { isBigEndian ? Self.swapped(bytes[...], type) : bytes }

  private static func swapped(_ bytes: ArraySlice<UInt8>, _ type: UInt16) -> [UInt8] {
    // A fraction is two numbers.
    let unit = type == 5 || type == 10 ? 4 : Self.size(ofType: type) ?? 1
    guard unit > 1 else { return Array(bytes) }
    var result: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
      result += rest.prefix(unit).reversed()
      rest = rest.dropFirst(unit)
    }
    return result
  }

  /// A tag of 16-bit numbers.
  public static func short(_ number: UInt16, _ values: UInt16...) -> TIFFTag { numbers(number, type: 3, values) }
  /// A tag of one 32-bit number.
  public static func long(_ number: UInt16, _ value: UInt32) -> TIFFTag { numbers(number, type: 4, [value]) }

  /// A tag of text.
  public static func text(_ number: UInt16, _ text: String) -> TIFFTag {
    let bytes = Array(text.utf8) + [0]
    return TIFFTag(number, type: 2, count: UInt64(bytes.count), bytes: bytes)
  }

  /// A tag of one fraction; `signed` for APEX values.
  public static func rational(_ number: UInt16, _ top: Int64, _ bottom: Int64, signed: Bool = false) -> TIFFTag {
    let parts = [UInt32(truncatingIfNeeded: top), UInt32(truncatingIfNeeded: bottom)]
    var tag = numbers(number, type: signed ? 10 : 5, parts)
    tag.count = 1
    return tag
  }

  /// A tag of whole numbers as wide as the type's (TIFF 6.0, section 2); count and type are the caller's affair.
  public static func numbers<Number: FixedWidthInteger>(_ number: UInt16, type: UInt16, _ values: [Number]) -> TIFFTag {
    var writer = ByteWriter()
    for value in values { writer.little(value) }
    return TIFFTag(number, type: type, count: UInt64(values.count), bytes: writer.bytes)
  }

  /// The bytes of one value of a type; nil for unknown types.
  static func size(ofType type: UInt16) -> Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }
}

/// Directories as bytes.
enum TIFFDirectory {
  /// A directory that stands at `offset`, followed by the values that do not fit into it.
  static func encode(_ tags: [TIFFTag], at offset: Int, big: Bool = false) -> [UInt8] {
    let tags = tags.sorted { $0.number < $1.number }
    let inline = big ? 8 : 4
    let head = big ? 8 + 20 * tags.count + 8 : 2 + 12 * tags.count + 4
    var directory = ByteWriter()
    var values = ByteWriter()
    /// Counts and places have 64 bits in BigTIFF.
    func write(_ number: Int) {
      if big { directory.little(UInt64(number)) } else { directory.little(UInt32(truncatingIfNeeded: number)) }
    }
    if big { write(tags.count) } else { directory.little(UInt16(truncatingIfNeeded: tags.count)) }
    for tag in tags {
      directory.little(tag.number)
      directory.little(tag.type)
      write(Int(clamping: tag.count))
      if tag.bytes.count <= inline {
        directory.bytes += tag.bytes + [UInt8](repeating: 0, count: inline - tag.bytes.count)
      } else {
        write(offset + head + values.bytes.count)
        // Values begin at even offsets (TIFF 6.0, page 15).
        values.bytes += tag.bytes + (tag.bytes.count % 2 == 0 ? [] : [0])
      }
    }
    write(0)
    return directory.bytes + values.bytes
  }

  /// The tags of the directory at `offset` of a little- or big-endian block; damaged ones are left out.
  static func decode(_ reader: ByteReader, at offset: Int) -> [TIFFTag] {
    guard let count = reader.uint16(offset) else { return [] }
    var tags: [TIFFTag] = []
    for index in 0..<Int(count) {
      let entry = offset + 2 + 12 * index
      guard let number = reader.uint16(entry), let type = reader.uint16(entry + 2),
        let values = reader.uint32(entry + 4), let size = TIFFTag.size(ofType: type)
      else { continue }
      let length = Int(values) * size
      guard let place = length <= 4 ? entry + 8 : reader.uint32(entry + 8).map({ Int($0) }),
        let bytes = reader.slice(place, length)
      else { continue }
      tags.append(
        TIFFTag(number, type: type, count: UInt64(values), storedBytes: Array(bytes), isLittle: reader.isLittle))
    }
    return tags
  }
}
