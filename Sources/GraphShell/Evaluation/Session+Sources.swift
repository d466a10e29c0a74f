import GEGL
import Photo

extension Session {
  /// Loaders that end the process, or write to standard error, where a file is damaged or of another kind.
  private static let kinds: [String: PictureFile.Kind] = [
    "gegl:jpg-load": .jpeg, "gegl:png-load": .png, "gegl:tiff-load": .tiff, "gegl:webp-load": .webP,
    "gegl:exr-load": .openEXR,
  ]

  /// Makes sure that a source of GEGL's can be computed: it has a file.
  func checkSource(_ node: NodeDefinition, _ operation: OperationDescription) throws {
    guard node.operation != OperationBook.load.name else { return }
    if let reason = FragileOperations.programsOnly[node.operation] { throw GEGLError(reason) }
    for property in operation.settable {
      guard case .other(let type) = property.kind, ["GeglBuffer", "GdkPixbuf", "gpointer"].contains(type) else {
        continue
      }
      throw GEGLError("'\(node.operation)' shows a \(type), which only a program can give it; use load \"FILE\"")
    }
    // Addresses on the network are GEGL's own business.
    if case .string(let address)? = node.setting("uri"), !address.isEmpty { return }
    guard case .path? = operation.property("path")?.kind else { return }
    guard node.setting("path") != nil else {
      throw GEGLError("'\(node.name)' has no file: \(node.name).path = \"FILE\"")
    }
    try checkFile(node)
  }

  /// Makes sure that a source of GEGL's can read its file. Some of them look at it as soon as it is named, and end the
  /// process where there is none, or where it is damaged.
  func checkFile(_ node: NodeDefinition) throws {
    if let reason = FragileOperations.programsOnly[node.operation], !node.settings.isEmpty { throw GEGLError(reason) }
    // This one looks for its file as soon as anything is set.
    if node.operation == "gegl:gif-load", node.setting("path") == nil, !node.settings.isEmpty {
      throw GEGLError("'gegl:gif-load' needs its file first: path=\"FILE\"")
    }
    guard node.operation != OperationBook.load.name, case .string(let path)? = node.setting("path"),
      let operation = try? book.describe(node.operation), operation.inputs.isEmpty
    else { return }
    guard !path.isEmpty else { throw GEGLError("'\(node.operation)' needs a file: path=\"FILE\"") }
    let stamp = FileStamp(path)
    guard checkedFiles[path] != stamp else { return }
    try ByteFile.check(path)
    if let kind = Self.kinds[node.operation] {
      guard try PictureFile.inspect(path).kind == kind else {
        throw PhotoError(path, "is no \(kind.rawValue) file, which '\(node.operation)' reads; use load \"FILE\"")
      }
      _ = try PictureLoader.load(path)
    } else if node.operation == "gegl:load", let kind = try? PictureFile.inspect(path).kind, kind != .raw {
      _ = try PictureLoader.load(path)
    } else if node.operation == "gegl:gegl-buffer-load" {
      guard try ByteFile.begins(path, with: "GEGL") else {
        throw PhotoError(path, "is no buffer of GEGL's; use load \"FILE\"")
      }
    }
    checkedFiles[path] = stamp
  }
}
