/// The values of tags, whatever type a camera chose for them; nil where they make no sense.
struct TagValues {
  private let tags: [UInt16: TIFFTag]

  init(_ tags: [TIFFTag]) {
    self.tags = Dictionary(tags.map { ($0.number, $0) }) { first, _ in first }
  }

  /// The first value as a number; a fraction without denominator is none.
  func number(_ tag: UInt16) -> Double? {
    guard let tag = tags[tag] else { return nil }
    let reader = ByteReader(tag.bytes)
    switch tag.type {
    case 1: return reader.byte(0).map { Double($0) }
    case 3: return reader.uint16(0).map { Double($0) }
    case 4: return reader.uint32(0).map { Double($0) }
    case 8: return reader.uint16(0).map { Double(Int16(bitPattern: $0)) }
    case 9: return reader.uint32(0).map { Double(Int32(bitPattern: $0)) }
    case 5:
      guard let top = reader.uint32(0), let bottom = reader.uint32(4), bottom != 0 else { return nil }
      return Double(top) / Double(bottom)
    case 10:
      guard let top = reader.uint32(0), let bottom = reader.uint32(4), bottom != 0 else { return nil }
      return Double(Int32(bitPattern: top)) / Double(Int32(bitPattern: bottom))
    case 11: return reader.uint32(0).map { Double(Float(bitPattern: $0)) }
    case 12: return reader.uint64(0).map { Double(bitPattern: $0) }
    default: return nil
    }
  }

  /// All values as numbers; nil where there are none, too many to be numbers of one thing, or one of them makes no sense.
  func numbers(_ tag: UInt16) -> [Double]? {
    guard let whole = tags[tag], let size = TIFFTag.size(ofType: whole.type), (1...64).contains(whole.count) else {
      return nil
    }
    let count = Int(whole.count)
    guard whole.bytes.count >= count * size else { return nil }
    let values = (0..<count).compactMap { index in
      let one = TIFFTag(
        whole.number, type: whole.type, count: 1, bytes: Array(whole.bytes[index * size..<(index + 1) * size]))
      return TagValues([one]).number(whole.number).flatMap { $0.isFinite ? $0 : nil }
    }
    return values.count == count ? values : nil
  }

  func integer(_ tag: UInt16) -> Int? {
    number(tag).flatMap { $0.isFinite && abs($0) < 1e9 ? Int($0) : nil }
  }

  /// Text without the blanks and zeros that cameras fill it up with; nil when nothing is left.
  func text(_ tag: UInt16) -> String? {
    guard let tag = tags[tag], tag.type == 2 || tag.type == 7 else { return nil }
    return trimmed(String(decoding: tag.bytes.prefix { $0 != 0 }, as: UTF8.self))
  }
}

/// A text without blanks around it; nil when nothing is left.
func trimmed(_ text: String) -> String? {
  let start = text.drop { $0.isWhitespace }
  guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
  return String(start[...end])
}
