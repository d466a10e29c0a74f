import CGEGL
import Calibration
import GEGL
import Glibc
import Synchronization

/// Calibration profiles on disk.
enum ProfileFile {
  /// The profile in a file. Read again only when the file has changed, since hosts prepare operations all the time.
  /// Throws with a sentence that names the file.
  static func load(_ path: String) throws -> CalibrationProfile {
    var status = stat()
    guard stat(path, &status) == 0 else { throw GEGLError("\(path): there is no such profile; check the name") }
    let stamp = Stamp(
      size: Int(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
      inode: UInt64(status.st_ino))
    if let known = cache.withLock({ $0[path] }), known.stamp == stamp { return known.profile }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else {
      throw GEGLError("\(path): is no calibration profile; name one that 'constant-color calibrate' wrote")
    }
    var contents: UnsafeMutablePointer<CChar>?
    var length: gsize = 0
    guard g_file_get_contents(path, &contents, &length, nil) != 0, let contents else {
      throw GEGLError("\(path): the profile cannot be read; check its permissions")
    }
    defer { g_free(contents) }
    let bytes = contents.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(length)))
    }
    do {
      let profile = try CalibrationProfile(parsing: bytes)
      cache.withLock { $0[path] = Entry(stamp: stamp, profile: profile) }
      return profile
    } catch { throw GEGLError("\(path): \(error)") }
  }

  private struct Stamp: Equatable {
    var size, seconds, nanoseconds: Int
    var inode: UInt64
  }

  private struct Entry {
    var stamp: Stamp
    var profile: CalibrationProfile
  }

  private static let cache = Mutex<[String: Entry]>([:])
}
