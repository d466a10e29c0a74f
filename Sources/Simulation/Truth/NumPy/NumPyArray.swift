import Photo

/// An array as NumPy stores it: the .npy format, versions 1 to 3.
package struct NumPyArray {
  /// How numbers are stored; little-endian.
  enum Kind: String, CaseIterable {
    case half = "<f2"
    case float = "<f4"
    case double = "<f8"
    case byte = "|u1"

    var size: Int {
      switch self {
      case .half: 2
      case .float: 4
      case .double: 8
      case .byte: 1
      }
    }
  }

  let kind: Kind
  /// The lengths along its axes; the last one runs fastest.
  package let shape: [Int]
  /// The numbers, `kind.size` bytes each.
  let bytes: ArraySlice<UInt8>

  /// How many numbers there are.
  var count: Int { bytes.count / kind.size }

  /// More numbers than a scene has.
  private static let mostNumbers = 1 << 31

  /// Reads a file's bytes. Throws a text that says what is wrong with it.
  package init(_ file: [UInt8]) throws(ArrayError) {
    let reader = ByteReader(file)
    guard reader.starts(with: "NUMPY", at: 1), reader.byte(0) == 0x93, let version = reader.byte(6) else {
      throw ArrayError("is no NumPy array")
    }
    let isLong = version > 1
    guard version <= 3, let length = isLong ? reader.uint32(8).map(Int.init) : reader.uint16(8).map(Int.init),
      let header = reader.slice(isLong ? 12 : 10, length)
    else { throw ArrayError("has a damaged header") }
    let text = String(decoding: header, as: UTF8.self)
    guard let type = Self.entry("descr", of: text)?.split(separator: "'").first.map(String.init) else {
      throw ArrayError("does not say what its numbers are")
    }
    guard let kind = Kind(rawValue: type) ?? (type == "<u1" || type == "u1" ? .byte : nil) else {
      throw ArrayError("has numbers of the kind '\(type.prefix(20))', which are not read here")
    }
    guard Self.entry("fortran_order", of: text)?.hasPrefix("False") == true else {
      throw ArrayError("is stored column by column")
    }
    guard let list = Self.entry("shape", of: text), list.hasPrefix("("), let end = list.firstIndex(of: ")") else {
      throw ArrayError("does not say how large it is")
    }
    let words = list[list.index(after: list.startIndex)..<end].split { $0 == "," || $0 == " " }
    let shape = words.compactMap { Int($0) }.filter { $0 >= 0 }
    var count = 1
    for length in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow, product <= Self.mostNumbers else { throw ArrayError("is too large") }
      count = product
    }
    guard shape.count == words.count,
      let bytes = reader.slice(header.endIndex, reader.count - header.endIndex), bytes.count == count * kind.size
    else { throw ArrayError("does not have as many numbers as it says") }
    (self.kind, self.shape, self.bytes) = (kind, shape, bytes)
  }

  /// What follows a key in the header, which is a dictionary as Python writes it.
  private static func entry(_ key: String, of header: String) -> Substring? {
    guard let start = header.range(ofText: "'\(key)'") else { return nil }
    let rest = header[start.upperBound...].drop { $0 == " " || $0 == ":" }
    return rest.isEmpty ? nil : rest
  }

  /// The numbers as floats.
  package var floats: [Float] {
    bytes.withUnsafeBytes { bytes in
      (0..<count).map { index in
        switch kind {
        case .half:
          Half.value(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)))
        case .float:
          Float(
            bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
        case .double:
          Float(
            Double(
              bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))))
        case .byte: Float(bytes[index])
        }
      }
    }
  }

  /// The file of an array of halves.
  static func file(_ values: some Collection<Float>, shape: [Int]) -> [UInt8] {
    var file = ByteWriter()
    file.bytes = header(.half, shape)
    file.bytes.reserveCapacity(file.bytes.count + 2 * values.count)
    for value in values { file.little(Half.bits(value)) }
    return file.bytes
  }

  /// The file of an array of bytes.
  static func file(_ values: [UInt8], shape: [Int]) -> [UInt8] { header(.byte, shape) + values }

  /// The file of an array of floats.
  static func floatFile(_ values: some Collection<Float>, shape: [Int]) -> [UInt8] {
    var file = ByteWriter()
    file.bytes = header(.float, shape)
    file.bytes.reserveCapacity(file.bytes.count + 4 * values.count)
    for value in values { file.little(value.bitPattern) }
    return file.bytes
  }

  private static func header(_ kind: Kind, _ shape: [Int]) -> [UInt8] {
    let lengths = shape.map { "\($0)," }.joined(separator: " ")
    var text = "{'descr': '\(kind.rawValue)', 'fortran_order': False, 'shape': (\(lengths)), }"
    // The numbers begin at a multiple of 64; a line ends the header.
    text += String(repeating: " ", count: (64 - (10 + text.utf8.count + 1) % 64) % 64) + "\n"
    var file = ByteWriter()
    file.bytes = [0x93]
    file.text("NUMPY")
    file.bytes += [1, 0]
    file.little(UInt16(text.utf8.count))
    file.text(text)
    return file.bytes
  }
}

/// Tables for NumPy.
public enum NumPyFile {
  /// The bytes of a .npy file of these numbers, of which the last axis runs fastest.
  public static func bytes(of values: [Float], shape: [Int]) -> [UInt8] { NumPyArray.floatFile(values, shape: shape) }
}

/// What is wrong with an array or an archive, as the end of a sentence.
package struct ArrayError: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

extension String {
  /// Where a text first stands in this one.
  fileprivate func range(ofText text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
