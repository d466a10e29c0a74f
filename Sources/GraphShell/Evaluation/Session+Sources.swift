import GEGL
import Photo
import Raster

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
    if case .string(let address)? = node.setting("uri"), !address.isEmpty { return try checkFile(node) }
    guard case .path? = operation.property("path")?.kind else { return }
    guard node.setting("path") != nil else {
      throw GEGLError("'\(node.name)' has no file: \(node.name).path = \"FILE\"")
    }
    try checkFile(node)
  }

  /// Makes sure that an operation can read the files that it is given, whatever properties name them. Some look at a file as soon
  /// as it is named, and end the process where there is none, or where it is damaged.
  func checkFile(_ node: NodeDefinition) throws {
    if let reason = FragileOperations.programsOnly[node.operation], !node.settings.isEmpty { throw GEGLError(reason) }
    if let reason = FragileOperations.refusal(node) { throw GEGLError(reason) }
    // This one looks for its file as soon as anything is set.
    if node.operation == "gegl:gif-load", node.setting("path") == nil, !node.settings.isEmpty {
      throw GEGLError("'gegl:gif-load' needs its file first: path=\"FILE\"")
    }
    guard node.operation != OperationBook.load.name else { return }
    if case .string("")? = node.setting("path"), let operation = try? book.describe(node.operation),
      operation.inputs.isEmpty
    {
      throw GEGLError("'\(node.operation)' needs a file: path=\"FILE\"")
    }
    for file in node.namedFiles { try checkFile(file, node.operation) }
  }

  private func checkFile(_ file: NamedFile, _ operation: String) throws {
    let path = file.path
    let stamp = FileStamp(path)
    let key = operation + " " + path
    guard !stamp.isThere || checkedFiles[key] != stamp else { return }
    try ByteFile.check(path)
    if let kind = Self.kinds[operation] {
      guard try PictureFile.inspect(path).kind == kind else {
        throw PhotoError(path, "is no \(kind.rawValue) file, which '\(operation)' reads; use load \"FILE\"")
      }
      _ = try PictureLoader.load(path)
    } else if Self.choosing.contains(operation) {
      try checkChosen(path, operation)
    }
    if let (beginning, kind) = Self.beginnings[operation], try !ByteFile.begins(path, with: beginning) {
      throw PhotoError(path, "is no \(kind), which '\(operation)' reads; use load \"FILE\"")
    }
    if Self.profileReaders.contains(operation) { try Self.checkProfile(path) }
    if file.property == "path", !operation.hasPrefix("constant-color:"), try book.describe(operation).inputs.isEmpty {
      try tryLoading(path, operation)
    }
    checkedFiles[key] = stamp
  }

  /// What files begin with that some loaders read.
  private static let beginnings = [
    "gegl:gegl-buffer-load": ("GEGL", "buffer of GEGL's"), "gegl:gif-load": ("GIF8", "GIF file"),
    "gegl:pdf-load": ("%PDF", "PDF file"),
  ]
  /// Operations that take the colour space of a file.
  private static let profileReaders: Set = ["gegl:icc-load", "gegl:cast-space", "gegl:convert-space"]

  private static func checkProfile(_ path: String) throws {
    let bytes = try ByteFile.read(path, as: "an ICC profile", atMost: 64 << 20)
    guard bytes.count > 128, bytes[36..<40].elementsEqual("acsp".utf8), ColorSpace(icc: bytes) != nil else {
      throw PhotoError(path, "is no ICC profile of RGB or grey that babl can use; name another file")
    }
  }

  /// Has an operation look at a file, apart from the graph: many only complain, or give nothing, where they cannot read it.
  private func tryLoading(_ path: String, _ operation: String) throws {
    let (box, messages) = try StandardError.withoutChatter {
      try Messages.capture(exclusively: true) { () throws -> Rectangle? in
        let graph = try Graph()
        let (node, complaints) = try Messages.capture { () throws -> Node in
          let node = try graph.add(operation)
          try node.set("path", .string(path))
          return node
        }
        return complaints.isEmpty ? node.boundingBox : nil
      }
    }
    guard messages.isEmpty, let box, !box.isEmpty else {
      let reason = messages.first.map { ": " + words($0) } ?? ""
      throw PhotoError(path, "'\(operation)' cannot read it\(reason); use load \"FILE\", or name another file")
    }
  }

  /// Operations that choose a loader by the file's name, whatever is in it.
  private static let choosing: Set = ["gegl:load", "gegl:layer"]
  private static let extensions: [String: PictureFile.Kind] = [
    "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "tif": .tiff, "tiff": .tiff, "webp": .webP, "exr": .openEXR,
  ]

  private func checkChosen(_ path: String, _ operation: String) throws {
    guard let named = Self.extensions[fileExtension(path)] else {
      // Not one of the loaders that end the process; pictures are checked all the same.
      if let kind = try? PictureFile.inspect(path).kind, kind != .raw { _ = try PictureLoader.load(path) }
      return
    }
    let kind = try PictureFile.inspect(path).kind
    guard kind == named else {
      throw PhotoError(
        path,
        "is \(kind.rawValue), and '\(operation)' would read it as \(named.rawValue); use load \"FILE\", or rename it")
    }
    _ = try PictureLoader.load(path)
  }
}
