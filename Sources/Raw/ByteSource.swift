import Glibc

/// A regular file, read at any place. It refuses pipes and devices, which would block.
final class ByteSource: @unchecked Sendable {
  let count: Int
  private let descriptor: Int32

  init(_ path: String) throws(RawError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw RawError("is no file name") }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      count = 0
      throw RawError("cannot be read: \(String(cString: strerror(errno)))")
    }
    count = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else { throw RawError("is not a regular file; name a picture file") }
    guard count > 0 else { throw RawError("the file is empty; copy it from the camera again") }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The bytes from `offset` on; fewer than asked for at the end of the file.
  func read(_ offset: Int, _ length: Int) -> [UInt8] {
    guard offset >= 0, length > 0, offset < count else { return [] }
    let length = min(length, count - offset)
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = 0
      while filled < length {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, length - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
  }

  /// Whether so many bytes from `offset` on are in the file.
  func contains(_ offset: Int, _ length: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }
}

/// Numbers in bytes of either order; whatever lies outside is nil.
struct Numbers {
  let bytes: [UInt8]
  var isLittle: Bool

  func integer(_ offset: Int, size: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count, size <= bytes.count - offset else { return nil }
    var value: UInt64 = 0
    for index in 0..<size {
      value = value << 8 | UInt64(bytes[offset + (isLittle ? size - 1 - index : index)])
    }
    return value
  }

  func uint16(_ offset: Int) -> Int? { integer(offset, size: 2).map { Int($0) } }
  func uint32(_ offset: Int) -> Int? { integer(offset, size: 4).map { Int($0) } }

  func has(_ text: String, at offset: Int) -> Bool {
    offset >= 0 && bytes.dropFirst(offset).starts(with: text.utf8)
  }
}
