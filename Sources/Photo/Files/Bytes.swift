/// Numbers written one after the other in a chosen byte order.
struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func little<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func text(_ text: String, terminated: Bool = false) {
    bytes.append(contentsOf: text.utf8)
    if terminated { bytes.append(0) }
  }
}

/// Numbers read from bytes that may be anything: whatever lies outside is nil.
struct ByteReader {
  let bytes: [UInt8]
  var isLittle = true

  init(_ bytes: [UInt8], little: Bool = true) {
    self.bytes = bytes
    isLittle = little
  }

  var count: Int { bytes.count }

  func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  func slice(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
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

  func uint16(_ offset: Int) -> UInt16? { number(offset) }
  func uint32(_ offset: Int) -> UInt32? { number(offset) }
  func uint64(_ offset: Int) -> UInt64? { number(offset) }

  func starts(with text: String, at offset: Int = 0) -> Bool {
    slice(offset, text.utf8.count).map { $0.elementsEqual(text.utf8) } ?? false
  }
}
