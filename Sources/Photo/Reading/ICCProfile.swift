import CGEGL
import GEGL

/// ICC profiles (ICC.1:2010) from files, checked before babl sees them: babl 0.1 believes the counts
/// in a profile and reads, allocates or copies as much as they say.
enum ICCProfile {
  /// The colour space of a profile; nil for one that is damaged, is not for grey or RGB, or that babl cannot use.
  static func space(_ profile: UnsafeRawBufferPointer) -> ColorSpace? {
    guard isSound(ByteReader(Array(profile), little: false)) else { return nil }
    return ColorSpaceBudget.space(ColorSpaceBudget.fingerprint(profile)) {
      var message: UnsafePointer<CChar>?
      let space = babl_space_from_icc(
        profile.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: profile.count),
        BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &message)
      return message == nil ? ColorSpace(space) : nil
    }
  }

  private static func isSound(_ reader: ByteReader) -> Bool {
    guard reader.count < 1 << 22, reader.uint32(0) == UInt32(reader.count), reader.starts(with: "acsp", at: 36),
      reader.starts(with: "RGB ", at: 16) || reader.starts(with: "GRAY", at: 16),
      let count = reader.uint32(128), count > 0, count <= 100
    else { return false }
    return (0..<Int(count)).allSatisfy { index in
      let entry = 132 + 12 * index
      guard let offset = reader.uint32(entry + 4), let size = reader.uint32(entry + 8), offset >= 128,
        let name = reader.slice(entry, 4), let tag = reader.slice(Int(offset), Int(size)), tag.count >= 8
      else { return false }
      return isSound(ByteReader(Array(tag), little: false), named: String(decoding: name, as: UTF8.self))
    }
  }

  private static func isSound(_ tag: ByteReader, named name: String) -> Bool {
    switch name {
    case "rXYZ", "gXYZ", "bXYZ", "wtpt":
      return tag.starts(with: "XYZ ") && tag.count >= 20
    case "rTRC", "gTRC", "bTRC", "kTRC":
      if tag.starts(with: "curv"), let count = tag.uint32(8) {
        // 4096 is the most that profiles have; babl's own copy of the profile has room for little more.
        return count <= 4096 && tag.count >= 12 + 2 * Int(count)
      }
      return tag.starts(with: "para") && tag.count >= 16 && (tag.uint16(8) ?? 5) <= 4
    case "desc", "dmnd", "dmdd", "cprt":
      guard tag.starts(with: "mluc") else { return true }
      guard let records = tag.uint32(8), records <= 1000, tag.uint32(12) == 12 else { return false }
      return (0..<Int(records)).allSatisfy { record in
        guard let length = tag.uint32(16 + 12 * record + 4), let offset = tag.uint32(16 + 12 * record + 8) else {
          return false
        }
        return tag.slice(Int(offset), Int(length)) != nil
      }
    default: return true
    }
  }
}
