import Glibc

/// What tells one state of a file from another without reading it: size and time of the last change.
public struct FileIdentity: Hashable, Sendable {
  /// Bytes; -1 where there is no such file.
  public let size: Int
  /// Nanoseconds since 1970 of the last change of its bytes.
  public let modified: Int

  /// The state of a file now, through links.
  public init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      (size, modified) = (-1, 0)
      return
    }
    size = Int(status.st_size)
    modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
  }

  /// The states of a picture and of the XMP files beside it that its metadata may come from, as a text.
  public static func text(of path: String) -> String {
    let all = [path] + XMPReader.sources(of: path).filter { $0 != path }
    return all.map { path in
      let identity = FileIdentity(path)
      // Without the folder, which may be moved.
      let name = path.split(separator: "/").last ?? ""
      return "\(name) \(identity.size) \(identity.modified)"
    }.joined(separator: "\n")
  }
}
