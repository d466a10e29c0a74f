import Glibc
import Photo

/// Scripts of the shell: files, and what comes through a pipe, such as `<(...)`.
enum ScriptFile {
  private static let largest = 16 << 20

  /// The text of a script. Throws ``PhotoError``.
  static func read(_ path: String) throws -> String {
    var status = stat()
    let isStream =
      stat(path, &status) == 0 && [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    guard isStream else { return try TextFile.read(path, as: "a script") }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw PhotoError(path, "cannot be read: \(String(cString: strerror(errno)).lowercased())")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while bytes.count <= largest {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    guard bytes.count <= largest else { throw PhotoError(path, "is too large for a script; name another file") }
    guard !bytes.contains(0) else { throw PhotoError(path, "is not a text; name a script") }
    return String(decoding: bytes, as: UTF8.self)
  }
}
