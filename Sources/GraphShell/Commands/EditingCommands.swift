import GEGL
import JSONValue

extension CommandTable {
  /// What changes the graph.
  static let editingCommands = [
    CommandDescription(
      "connect", "connect A B.PAD", "Feeds a pad of B from A.",
      example: "c = gegl:over\nconnect a c.input\nconnect b c.aux", [.node, .pad],
      action: { session, words in
        var words = words
        let source = try words.node(session)
        let (name, pad, word) = try session.pad(&words)
        try words.finish()
        guard !session.document.depends(source, on: name) else {
          throw Diagnostic(word.range.lowerBound, "'\(name)' feeds '\(source)': the connection would make a circle")
        }
        try session.at(word) { try session.connect(name, pad, to: source) }
      }),
    CommandDescription(
      "disconnect", "disconnect B.PAD", "Takes away what feeds a pad.", example: "disconnect b.input", [.pad],
      action: { session, words in
        var words = words
        let (name, pad, word) = try session.pad(&words)
        try words.finish()
        guard session.document[name]?.source(of: pad) != nil else {
          throw Diagnostic(word.range.lowerBound, "nothing feeds '\(name).\(pad)'")
        }
        try session.connect(name, pad, to: nil)
      }),
    CommandDescription(
      "remove", "remove NODE...", "Removes nodes, with the unnamed steps of their pipes.",
      details: "Pads that they fed are fed by nothing then. A variable is removed likewise.", example: "remove b",
      [.node],
      action: { session, words in
        var words = words
        var names: [String] = []
        repeat {
          let word = try words.next("a node")
          if session.document[word.text] == nil, session.variables[word.text] != nil {
            names.append(word.text)
          } else {
            names.append(try session.nodeName(word))
          }
        } while words.count > 0
        try session.change { state in
          for name in names {
            for step in state.document.steps(of: name).reversed()
            where state.document.consumers(of: step).allSatisfy({ $0.name == name || $0.name.hasPrefix(name + "~") }) {
              state.document.remove(step)
            }
            state.document.remove(name)
            state.variables[name] = nil
          }
        }
      }),
    CommandDescription(
      "rename", "rename A B", "Gives a node another name; it keeps its inputs, consumers and results.",
      example: "rename b soft\nprobe soft 4 4", [.node, .free],
      action: { session, words in
        var words = words
        let old = try words.node(session)
        let new = try words.next("the new name")
        try words.finish()
        try session.checkName(new)
        let taken = session.document[new.text] != nil || !session.document.steps(of: new.text).isEmpty
        guard !taken, session.variables[new.text] == nil else {
          throw Diagnostic(new.range.lowerBound, "there is something called '\(new.text)' already")
        }
        guard !new.text.hasPrefix(old + "~") else {
          throw Diagnostic(new.range.lowerBound, "'\(new.text)' would be a step of the node itself")
        }
        try session.rename(old, to: new.text)
      }),
    CommandDescription(
      "undo", "undo [N]", "Takes back the last statements that changed something.",
      details:
        "Nodes and variables are as they were, whether a statement, a script or 'open' changed them. Files that were written, "
        + "options of 'set', and the folder stay; so do variables of the command line, which were there before.",
      example: "b.std-dev-x = 5\nundo",
      [.free],
      action: { session, words in
        var words = words
        let count = try words.peek.map { _ in try words.whole("N", in: 1...10_000) } ?? 1
        try words.finish()
        session.tell(try session.undo(count), of: count, "undone")
      }),
    CommandDescription(
      "redo", "redo [N]", "Does again what was undone.", example: "b.std-dev-x = 5\nundo\nredo", [.free],
      action: { session, words in
        var words = words
        let count = try words.peek.map { _ in try words.whole("N", in: 1...10_000) } ?? 1
        try words.finish()
        session.tell(try session.redo(count), of: count, "done again")
      }),
  ]
}

extension Session {
  /// The next word as `node.pad`.
  func pad(_ words: inout Words) throws -> (node: String, pad: String, word: Token) {
    let word = try words.next("NODE.PAD")
    guard let member = Member(word) else {
      throw Diagnostic(
        word.range.lowerBound,
        "a pad is expected here, such as \(document.names.last ?? "out").input, not '\(word.text)'")
    }
    let name = try nodeName(member.node)
    guard let definition = document[name] else { return (name, "", word) }
    let operation = try book.describe(definition.operation)
    guard operation.inputs.contains(member.property.text) else {
      let pads = operation.orderedInputs.joined(separator: ", ")
      throw Diagnostic(
        member.property.range.lowerBound,
        "'\(operation.name)' has no pad '\(member.property.text)'"
          + (pads.isEmpty ? "; it takes no input" : "; it has \(pads)"))
    }
    return (name, member.property.text, word)
  }

  /// Feeds a pad from a node, or from nothing.
  func connect(_ name: String, _ pad: String, to source: String?) throws {
    guard var definition = document[name] else { return }
    definition.connect(pad, to: source)
    try change { $0.document.put(definition) }
  }

  /// Tells a person which statements were undone or done again, and anybody where there were fewer than asked for.
  func tell(_ statements: [String], of wanted: Int, _ what: String) {
    if environment.isInteractive, options.output == .text {
      for statement in statements.prefix(Self.mostTold) { environment.print("\(what): \(statement)") }
      if statements.count > 1 { environment.print("\(what): \(statements.count) statements in all") }
    }
    guard statements.count < wanted else { return }
    environment.note(
      "\(statements.count) of \(wanted) statements \(statements.count == 1 ? "was" : "were") \(what): there are no more"
    )
  }

  private static let mostTold = 20
}
