import ColorScience
import GEGL
import Glibc
import JSONValue
import Photo

extension CommandTable {
  /// What reads and writes files.
  static let fileCommands = [
    CommandDescription(
      "render", "render NODE FILE [--space NAME] [--float]",
      "Writes a picture: .png or .tif (16 bit), .exr (float) or .jpg (8 bit).",
      details:
        "The space is p3, srgb, rec2020, prophoto, linear-srgb, or own: the node's. Unless it is named it is as 'develop' does it: "
        + "what the graph renders for (its property space), else Display P3. The file carries its profile. A node with one "
        + "channel becomes a plain linear map. --float: a .tif with floats. Metadata of the "
        + "file that the picture came from are kept.",
      example: "render b soft.png\nrender b soft.jpg --space p3", [.node, .path],
      action: { session, words in
        var words = words
        let isFloat = words.flag("--float")
        let space = try words.option("--space")
        let node = try words.next("a node")
        let name = try session.nodeName(node)
        let file = try words.next("a file")
        try words.finish()
        let chosen = try session.at(space ?? node) { try session.space(of: name, named: space?.text) }
        let destination = try session.at(file) { try session.destination(file.text) }
        try session.at(node) { try session.render(session.ready(name), to: destination, chosen, isFloat: isFloat) }
      }),
    CommandDescription(
      "save", "save FILE [NODE]",
      "Writes the session as a script (.ccg), or a node with all that feeds it as GEGL's XML (.xml).",
      details:
        "A script that is run again gives the same bits, whatever was looked at before; but gegl:c2g, gegl:fattal02 and "
        + "gegl:stress throw dice.",
      example: "save session.ccg\nsave b.xml b",
      [.path, .node],
      action: save),
    CommandDescription(
      "open", "open FILE",
      "Replaces the session's graph by that of a script (.ccg) or of GEGL's XML (.xml): one step of undo.",
      example: "save session.ccg\nopen session.ccg", [.path], action: open),
    CommandDescription(
      "source", "source FILE", "Runs the statements of a file.", example: "save more.ccg\nsource more.ccg", [.path],
      action: { session, words in
        var words = words
        let file = try words.next("a file")
        try words.finish()
        try session.source(file)
      }),
    CommandDescription(
      "watch", "watch NODE FILE [--count N]", "Renders a node, and again whenever a file that it comes from changes.",
      details: "Ctrl-C ends it; with --count it ends after so many pictures.", example: "watch b soft.png --count 1",
      [.node, .path],
      action: { session, words in
        var words = words
        let count = try words.option("--count").map { word -> Int in
          guard let count = Int(word.text), count > 0 else {
            throw Diagnostic(word.range.lowerBound, "--count takes a whole number from 1 up, not '\(word.text)'")
          }
          return count
        }
        let node = try words.next("a node")
        let name = try session.nodeName(node)
        let file = try words.next("a file")
        try words.finish()
        let destination = try session.at(file) { try session.destination(file.text) }
        try session.at(node) { try session.watch(name, destination, count) }
      }),
    CommandDescription(
      "cd", "cd [FOLDER]", "Changes the folder; without one it is the home folder.",
      details: "Files that the graph reads stay the same ones.", example: "cd .", [.folder],
      action: { session, words in
        var words = words
        let word = words.optional()
        try words.finish()
        let home = getenv("HOME").map { String(cString: $0) } ?? "/"
        let path = word.map { session.expanded($0.text) } ?? home
        try session.changeFolder(path, word?.range.lowerBound ?? 0)
      }),
    CommandDescription(
      "pwd", "pwd", "Prints the folder.", example: "pwd",
      action: { session, words in
        try words.finish()
        let folder = Session.folder
        session.reply(folder, json: ["folder": .string(folder)], csv: ReplyTable(["folder"], [[.string(folder)]]).csv)
      }),
  ]

  @Sendable private static func save(_ session: Session, _ words: Words) throws {
    var words = words
    let file = try words.next("a file")
    let node = try words.peek.map { _ in try words.node(session) }
    try words.finish()
    switch fileExtension(file.text) {
    case "xml":
      let ends = session.document.ends
      guard let name = node ?? (ends.count == 1 ? ends[0] : nil) else {
        throw Diagnostic(
          file.range.upperBound,
          ends.isEmpty
            ? "there are no nodes yet"
            : "XML holds one result, and there are \(ends.joined(separator: ", ")); name one: save FILE.xml NODE")
      }
      try session.write(XMLWriter.xml(of: name, in: session.document), to: file)
    case "ccg", "":
      guard node == nil else {
        throw Diagnostic(file.range.upperBound, "a script holds the whole session; name no node")
      }
      let variables = session.variables.sorted { $0.key < $1.key }
      for node in session.document.nodes where FragileOperations.random.contains(node.operation) {
        session.environment.note("'\(node.name)' will be another one each time: '\(node.operation)' throws dice")
      }
      try session.write(ScriptText.script(session.document, variables: variables.map { ($0.key, $0.value) }), to: file)
    case let other:
      throw Diagnostic(
        file.range.lowerBound, "a session is saved as .ccg or .xml, not as .\(other); pictures are written by 'render'")
    }
  }

  @Sendable private static func open(_ session: Session, _ words: Words) throws {
    var words = words
    let file = try words.next("a file")
    try words.finish()
    let path = session.expanded(file.text)
    let text = try session.at(file) { try TextFile.read(path, as: "a script or an XML file") }
    let isXML = fileExtension(path) == "xml" || text.drop(while: \.isWhitespace).hasPrefix("<")
    guard isXML else { return try session.open(script: text, path, file) }
    try session.at(file) {
      do {
        let (name, pipeline) = try XMLReader.pipeline(text)
        try session.change { state in
          var builder = PipelineBuilder(session: session, document: GraphDocument())
          state.unnamed = 0
          var last = name ?? ""
          if !Name.isValid(last) || CommandTable.names.contains(last) {
            last = "_1"
            state.unnamed = 1
          }
          try builder.build(pipeline, as: last)
          state.document = builder.document
        }
      } catch let problem as Diagnostic {
        // What is wrong with the graph as a whole is wrong on no line.
        let place = problem.offset > 0 ? "line \(problem.offset): " : ""
        throw GEGLError("\(path): \(place)\(problem.message)")
      } catch let error as GEGLError {
        throw GEGLError("\(path): \(error)")
      }
    }
  }
}

extension Session {
  /// A path with the home folder for `~`.
  func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }

  /// Where a picture may be written: not over a file that the graph reads.
  func destination(_ path: String) throws -> PictureDestination {
    let path = expanded(path)
    if let target = NamedFile.identity(path) {
      for node in document.nodes {
        let files = node.namedFiles
        guard !files.contains(where: { NamedFile.identity($0.path) == target }) else {
          throw GEGLError("\(path): is read by '\(node.name)' and would be replaced; name another file")
        }
      }
    }
    return try PictureDestination(path)
  }

  /// Writes a text, whole or not at all.
  func write(_ text: String, to file: Token) throws {
    try at(file) { try ByteFile.write(Array(text.utf8), to: expanded(file.text)) }
  }

  /// Runs the statements of a file.
  func source(_ file: Token) throws {
    let path = expanded(file.text)
    let text = try at(file) { try TextFile.read(path, as: "a script") }
    try runAll(text, path, file)
  }

  private func runAll(_ text: String, _ path: String, _ file: Token) throws {
    guard sourceDepth < 16 else {
      throw Diagnostic(file.range.lowerBound, "\(path): scripts run each other too deeply")
    }
    sourceDepth += 1
    defer { sourceDepth -= 1 }
    for entry in StatementReader.statements(in: text) { try run(entry.text, script: path, line: entry.line) }
  }

  /// Replaces the graph by what a script makes: one step of undo. Nothing changes where it fails.
  func open(script text: String, _ path: String, _ file: Token) throws {
    let other = try Session(environment)
    other.environment.print = { _ in }
    other.environment.isInteractive = false
    other.sourceDepth = sourceDepth
    try other.runAll(text, path, file)
    try change { $0 = other.state }
  }

  // MARK: folders

  /// The folder that relative paths begin in.
  static var folder: String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    return String(cString: path)
  }

  /// Changes the folder; relative paths in the graph become whole ones, so that they name the same files.
  func changeFolder(_ path: String, _ place: Int) throws {
    let before = Self.folder
    guard !path.isEmpty, !path.utf8.contains(0), chdir(path) == 0 else {
      throw Diagnostic(
        place, "\(path): \(path.isEmpty ? "is no folder" : String(cString: strerror(errno)).lowercased())")
    }
    guard Self.folder != before else { return }
    try mapSettings { node, setting in
      guard case .string(let file) = setting.value, !file.isEmpty, !file.hasPrefix("/"),
        case .path? = try? book.describe(node.operation).property(setting.name)?.kind
      else { return setting.value }
      return .string(before + "/" + file)
    }
  }

  // MARK: watching

  /// Renders again and again.
  func watch(_ name: String, _ destination: PictureDestination, _ count: Int?) throws {
    var rendered = 0
    while true {
      try render(ready(name), to: destination, space(of: name), isFloat: false)
      rendered += 1
      environment.note("\(destination.path): written")
      if let count, rendered >= count { return }
      while try !listening({ try refreshed(name) }) {
        for _ in 0..<4 {
          usleep(50_000)
          if environment.execution.cancellation.isCancelled {
            guard environment.isInteractive else { throw RenderingCancelled() }
            // For a person, that is how watching ends.
            environment.recover()
            return
          }
        }
      }
    }
  }

  private func refreshed(_ name: String) throws -> Bool {
    do { return try live.refresh(document.ordered(upTo: name)) } catch let error as PhotoError {
      // Files are often seen while they are being written; the next look tells.
      environment.note("\(error)")
      return false
    }
  }
}
