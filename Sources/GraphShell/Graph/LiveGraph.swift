import GEGL
import Glibc
import Photo

/// GEGL's nodes of a session: made, changed and removed so that they are what the statements say. What a change does not
/// touch keeps its results.
final class LiveGraph {
  /// A node of GEGL's, and what it was made from.
  struct LiveNode {
    var node: Node
    var definition: NodeDefinition
    /// The file of `load`, in memory.
    var picture: LoadedPicture?
    var stamp: FileStamp?
    /// How long that took, in seconds.
    var loadSeconds = 0.0
  }

  private let graph: Graph
  private let book: OperationBook
  private(set) var nodes: [String: LiveNode] = [:]

  init(_ book: OperationBook) throws {
    graph = try Graph()
    self.book = book
  }

  subscript(name: String) -> LiveNode? { nodes[name] }

  /// Makes GEGL's nodes those of `document`. Throws a sentence; then some nodes may have been changed already, and the former
  /// document is to be applied again.
  func apply(_ document: GraphDocument) throws {
    for name in nodes.keys where document[name] == nil { remove(name) }
    var remade: Set<String> = []
    // Sources first, so that a pad always finds what feeds it.
    let changed = document.ordered().filter { nodes[$0.name]?.definition != $0 }
    for definition in changed where try update(definition) { remade.insert(definition.name) }
    let moved = document.nodes.filter { definition in
      nodes[definition.name]?.definition != definition || definition.inputs.contains { remade.contains($0.source) }
    }
    // First all that goes, so that no circle appears on the way.
    for definition in moved { disconnect(definition, remade) }
    for definition in moved { try connect(definition) }
  }

  /// Gives a node another name, without making it anew.
  func rename(_ old: String, to new: String) {
    guard var live = nodes.removeValue(forKey: old) else { return }
    live.definition.name = new
    nodes[new] = live
    for (name, node) in nodes {
      for index in node.definition.inputs.indices where node.definition.inputs[index].source == old {
        nodes[name]?.definition.inputs[index].source = new
      }
    }
  }

  /// Reads files again that have changed since they were read, among those that a node depends on.
  ///
  /// - Returns: whether any had.
  func refresh(_ definitions: [NodeDefinition]) throws -> Bool {
    var isChanged = false
    for definition in definitions {
      guard let live = nodes[definition.name], let path = Self.path(of: definition) else { continue }
      let stamp = FileStamp(path)
      guard stamp != live.stamp, stamp.isThere else { continue }
      isChanged = true
      nodes[definition.name]?.stamp = stamp
      guard live.picture != nil else {
        live.node.invalidate()
        continue
      }
      let picture = try Self.load(definition)
      nodes[definition.name]?.picture = picture
      live.node.show(picture.buffer)
    }
    return isChanged
  }

  // MARK: changes

  private func remove(_ name: String) {
    guard let live = nodes.removeValue(forKey: name) else { return }
    graph.remove(live.node)
  }

  /// Makes or changes a node, without its inputs.
  ///
  /// - Returns: whether it is another node of GEGL's than before.
  private func update(_ definition: NodeDefinition) throws -> Bool {
    if let live = nodes[definition.name], live.definition.operation == definition.operation,
      definition.operation != OperationBook.load.name || live.definition.settings == definition.settings,
      live.definition.settings.allSatisfy({ definition.setting($0.name) != nil })
    {
      for setting in definition.settings where live.definition.setting(setting.name) != setting.value {
        try live.node.set(setting.name, setting.value)
        nodes[definition.name]?.definition.set(setting.name, setting.value)
      }
      return false
    }
    let made = try make(definition)
    let old = nodes.updateValue(made, forKey: definition.name)
    if let old { graph.remove(old.node) }
    return true
  }

  private func make(_ definition: NodeDefinition) throws -> LiveNode {
    var bare = definition
    bare.inputs = []
    if definition.operation == OperationBook.load.name {
      let stamp = Self.path(of: definition).map { FileStamp($0) }
      // Under another name the file may be in memory already.
      let known = nodes.values.first {
        $0.picture != nil && $0.stamp == stamp && $0.definition.settings == definition.settings
      }
      let clock = ContinuousClock()
      let start = clock.now
      let picture = try known?.picture ?? Self.load(definition)
      return LiveNode(
        node: try graph.add(picture.buffer), definition: bare, picture: picture, stamp: stamp,
        loadSeconds: known?.loadSeconds ?? (clock.now - start).seconds)
    }
    // Some operations complain that they cannot work before anybody has told them what to do.
    let (node, _) = try Messages.capture(exclusively: true) { try graph.add(definition.operation) }
    do {
      for setting in definition.settings { try node.set(setting.name, setting.value) }
    } catch {
      graph.remove(node)
      throw error
    }
    return LiveNode(node: node, definition: bare, stamp: Self.path(of: definition).map { FileStamp($0) })
  }

  private static func load(_ definition: NodeDefinition) throws -> LoadedPicture {
    try PictureLoader.load(path(of: definition) ?? "", linear: definition.setting("linear") == .bool(true))
  }

  private static func path(of definition: NodeDefinition) -> String? {
    guard case .string(let path)? = definition.setting("path") else { return nil }
    return path
  }

  /// Takes away what feeds pads otherwise than the definition says.
  private func disconnect(_ definition: NodeDefinition, _ remade: Set<String>) {
    guard let live = nodes[definition.name] else { return }
    for input in live.definition.inputs where !definition.inputs.contains(input) || remade.contains(input.source) {
      live.node.disconnect(input.pad)
      nodes[definition.name]?.definition.connect(input.pad, to: nil)
    }
  }

  private func connect(_ definition: NodeDefinition) throws {
    guard let live = nodes[definition.name] else { return }
    for input in definition.inputs where !live.definition.inputs.contains(input) {
      guard let source = nodes[input.source] else { throw GEGLError("there is no node '\(input.source)'") }
      try live.node.connect(input.pad, from: source.node)
    }
    nodes[definition.name]?.definition = definition
  }
}

/// When and what a file was.
struct FileStamp: Equatable {
  private let size: Int
  private let seconds, nanoseconds: Int
  private let inode: UInt64
  let isThere: Bool

  init(_ path: String) {
    var status = stat()
    isThere = stat(path, &status) == 0
    size = isThere ? Int(status.st_size) : 0
    seconds = isThere ? status.st_mtim.tv_sec : 0
    nanoseconds = isThere ? status.st_mtim.tv_nsec : 0
    inode = isThere ? UInt64(status.st_ino) : 0
  }
}
