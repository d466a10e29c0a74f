import GEGL
import Glibc

/// A file that an operation reads, by one of its properties.
struct NamedFile: Equatable {
  var property: String
  var path: String
}

extension NodeDefinition {
  /// The properties that name files in GEGL's operations.
  private static let fileProperties: Set = ["path", "src", "uri", "profile", "ambient-path"]
  /// Operations that read a file although they have inputs; others with inputs write theirs.
  private static let readers: Set = ["gegl:layer", "gegl:cast-space", "gegl:convert-space"]

  /// The files that it reads, in the order in which they were set; addresses of files as their paths.
  var namedFiles: [NamedFile] {
    settings.compactMap { setting in
      guard Self.fileProperties.contains(setting.name), case .string(let text) = setting.value, !text.isEmpty else {
        return nil
      }
      guard operation.hasPrefix("constant-color:") || Self.readers.contains(operation) || operation.hasSuffix("load")
      else { return nil }
      guard setting.name == "uri" else { return NamedFile(property: setting.name, path: text) }
      return NamedFile.path(ofAddress: text).map { NamedFile(property: setting.name, path: $0) }
    }
  }
}

extension NamedFile {
  /// The path that an address means: `file:///…`, or a path itself; nil for addresses on the network.
  static func path(ofAddress address: String) -> String? {
    let scheme = "file://"
    guard address.lowercased().hasPrefix(scheme) else { return address.contains("://") ? nil : address }
    var rest = address.dropFirst(scheme.count)
    if !rest.hasPrefix("/"), let slash = rest.firstIndex(of: "/") { rest = rest[slash...] }
    let bytes = Array(rest.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        decoded.append(byte)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The one path of a file, whatever links and dots lead to it; nil where there is none.
  static func identity(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
