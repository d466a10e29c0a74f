/// HEIF: boxes (ISO/IEC 14496-12, 4.2), of which all must lie in the file.
enum HEIFStructure {
  static func check(_ file: FileBytes) throws {
    var offset = 0
    var hasMeta = false
    while offset < file.count {
      let head = file.reader(offset, 16, little: false)
      guard let short = head.uint32(0), let name = head.slice(4, 4) else { throw cutOff(file) }
      var length = UInt64(short)
      if short == 1 {
        guard let high = head.uint32(8), let low = head.uint32(12) else { throw cutOff(file) }
        length = UInt64(high) << 32 | UInt64(low)
      } else if short == 0 {
        length = UInt64(file.count - offset)
      }
      guard length >= (short == 1 ? 16 : 8) else { throw damaged(file, "a box of the HEIF has no length") }
      guard length <= UInt64(file.count - offset) else { throw cutOff(file) }
      if name.elementsEqual("meta".utf8) { hasMeta = true }
      offset += Int(length)
    }
    guard hasMeta else { throw cutOff(file) }
  }
}
