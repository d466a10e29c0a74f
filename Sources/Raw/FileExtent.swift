/// Whether a file holds all that it says: LibRaw fills up what is missing with whatever it has in memory.
enum FileExtent {
  static func check(_ bytes: ByteSource, _ directories: TIFFDirectories?) throws(RawError) {
    let head = Numbers(bytes: bytes.read(0, 108), isLittle: false)
    if head.has("FUJIFILMCCD-RAW", at: 0) {
      // Places and lengths of the preview, the header of the sensor's data, and these.
      for place in [84, 92, 100] {
        guard let offset = head.uint32(place), let length = head.uint32(place + 4), bytes.contains(offset, length)
        else {
          throw .cutOff
        }
      }
    } else if head.has("ftyp", at: 4) {
      try checkBoxes(bytes)
    } else if let directories {
      try checkStrips(bytes, directories)
    }
  }

  /// The boxes of a CR3 (ISO/IEC 14496-12, section 4.2).
  private static func checkBoxes(_ bytes: ByteSource) throws(RawError) {
    var offset = 0
    while offset < bytes.count {
      let box = Numbers(bytes: bytes.read(offset, 16), isLittle: false)
      guard let short = box.uint32(0) else { throw .cutOff }
      // 1: the size stands in the next eight bytes; 0: up to the end.
      let size = short == 1 ? box.integer(8, size: 8).map { Int(clamping: $0) } ?? 0 : short
      if short == 0 { return }
      guard size >= 8 else { return }
      guard bytes.contains(offset, size) else { throw .cutOff }
      offset += size
    }
  }

  /// The strips or tiles of the largest picture.
  private static func checkStrips(_ bytes: ByteSource, _ directories: TIFFDirectories) throws(RawError) {
    var largest = 0
    var isInside = true
    for directory in directories.all {
      let isTiled = directory.fields[324] != nil
      guard let places = directory.integers(isTiled ? 324 : 273), let counts = directory.integers(isTiled ? 325 : 279),
        places.count == counts.count
      else { continue }
      let total = counts.reduce(0) { $0 &+ max(0, $1) }
      guard total > largest else { continue }
      largest = total
      isInside = zip(places, counts).allSatisfy { bytes.contains($0, $1) }
    }
    if !isInside { throw .cutOff }
  }
}
