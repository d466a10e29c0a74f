import Development
import Glibc
import Photo

/// Folders that a command writes into.
enum OutputFolder {
  /// Makes a folder unless it is there; the folder around it must be. Throws ``InputError``.
  static func create(_ path: String) throws {
    if mkdir(path, 0o777) == 0 { return }
    let number = errno
    var status = stat()
    if number == EEXIST, stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw InputError("\(path): is no folder; name another one")
      }
      guard access(path, W_OK | X_OK) == 0 else {
        throw InputError("\(path): the folder is not writable; name another one")
      }
      return
    }
    let reason =
      number == ENOENT ? "the folder around it does not exist; create that first" : String(cString: strerror(number))
    throw InputError("\(path): cannot make the folder: \(reason)")
  }
}

/// A folder for files in between, which disappears with what is in it.
final class ScratchFolder {
  let path: String

  /// Makes one. Throws ``InputError``.
  init() throws {
    let base = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(base)/constant-color-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw InputError("\(base): no temporary folder can be made there: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { OutputFolder.remove(path) }
}

extension OutputFolder {
  /// Removes a folder and what is in it; links are removed, not followed.
  static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name != ".", name != ".." else { continue }
        let inner = "\(path)/\(name)"
        var status = stat()
        if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { remove(inner) } else { unlink(inner) }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
