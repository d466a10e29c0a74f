import GEGL

/// Writes a node, with all that feeds it, as a chain text of GEGL's.
struct ChainWriter {
  private let document: GraphDocument
  private let shared: Set<String>
  private var written: Set<String> = []
  private var identities: [String: String] = [:]

  /// The chain of a node.
  static func chain(of name: String, in document: GraphDocument) -> String {
    var writer = ChainWriter(document, name)
    return writer.chain(name).joined(separator: " ")
  }

  private init(_ document: GraphDocument, _ name: String) {
    self.document = document
    var uses: [String: Int] = [:]
    for node in document.ordered(upTo: name) { for input in node.inputs { uses[input.source, default: 0] += 1 } }
    shared = Set(uses.filter { $0.value > 1 }.keys)
  }

  private mutating func chain(_ name: String) -> [String] {
    // Against the flow to where the chain begins.
    var steps: [NodeDefinition] = []
    var next: String? = name
    var words: [String] = []
    while let name = next, let node = document[name] {
      if written.contains(name) {
        words.append("ref=\(identity(name))")
        break
      }
      steps.append(node)
      next = Self.mainInput(of: node)
    }
    for node in steps.reversed() { words += step(node) }
    return words
  }

  /// What a node is called in the chain: numbers, so that the same graph has the same chain whatever its nodes' names.
  private mutating func identity(_ name: String) -> String {
    if let known = identities[name] { return known }
    let identity = "n\(identities.count + 1)"
    identities[name] = identity
    return identity
  }

  private mutating func step(_ node: NodeDefinition) -> [String] {
    var words = [node.operation == OperationBook.load.name ? "gegl:load" : node.operation]
    if shared.contains(node.name) { words.append("id=\(identity(node.name))") }
    written.insert(node.name)
    words += node.settings.map { "\($0.name)=\(Self.word($0.value.description))" }
    for input in node.inputs where input.pad != Self.mainPad(of: node) {
      words += ["\(input.pad)=["] + chain(input.source) + ["]"]
    }
    return words
  }

  /// The pad that the chain flows into.
  private static func mainPad(of node: NodeDefinition) -> String? {
    node.inputs.contains { $0.pad == "input" } ? "input" : nil
  }

  private static func mainInput(of node: NodeDefinition) -> String? { node.source(of: "input") }

  /// A word as GEGL's shell takes it.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { Name.isPart($0) || ":./,+".contains($0) }
    if !text.isEmpty, isPlain { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
