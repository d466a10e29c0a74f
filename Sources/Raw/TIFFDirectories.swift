/// The directories of a TIFF file, or of a RAW file that is built like one (TIFF 6.0, section 2; TIFF/EP; DNG 1.6).
struct TIFFDirectories {
  /// A directory: its fields by number.
  struct Directory {
    fileprivate let file: ByteSource
    let isLittle: Bool
    fileprivate(set) var fields: [UInt16: Field] = [:]

    struct Field {
      let type, count, place: Int
    }

    /// The values of a field of numbers; nil where it is missing, outside the file or of another kind.
    func numbers(_ tag: UInt16, most: Int = 1 << 20) -> [Double]? {
      guard let field = fields[tag], let size = Self.size(ofType: field.type) else { return nil }
      let count = min(field.count, most)
      let values = Numbers(bytes: file.read(field.place, count * size), isLittle: isLittle)
      guard values.bytes.count == count * size else { return nil }
      func number(_ index: Int) -> Double? {
        let at = index * size
        switch field.type {
        case 1, 3, 4, 7, 13: return values.integer(at, size: size).map { Double($0) }
        case 6: return values.integer(at, size: 1).map { Double(Int8(truncatingIfNeeded: $0)) }
        case 8: return values.integer(at, size: 2).map { Double(Int16(truncatingIfNeeded: $0)) }
        case 9: return values.integer(at, size: 4).map { Double(Int32(truncatingIfNeeded: $0)) }
        case 5, 10:
          guard let top = values.integer(at, size: 4), let bottom = values.integer(at + 4, size: 4), bottom != 0 else {
            return nil
          }
          return field.type == 5
            ? Double(top) / Double(bottom)
            : Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom))
        case 11: return values.integer(at, size: 4).map { Double(Float(bitPattern: UInt32($0))) }
        case 12: return values.integer(at, size: 8).map { Double(bitPattern: $0) }
        default: return nil
        }
      }
      let numbers = (0..<count).compactMap(number)
      return numbers.count == count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }

    /// The values of a field as whole numbers.
    func integers(_ tag: UInt16, most: Int = 1 << 20) -> [Int]? {
      guard let numbers = numbers(tag, most: most), numbers.allSatisfy({ abs($0) < 1e15 }) else { return nil }
      return numbers.map { Int($0.rounded()) }
    }

    /// The first value of a field as a whole number.
    func integer(_ tag: UInt16) -> Int? { integers(tag, most: 1)?.first }

    private static func size(ofType type: Int) -> Int? {
      switch type {
      case 1, 6, 7: 1
      case 3, 8: 2
      case 4, 9, 11, 13: 4
      case 5, 10, 12: 8
      default: nil
      }
    }
  }

  /// In the order of the file; each is followed by those that belong to it.
  private(set) var all: [Directory] = []

  /// Reads the directories; nil if the file is not of that kind.
  init?(_ file: ByteSource) {
    let head = file.read(0, 8)
    guard head.count == 8 else { return nil }
    let isLittle = head[0] == 0x49
    guard head[0] == head[1], isLittle || head[0] == 0x4D else { return nil }
    let numbers = Numbers(bytes: head, isLittle: isLittle)
    // Olympus writes letters and Panasonic a number of its own in place of 42.
    let marks = [42, 0x4F52, 0x5352, 0x55]
    guard let mark = numbers.uint16(2), marks.contains(mark), let first = numbers.uint32(4) else { return nil }
    var seen: Set<Int> = []
    read(file, isLittle, at: first, &seen)
    guard !all.isEmpty else { return nil }
  }

  private mutating func read(_ file: ByteSource, _ isLittle: Bool, at start: Int, _ seen: inout Set<Int>) {
    var offset = start
    while offset > 0, all.count < 64, seen.insert(offset).inserted {
      guard let count = Numbers(bytes: file.read(offset, 2), isLittle: isLittle).uint16(0), count <= 4096 else {
        return
      }
      let entries = Numbers(bytes: file.read(offset + 2, 12 * count + 4), isLittle: isLittle)
      var directory = Directory(file: file, isLittle: isLittle)
      for entry in stride(from: 0, to: 12 * count, by: 12) {
        guard let tag = entries.uint16(entry), let type = entries.uint16(entry + 2),
          let values = entries.uint32(entry + 4), let place = entries.uint32(entry + 8)
        else { continue }
        let isInline = values * ([1: 1, 2: 1, 6: 1, 7: 1, 3: 2, 8: 2, 5: 8, 10: 8, 12: 8][type] ?? 4) <= 4
        let field = Directory.Field(type: type, count: values, place: isInline ? offset + 2 + entry + 8 : place)
        if directory.fields[UInt16(tag)] == nil { directory.fields[UInt16(tag)] = field }
      }
      all.append(directory)
      for place in directory.integers(330, most: 32) ?? [] { read(file, isLittle, at: place, &seen) }
      offset = entries.uint32(12 * count) ?? 0
    }
  }
}
