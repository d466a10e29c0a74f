import Glibc

/// A regular file, opened to read at any place. Never blocks on pipes and devices: it refuses them.
final class FileBytes {
  let path: String
  let descriptor: Int32
  let count: Int

  /// Opens a file. Throws ``PhotoError``.
  ///
  /// - Parameter kind: what the file should be, for people; by default a picture.
  init(_ path: String, as kind: String? = nil) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw PhotoError(path, "is no file name; name \(kind ?? "a picture")")
    }
    // Non-blocking, since opening a named pipe would otherwise wait for a writer.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      count = 0
      self.path = path
      if errno == ENXIO { throw PhotoError(path, "is not a regular file; name \(kind ?? "a picture file")") }
      throw PhotoError(path, errno: errno, doing: "read")
    }
    self.path = path
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    count = isKnown ? Int(status.st_size) : 0
    guard isKnown, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw PhotoError(
        path,
        isFolder
          ? "is a folder; name \(kind ?? "a picture") in it" : "is not a regular file; name \(kind ?? "a picture file")"
      )
    }
    guard count > 0 else {
      throw PhotoError(path, "the file is empty; " + (kind.map { "name \($0)" } ?? "copy it from the camera again"))
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The bytes from `offset` on; fewer than asked for at the end of the file.
  func read(_ offset: Int, _ length: Int) -> [UInt8] {
    guard offset >= 0, length > 0, offset < count else { return [] }
    let length = min(length, count - offset)
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      while filled < length {
        let done = pread(descriptor, buffer.baseAddress.map { $0 + filled }, length - filled, off_t(offset + filled))
        if done < 0, errno == EINTR { continue }
        if done <= 0 { return }
        filled += done
      }
    }
  }

  /// A reader of the bytes from `offset` on.
  func reader(_ offset: Int, _ length: Int, little: Bool = true) -> ByteReader {
    ByteReader(read(offset, length), little: little)
  }

  /// Back to the first byte, for libraries that read on from where the file stands.
  func rewind() { lseek(descriptor, 0, SEEK_SET) }
}
