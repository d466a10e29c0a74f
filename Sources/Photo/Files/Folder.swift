import Glibc

/// Folders on disk.
public enum Folder {
  /// Makes a folder unless it is there; the folder around it must be. Throws ``PhotoError``.
  public static func create(_ path: String) throws {
    if mkdir(path, 0o777) == 0 { return }
    let number = errno
    var status = stat()
    if number == EEXIST, stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw PhotoError(path, "is no folder; name another one") }
      guard access(path, W_OK | X_OK) == 0 else {
        throw PhotoError(path, "the folder is not writable; name another one")
      }
      return
    }
    let reason =
      number == ENOENT ? "the folder around it does not exist; create that first" : String(cString: strerror(number))
    throw PhotoError(path, "cannot make the folder: \(reason)")
  }

  /// The names of what is in a folder, in order, hidden ones too; nil where it is none that can be read.
  public static func names(in path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a folder and what is in it; links are removed, not followed.
  public static func remove(_ path: String) {
    for name in names(in: path) ?? [] {
      let inner = "\(path)/\(name)"
      var status = stat()
      if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { remove(inner) } else { unlink(inner) }
    }
    rmdir(path)
  }
}
