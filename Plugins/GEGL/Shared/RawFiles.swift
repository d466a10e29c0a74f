import CGEGL
import GEGL
import Glibc
import Raw

/// RAW files that operations read, looked at once and unpacked once for all that use them at the same time.
enum RawFiles {
  /// A file as it is now: another one in its place is another file.
  private struct Identity: Hashable {
    let path: String
    let device, inode: UInt64
    let size: Int
    let seconds, nanoseconds: Int

    init(_ path: String) {
      var status = stat()
      self.path = path
      let isKnown = stat(path, &status) == 0
      device = isKnown ? UInt64(status.st_dev) : 0
      inode = isKnown ? UInt64(status.st_ino) : 0
      size = isKnown ? Int(status.st_size) : 0
      seconds = isKnown ? Int(status.st_mtim.tv_sec) : 0
      nanoseconds = isKnown ? Int(status.st_mtim.tv_nsec) : 0
    }
  }

  private struct Entry {
    weak var file: RawFile?
  }

  private static let lock = Lock()
  nonisolated(unsafe) private static var known: [Identity: Result<RawInfo, RawError>] = [:]
  nonisolated(unsafe) private static var files: [Identity: Entry] = [:]

  /// What a file is. Hosts ask often.
  static func info(_ path: String) -> Result<RawInfo, RawError> {
    let identity = Identity(path)
    if let info = lock.withLock({ known[identity] }) { return info }
    let info = Result { () throws(RawError) in try RawFrame.inspect(path) }
    lock.withLock {
      if known.count >= 64 { known = [:] }
      known[identity] = info
    }
    return info
  }

  /// The file, shared with whoever uses it already.
  static func file(_ path: String) -> RawFile {
    let identity = Identity(path)
    return lock.withLock {
      if let file = files[identity]?.file { return file }
      files = files.filter { $0.value.file != nil }
      let file = RawFile(path)
      files[identity] = Entry(file: file)
      return file
    }
  }
}

/// A RAW file that is unpacked when its pixels are first asked for, and kept as long as the object.
final class RawFile: @unchecked Sendable {
  private let path: String
  private let lock = Lock()
  private var frame: RawFrame??

  init(_ path: String) { self.path = path }

  /// The unpacked frame; nil where there is none, which is said once.
  func unpacked() -> RawFrame? {
    lock.withLock {
      if let frame { return frame }
      do {
        frame = .some(try RawFrame(path))
      } catch {
        cgegl_warning("\(LoadRaw.name): \(path): \(error)")
        frame = .some(nil)
      }
      return frame ?? nil
    }
  }
}
