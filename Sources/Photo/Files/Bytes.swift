/// Numbers written one after the other in a chosen byte order.
public struct ByteWriter {
  /// What was written.
  public var bytes: [UInt8] = []

  /// Nothing yet.
  public init() {}

  /// Appends a whole number, its low byte first.
  public mutating func little<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a text as UTF-8, and a zero where asked for.
  public mutating func text(_ text: String, terminated: Bool = false) {
    bytes.append(contentsOf: text.utf8)
    if terminated { bytes.append(0) }
  }
}

/// Numbers read from bytes that may be anything: whatever lies outside is nil.
public struct ByteReader {
  /// All of them.
  public let bytes: [UInt8]
  var isLittle = true

  /// A reader of bytes whose numbers begin with their low (or, else, high) byte.
  public init(_ bytes: [UInt8], little: Bool = true) {
    self.bytes = bytes
    isLittle = little
  }

  /// How many bytes there are.
  public var count: Int { bytes.count }

  /// The byte at a place.
  public func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  /// `length` bytes from a place on.
  public func slice(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
    return bytes[offset..<(offset + length)]
  }

  func number<Number: FixedWidthInteger & UnsignedInteger>(_ offset: Int, as type: Number.Type = Number.self) -> Number?
  {
    guard let slice = slice(offset, Number.bitWidth / 8) else { return nil }
    var value: Number = 0
    if isLittle {
      for byte in slice.reversed() { value = value << 8 | Number(truncatingIfNeeded: byte) }
    } else {
      for byte in slice { value = value << 8 | Number(truncatingIfNeeded: byte) }
    }
    return value
  }

  /// The number of two bytes at a place.
  public func uint16(_ offset: Int) -> UInt16? { number(offset) }
  /// The number of four bytes at a place.
  public func uint32(_ offset: Int) -> UInt32? { number(offset) }
  func uint64(_ offset: Int) -> UInt64? { number(offset) }

  /// Whether a text stands at a place.
  public func starts(with text: String, at offset: Int = 0) -> Bool {
    slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
  }
}
