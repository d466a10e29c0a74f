import CPictureIO
import Glibc

/// A file that appears whole or not at all.
///
/// Bytes go to an unnamed file in the target's folder (a named one beside it where the file system
/// has no unnamed files); ``commit()`` flushes it to the disk and puts it in the target's place in
/// one step. Without a commit nothing remains, even when the process is killed, and an older file stays.
public final class AtomicFile {
  /// The target, as the caller named it.
  public let path: String
  private let target: String
  private var descriptor: Int32
  private var temporary: String?
  private var end: UInt64 = 0

  /// Opens a file that will replace `path`.
  /// - Throws: ``PhotoError`` if the folder is missing or not writable, or the target is not a regular file.
  public init(_ path: String) throws {
    try Self.check(path)
    self.path = path
    target = Self.resolvingLink(path)
    descriptor = picture_open_unnamed(Self.folder(of: target))
    if descriptor < 0 {
      (descriptor, temporary) = try Self.openNamed(beside: target, path: path)
    }
  }

  /// Opens a file that never gets a name; see ``contents()``.
  init(unnamedIn folder: String) throws {
    (path, target) = (folder, folder)
    descriptor = picture_open_unnamed(folder)
    guard descriptor < 0 else { return }
    let (descriptor, name) = try Self.openNamed(beside: folder + "/", path: folder)
    self.descriptor = descriptor
    if let name { unlink(name) }
  }

  deinit { discard() }

  /// Everything that was written.
  func contents() throws -> [UInt8] {
    guard descriptor >= 0, let count = Int(exactly: end) else { throw PhotoError(path, "the file was already closed") }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let done = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
        if done < 0, errno == EINTR { continue }
        if done <= 0 { return }
        filled += done
      }
    }
    guard bytes.count == count else { throw PhotoError(path, errno: EIO, doing: "read") }
    return bytes
  }

  /// Says at once, before any work, what would keep `path` from being written.
  public static func check(_ path: String) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw PhotoError(path, "is no file name; name a file") }
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw PhotoError(path, "is a folder; name a file in it")
      default: throw PhotoError(path, "is not a regular file; results are written to regular files only")
      }
    }
    if path.hasSuffix("/") { throw PhotoError(path, "is a folder; name a file in it") }
    let folder = folder(of: resolvingLink(path))
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw PhotoError(path, "the folder \(folder) does not exist; create it first")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      throw PhotoError(path, "the folder \(folder) is not writable; choose another place")
    }
  }

  /// Appends bytes.
  public func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0, at: end) }
  }

  /// Writes bytes from `offset` on, over what stands there or beyond the end.
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    guard descriptor >= 0 else { throw PhotoError(path, "the file was already closed") }
    var done = 0
    while done < bytes.count {
      let result = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + done)
      if result < 0 {
        if errno == EINTR { continue }
        throw PhotoError(path, errno: errno, doing: "write")
      }
      // A write of nothing without an error is a full disk on some network file systems.
      if result == 0 { throw PhotoError(path, errno: ENOSPC, doing: "write") }
      done += result
    }
    end = max(end, offset + UInt64(bytes.count))
  }

  /// Flushes the bytes to the disk and puts the file in its place.
  public func commit() throws {
    guard descriptor >= 0 else { throw PhotoError(path, "the file was already closed") }
    do {
      guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS else {
        throw PhotoError(path, errno: errno, doing: "write")
      }
      var old = stat()
      if stat(target, &old) == 0 { _ = fchmod(descriptor, old.st_mode & 0o777) }
      let name = try temporary ?? link()
      temporary = name
      guard rename(name, target) == 0 else { throw PhotoError(path, errno: errno, doing: "replace") }
      temporary = nil
    } catch {
      discard()
      throw error
    }
    let closed = close(descriptor)
    descriptor = -1
    guard closed == 0 || errno == EINTR else { throw PhotoError(path, errno: errno, doing: "write") }
  }

  /// Forgets everything; the older file, if there was one, stays.
  public func discard() {
    if let temporary { unlink(temporary) }
    temporary = nil
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func link() throws -> String {
    for _ in 0..<100 {
      let name = Self.temporaryName(beside: target)
      if picture_link_unnamed(descriptor, name) == 0 { return name }
      if errno != EEXIST { throw PhotoError(path, errno: errno, doing: "create") }
    }
    throw PhotoError(path, errno: EEXIST, doing: "create")
  }

  private static func openNamed(beside target: String, path: String) throws -> (Int32, String?) {
    for _ in 0..<100 {
      let name = temporaryName(beside: target)
      let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, name) }
      if errno != EEXIST { throw PhotoError(path, errno: errno, doing: "create") }
    }
    throw PhotoError(path, errno: EEXIST, doing: "create")
  }

  private static func temporaryName(beside target: String) -> String {
    "\(folder(of: target))/.constant-color-\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
  }

  /// A symbolic link stays one: the file it names is replaced.
  private static func resolvingLink(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let real = realpath(path, nil) else {
      return path
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// The folder that a path names a file in: "." where it names none.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
