/// Small files of text: tables and profiles.
public enum TextFile {
  /// Larger files are no tables that a person made.
  static let largest = 16 << 20

  /// The text of a file, UTF-8; a byte order mark is left out. Throws ``PhotoError``.
  ///
  /// - Parameter kind: what the file should be, for people.
  public static func read(_ path: String, as kind: String = "a table of comma-separated values") throws -> String {
    let file = try FileBytes(path, as: kind)
    guard file.count <= largest else { throw PhotoError(path, "is too large for \(kind); name another file") }
    var bytes = file.read(0, file.count)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    guard !bytes.contains(0) else { throw PhotoError(path, "is not a text; name \(kind)") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
