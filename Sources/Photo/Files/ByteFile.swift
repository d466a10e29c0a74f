/// Whole files in memory.
public enum ByteFile {
  /// All bytes of a file. Throws ``PhotoError`` where it cannot be read, is empty, or is larger than `largest`.
  ///
  /// - Parameter kind: what the file should be, for people.
  public static func read(_ path: String, as kind: String, atMost largest: Int) throws -> [UInt8] {
    let file = try FileBytes(path, as: kind)
    guard file.count <= largest else { throw PhotoError(path, "is too large for \(kind); name another file") }
    let bytes = file.read(0, file.count)
    guard bytes.count == file.count else { throw PhotoError(path, "cannot be read to its end; copy it again") }
    return bytes
  }

  /// Makes sure that a file can be read and is not empty. Throws ``PhotoError``.
  public static func check(_ path: String) throws { _ = try FileBytes(path) }

  /// Whether a file begins with a text. Throws ``PhotoError`` where it cannot be read.
  public static func begins(_ path: String, with text: String) throws -> Bool {
    try FileBytes(path).reader(0, text.utf8.count).starts(with: text)
  }

  /// Writes a file, whole or not at all. Throws ``PhotoError``.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try AtomicFile(path)
    try file.write(bytes)
    try file.commit()
  }
}
