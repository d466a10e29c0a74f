extension RawFrame {
  /// Whether a file is for LibRaw to judge: by its first bytes; of those that are TIFF files, by a sensor's numbers in them
  /// or by their name.
  public static func isRaw(_ path: String) -> Bool {
    guard let bytes = try? ByteSource(path) else { return false }
    let head = Numbers(bytes: bytes.read(0, 32), isLittle: true)
    if head.has("FUJIFILMCCD-RAW", at: 0) || head.has("ftypcrx ", at: 4) || head.has("FOVb", at: 0) { return true }
    if ["IIRO", "IIRS", "MMOR"].contains(where: { head.has($0, at: 0) }) { return true }
    guard head.has("II", at: 0) || head.has("MM", at: 0) else { return false }
    if head.has("CR", at: 8) || head.uint16(2) == 0x55 || extensions.contains(fileExtension(path)) { return true }
    return TIFFDirectories(bytes)?.all.contains {
      $0.fields[50706] != nil || [32803, 34892].contains($0.integer(262) ?? 0)
    } == true
  }

  private static let extensions: Set = [
    "dng", "nef", "nrw", "arw", "sr2", "srf", "pef", "3fr", "fff", "iiq", "mos", "erf", "srw", "kdc", "dcr", "rwl",
    "mef",
    "cr2", "orf", "rw2",
  ]

  private static func fileExtension(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
  }
}
