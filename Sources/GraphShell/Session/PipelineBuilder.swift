import GEGL
import Photo

/// Makes nodes of a pipe, in a copy of the graph.
///
/// The last step has the name that was given; those before are `name~1`, `name~2`, … against the flow, and what stands in the
/// brackets of a pad is `name~pad`. So the names never depend on what was made before.
struct PipelineBuilder {
  private let session: Session
  private(set) var document: GraphDocument
  /// How deep brackets are nested.
  private var depth = 0

  /// Whether the pipe is a statement of its own, which could have been meant as a command.
  private let isStatement: Bool

  init(session: Session, document: GraphDocument, isStatement: Bool = false) {
    (self.session, self.document, self.isStatement) = (session, document, isStatement)
  }

  /// Makes a pipe, replacing the node of that name in its place.
  mutating func build(_ pipeline: Pipeline, as name: String) throws {
    let pipeline = try expanded(pipeline)
    let consumers = document.consumers(of: name)
    var old = document.steps(of: name)
    if refers(pipeline, to: name) {
      // The node is fed from what it was: that becomes a step of its own pipe.
      let count = pipeline.stages.filter { !isNode($0) }.count
      try shift(name, by: max(1, count))
      old = []
    }
    let order = document.names
    _ = try add(pipeline, as: name, input: nil)
    // Consumers of what was replaced now get the new result.
    for consumer in consumers where consumer.name != name && !consumer.name.hasPrefix(name + "~") {
      guard var current = document[consumer.name] else { continue }
      for input in consumer.inputs where input.source == name { current.connect(input.pad, to: name) }
      document.put(current)
      guard !document.depends(name, on: consumer.name) else {
        throw GEGLError("'\(name)' would feed '\(consumer.name)', which feeds it: a circle; use another name")
      }
    }
    // Steps of the pipe that was there before, unless somebody uses them.
    for step in old.reversed() where order.contains(step) && !made.contains(step) {
      if document.consumers(of: step).isEmpty { document.remove(step) }
    }
    guard document.names.count <= Self.mostNodes else {
      throw GEGLError("more than \(Self.mostNodes) nodes are too many for one graph")
    }
  }

  private static let mostNodes = 2000
  private var made: Set<String> = []

  // MARK: shape

  private func isNode(_ stage: Stage) -> Bool { stage.items.isEmpty && document[stage.head.text] != nil }

  private func refers(_ pipeline: Pipeline, to name: String) -> Bool {
    pipeline.stages.contains { stage in
      (stage.head.text == name && document[name] != nil)
        || stage.items.contains { item in
          switch item {
          case .operand(let word): word.kind == .word && word.text == name && document[name] != nil
          case .setting(_, let word): word.kind == .word && word.text == name && document[name] != nil
          case .nested(_, let inner): refers(inner, to: name)
          }
        }
    }
  }

  /// Gives a node and its steps the names of earlier steps.
  private mutating func shift(_ name: String, by count: Int) throws {
    for step in document.steps(of: name).sorted(by: >) {
      let rest = step.dropFirst(name.count + 1)
      let first = rest.prefix { $0 != "~" }
      let target =
        Int(first).map { "\(name)~\($0 + count)\(rest.dropFirst(first.count))" } ?? "\(name)~\(count)~\(rest)"
      moves.append((step, target))
    }
    // From the highest on, so that no name is taken yet.
    for (from, to) in moves.sorted(by: { Self.rank($0.to) > Self.rank($1.to) }) { document.rename(from, to: to) }
    moves = []
    document.rename(name, to: "\(name)~\(count)")
    renamed[name] = "\(name)~\(count)"
  }

  private var moves: [(from: String, to: String)] = []
  private var renamed: [String: String] = [:]

  private static func rank(_ name: String) -> Int {
    name.split(separator: "~").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// The pipe with what stands in `chain` texts as steps.
  private func expanded(_ pipeline: Pipeline) throws -> Pipeline {
    Pipeline(
      stages: try pipeline.stages.flatMap { stage -> [Stage] in
        let items = try stage.items.map { item -> Stage.Item in
          if case .nested(let key, let inner) = item { return .nested(key: key, try expanded(inner)) }
          return item
        }
        guard stage.head.text == "chain", document["chain"] == nil else {
          return [Stage(head: stage.head, items: items)]
        }
        return try ChainReader.stages(stage)
      })
  }

  // MARK: steps

  /// Adds the steps of a pipe; the name of the last one.
  private mutating func add(_ pipeline: Pipeline, as name: String, input: String?) throws -> String {
    depth += 1
    defer { depth -= 1 }
    var stages = pipeline.stages[...]
    var source = input
    if let first = stages.first, first.items.isEmpty, let node = node(first.head), source == nil {
      source = node
      stages.removeFirst()
      if stages.isEmpty {
        // A second name for a node.
        var definition = NodeDefinition(name: name, operation: "gegl:nop")
        definition.connect("input", to: source)
        return try put(definition, at: first.head)
      }
    }
    for (index, stage) in stages.enumerated() {
      let left = stages.count - 1 - index
      source = try add(stage, as: left == 0 ? name : "\(name)~\(left)", input: source)
    }
    return source ?? name
  }

  private mutating func add(_ stage: Stage, as derived: String, input: String?) throws -> String {
    let head = stage.head
    let name = ownName(of: stage) ?? derived
    guard !head.text.isEmpty else {
      throw Diagnostic(head.range.lowerBound, "an operation is expected here, before any property")
    }
    if head.text == ChainReader.reference, case .operand(let word)? = stage.items.first {
      guard let target = references[word.text] ?? node(word) else {
        throw Diagnostic(word.range.lowerBound, "nothing in the chain has the id '\(word.text)'")
      }
      return target
    }
    var definition = NodeDefinition(name: name, operation: "")
    let operation = try session.at(head) { try described(stage, isFirst: input == nil) }
    definition.operation = operation.name
    if let input {
      guard let pad = operation.orderedInputs.first else {
        throw Diagnostic(head.range.lowerBound, "'\(operation.name)' takes no input: it can only begin a pipe")
      }
      definition.connect(operation.inputs.contains("input") ? "input" : pad, to: input)
    }
    var identity: String?
    for item in stage.items {
      if case .setting(let key, let value) = item, key.text == ChainReader.identity { identity = value.text }
    }
    var operands: [Token] = []
    for item in stage.items {
      switch item {
      case .operand(let word): operands.append(word)
      case .setting(let key, let value) where key.text != ChainReader.identity && key.text != XMLReader.nameMark:
        try set(key, value, of: operation, in: &definition)
      case .setting: break
      case .nested(let key, let inner):
        guard operation.inputs.contains(key.text) else { throw noPad(key, operation) }
        guard depth < 24 else { throw Diagnostic(key.range.lowerBound, "brackets are nested too deeply") }
        definition.connect(key.text, to: try add(inner, as: "\(name)~\(key.text)", input: nil))
      }
    }
    for word in operands { try place(word, of: operation, in: &definition) }
    if let identity { references[identity] = name }
    return try put(definition, at: head)
  }

  /// The name that a step of a document brings along.
  private func ownName(of stage: Stage) -> String? {
    for case .setting(let key, let value) in stage.items where key.text == XMLReader.nameMark {
      return CommandTable.names.contains(value.text) ? nil : value.text
    }
    return nil
  }

  /// The nodes of a chain that have an id.
  private var references: [String: String] = [:]

  private mutating func put(_ definition: NodeDefinition, at word: Token) throws -> String {
    for input in definition.inputs where document.depends(input.source, on: definition.name) {
      throw Diagnostic(
        word.range.lowerBound, "'\(definition.name)' feeds '\(input.source)': the connection would make a circle")
    }
    document.put(definition)
    made.insert(definition.name)
    return definition.name
  }

  /// The operation of a step. `load` of a RAW file is an operation of its own.
  private func described(_ stage: Stage, isFirst: Bool) throws -> OperationDescription {
    let mayBeCommand = isFirst && isStatement && depth == 1
    let mayBeNode = isFirst && stage.items.isEmpty && !stage.head.text.contains(":")
    if node(stage.head) != nil, (try? session.book.fullName(stage.head.text)) == nil {
      throw GEGLError(
        "'\(stage.head.text)' is a node, not an operation: only '|' may follow it, at the beginning of a pipe")
    }
    let name = try session.book.fullName(
      stage.head.text, or: (mayBeCommand ? ["command"] : []) + (mayBeNode ? ["node"] : []),
      (mayBeCommand ? CommandTable.commands.map(\.name) : []) + (mayBeNode ? document.names : []))
    if name == OperationBook.load.name {
      for item in stage.items {
        let path: Token
        switch item {
        case .operand(let word): path = word
        case .setting(let key, let word) where key.text == "path": path = word
        default: continue
        }
        let property = OperationBook.load.properties[0]
        guard case .string(let file) = try session.value(path, for: property) else { continue }
        let kind = try session.at(path) { try PictureFile.inspect(file).kind }
        return kind == .raw ? try session.book.describe("constant-color:load-raw") : OperationBook.load
      }
      throw Diagnostic(stage.head.range.upperBound, "the file is missing: load \"FILE\"")
    }
    return try session.book.describe(name)
  }

  private mutating func set(
    _ key: Token, _ word: Token, of operation: OperationDescription, in definition: inout NodeDefinition
  ) throws {
    // A pad wins over a property of the same name.
    if operation.inputs.contains(key.text) {
      guard definition.source(of: key.text) == nil else {
        throw Diagnostic(key.range.lowerBound, "the pad '\(key.text)' is fed already")
      }
      guard let source = node(word) else {
        throw Diagnostic(
          word.range.lowerBound,
          "there is no node '\(word.text)'" + Suggestion.text(for: word.text, among: document.names))
      }
      definition.connect(key.text, to: source)
      return
    }
    let property = try session.property(key, of: operation)
    guard definition.setting(key.text) == nil else {
      throw Diagnostic(key.range.lowerBound, "'\(key.text)' is given twice")
    }
    definition.set(key.text, try session.value(word, for: property))
  }

  /// Finds out what a word without a name is for: a text is the operation's path, anything else a node for the next pad.
  private mutating func place(
    _ word: Token, of operation: OperationDescription, in definition: inout NodeDefinition
  ) throws {
    let path = operation.property("path")
    let isFile = word.kind == .text || operation.name == OperationBook.load.name || node(word) == nil
    if let path, isFile, definition.setting("path") == nil,
      word.kind == .text || operation.inputs.isEmpty
    {
      definition.set("path", try session.value(word, for: path))
      return
    }
    guard let source = node(word) else {
      let hint = Suggestion.text(for: word.text, among: document.names)
      throw Diagnostic(
        word.range.lowerBound,
        "there is no node '\(word.text)'" + (hint.isEmpty ? "; write property=value, or the name of a node" : hint))
    }
    guard let pad = operation.orderedInputs.first(where: { definition.source(of: $0) == nil }) else {
      throw Diagnostic(
        word.range.lowerBound,
        operation.inputs.isEmpty
          ? "'\(operation.name)' takes no input" : "'\(operation.name)' has no pad left for '\(word.text)'")
    }
    definition.connect(pad, to: source)
  }

  private func noPad(_ key: Token, _ operation: OperationDescription) -> Diagnostic {
    let pads = operation.orderedInputs
    return Diagnostic(
      key.range.lowerBound,
      "'\(operation.name)' has no pad '\(key.text)'"
        + (pads.isEmpty ? "; it takes no input" : "; it has \(pads.joined(separator: ", "))"))
  }

  /// The node that a word names, as it is called now.
  private func node(_ word: Token) -> String? {
    if let name = renamed[word.text] { return name }
    return document[word.text] != nil ? word.text : nil
  }
}
