/// The maker note of iOS: a TIFF directory behind twelve bytes of heading, its offsets counted from the heading
/// (ExifTool, "Apple Tags").
enum AppleNote {
  /// BurstUUID; nil where the note is none of Apple's, or has none.
  static func burst(_ note: [UInt8]) -> String? {
    var reader = ByteReader(note)
    guard reader.starts(with: "Apple iOS\0") else { return nil }
    reader.isLittle = reader.starts(with: "II", at: 12)
    return TagValues(TIFFDirectory.decode(reader, at: 14)).text(burstUUID)
  }

  private static let burstUUID: UInt16 = 11
}
