/// The tags about colour and noise of a DNG file, wherever in its directories they stand: those of the camera in the
/// first, the noise profile in that of the raw picture, which may be one below.
enum DNGDirectories {
  /// The tags of ``DNGColorTags``; nil for a file that is no DNG.
  static func tags(_ file: FileBytes) -> [TIFFTag]? {
    let head = file.read(0, 8)
    guard head.starts(with: [0x49, 0x49, 42, 0]) || head.starts(with: [0x4D, 0x4D, 0, 42]) else { return nil }
    let isLittle = head[0] == 0x49
    guard let start = ByteReader(head, little: isLittle).uint32(4) else { return nil }
    let first = directory(file, at: Int(start), isLittle)
    guard first.contains(where: { $0.number == DNGColorTags.Tag.dngVersion }) else { return nil }
    guard let below = TagValues(first).numbers(subdirectories) else { return first }
    let directories = below.filter { $0 >= 8 && $0 < Double(file.count) }.map { directory(file, at: Int($0), isLittle) }
    // A full-size picture, not a preview or a mask.
    let raw = directories.first { TagValues($0).integer(newSubfileType) ?? 0 == 0 } ?? []
    return first + raw.filter { tag in tag.number != newSubfileType && !first.contains { $0.number == tag.number } }
  }

  private static let newSubfileType: UInt16 = 254
  private static let subdirectories: UInt16 = 330

  private static func directory(_ file: FileBytes, at offset: Int, _ isLittle: Bool) -> [TIFFTag] {
    guard let count = file.reader(offset, 2, little: isLittle).uint16(0) else { return [] }
    let entries = file.reader(offset + 2, 12 * Int(count), little: isLittle)
    var tags: [TIFFTag] = []
    for index in 0..<Int(count) {
      let entry = 12 * index
      guard let number = entries.uint16(entry), let type = entries.uint16(entry + 2),
        DNGColorTags.Tag.all.contains(number) || number == newSubfileType || number == subdirectories,
        let values = entries.uint32(entry + 4), let size = TIFFTag.size(ofType: type), Int(values) * size <= 4096
      else { continue }
      let length = Int(values) * size
      let isInline = length <= 4
      guard let place = isInline ? UInt32(entry + 8) : entries.uint32(entry + 8),
        let bytes = isInline ? entries.slice(Int(place), length).map(Array.init) : file.read(Int(place), length),
        bytes.count == length
      else { continue }
      tags.append(TIFFTag(number, type: type, count: UInt64(values), storedBytes: bytes, isLittle: isLittle))
    }
    return tags
  }
}
