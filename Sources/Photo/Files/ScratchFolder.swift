import Glibc

/// A folder for files that are needed for a while; it disappears with them.
public final class ScratchFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes one, in TMPDIR or /tmp. Throws ``PhotoError``.
  public init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array((parent + "/constant-color-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw PhotoError(parent, errno: errno, doing: "make a folder in") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The bytes of a file in it. Throws ``PhotoError``.
  public func contents(of name: String) throws -> [UInt8] {
    let bytes = try FileBytes(file(name), as: "a file")
    return bytes.read(0, bytes.count)
  }

  deinit { Folder.remove(path) }
}
