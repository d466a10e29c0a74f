/// TIFF and BigTIFF: the first directory, and strips or tiles that all lie in the file.
enum TIFFStructure {
  static func check(_ file: FileBytes) throws -> (Int, Int) {
    let directory = try Directory(file)
    guard let width = directory.number(256), let height = directory.number(257) else {
      throw damaged(file, "the TIFF has no size")
    }
    guard let offsets = directory.numbers(directory.fields[324] == nil ? 273 : 324), !offsets.isEmpty else {
      throw damaged(file, "the TIFF has no pixels")
    }
    // Counts may be missing in very old files; libtiff then works them out.
    let counts = directory.numbers(directory.fields[325] == nil ? 279 : 325) ?? []
    for (index, offset) in offsets.enumerated() {
      let count = index < counts.count ? counts[index] : 1
      // Sparse tiles have neither place nor length.
      if offset == 0, count == 0 { continue }
      guard offset < file.count, count <= file.count - offset else { throw cutOff(file) }
    }
    try checkUncompressed(file, directory, width, height, counts)
    return (width, height)
  }

  /// libtiff reads on behind strips that are too short: other bytes of the file would become picture.
  private static func checkUncompressed(
    _ file: FileBytes, _ directory: Directory, _ width: Int, _ height: Int, _ counts: [Int]
  ) throws {
    let isTiled = directory.fields[324] != nil
    guard directory.number(259) ?? 1 == 1, !isTiled, !counts.isEmpty, counts.allSatisfy({ $0 > 0 }),
      width > 0, height > 0, width <= PictureFile.largestSide, height <= PictureFile.largestSide
    else { return }
    let bits = max(1, min(directory.number(258) ?? 1, 64)) * max(1, min(directory.number(277) ?? 1, 64))
    // Subsampled YCbCr stores less than its samples say.
    let stored = counts.reduce(0.0) { $0 + Double($1) }
    guard directory.number(262) != 6, stored < (Double(width * height * bits) / 8).rounded(.down) else { return }
    throw damaged(file, "the TIFF has fewer pixels than its size says")
  }

  private struct Directory {
    struct Field {
      let type: UInt16
      let count: Int
      let place: Int
    }

    let file: FileBytes
    let isLittle: Bool
    private(set) var fields: [UInt16: Field] = [:]

    init(_ file: FileBytes) throws {
      self.file = file
      let head = file.read(0, 16)
      isLittle = head.first == 0x49
      let reader = ByteReader(head, little: isLittle)
      let isBig = reader.uint16(2) == 43
      guard let start = isBig ? reader.uint64(8) : reader.uint32(4).map({ UInt64($0) }) else { throw cutOff(file) }
      guard start < UInt64(file.count) else { throw cutOff(file) }
      let first = file.reader(Int(start), 8, little: isLittle)
      guard let count = isBig ? first.uint64(0) : first.uint16(0).map({ UInt64($0) }) else { throw cutOff(file) }
      guard count > 0, count <= 4096 else { throw damaged(file, "the TIFF directory is unreadable") }
      let entry = isBig ? 20 : 12
      let base = Int(start) + (isBig ? 8 : 2)
      let entries = file.reader(base, entry * Int(count), little: isLittle)
      guard entries.count == entry * Int(count) else { throw cutOff(file) }
      for index in 0..<Int(count) {
        let at = index * entry
        guard let number = entries.uint16(at), let type = entries.uint16(at + 2),
          let values = isBig ? entries.uint64(at + 4) : entries.uint32(at + 4).map({ UInt64($0) }),
          let size = TIFFTag.size(ofType: type), values <= UInt64(file.count)
        else { continue }
        let inline = isBig ? 8 : 4
        let value = at + entry - inline
        let place =
          Int(values) * size <= inline
          ? base + value
          : Int(clamping: isBig ? entries.uint64(value) ?? 0 : entries.uint32(value).map { UInt64($0) } ?? 0)
        fields[number] = Field(type: type, count: Int(values), place: place)
      }
    }

    /// The one value of a field.
    func number(_ tag: UInt16) -> Int? { numbers(tag, limit: 1)?.first }

    /// The values of a field of whole numbers; nil where they are missing or outside the file.
    func numbers(_ tag: UInt16, limit: Int = .max) -> [Int]? {
      guard let field = fields[tag], let size = TIFFTag.size(ofType: field.type) else { return nil }
      let count = min(field.count, limit)
      let reader = file.reader(field.place, count * size, little: isLittle)
      guard reader.count == count * size else { return nil }
      return (0..<count).map { index in
        switch size {
        case 1: Int(reader.byte(index) ?? 0)
        case 2: Int(reader.uint16(index * 2) ?? 0)
        case 4: Int(reader.uint32(index * 4) ?? 0)
        default: Int(clamping: reader.uint64(index * 8) ?? 0)
        }
      }
    }
  }
}
