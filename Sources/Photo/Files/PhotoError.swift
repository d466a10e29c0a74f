import Glibc

/// What is wrong with a file, in one sentence for a photographer.
public struct PhotoError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, as the caller named it.
  public var path: String
  /// What is wrong and what to do; one line, without the path.
  public var message: String

  /// An error about a file; line breaks in the message become spaces.
  public init(_ path: String, _ message: String) {
    self.path = path
    self.message = String(message.map { $0.isNewline ? " " : $0 })
  }

  /// An error of the operating system, as left in `errno`.
  init(_ path: String, errno code: Int32, doing: String) {
    self.init(path, Self.words(code, doing: doing))
  }

  /// `PATH: what is wrong and what to do`
  public var description: String { "\(path): \(message)" }

  private static func words(_ code: Int32, doing: String) -> String {
    switch code {
    case ENOENT: "there is no such file; check the name"
    case ENOTDIR: "a part of the path is not a folder; check the name"
    case EACCES, EPERM: "no permission to \(doing) it; change its permissions or choose another place"
    case EROFS: "the disk is read-only; choose another place"
    case ENOSPC, EDQUOT: "the disk is full; free some space and run again"
    case EFBIG: "the file is too large for this disk; choose another place"
    case ENAMETOOLONG: "the name is too long; choose a shorter one"
    case EISDIR: "is a folder; name a file"
    case EMFILE, ENFILE: "too many files are open; close some programs and run again"
    case EIO: "the disk reports an error; check it"
    default: "cannot \(doing) it: \(String(cString: strerror(code)))"
    }
  }
}
