import GEGL
import Inspection
import JSONValue
import Raster

extension CommandTable {
  /// What there is: operations, nodes, the graph.
  static let graphCommands = [
    CommandDescription(
      "ops", "ops [PATTERN]", "Lists the operations whose name or title contains a word.",
      details: "Any operation that GEGL has on this machine can be used. Short names do where they are not ambiguous.",
      example: "ops blur", [.operation], action: listOperations),
    CommandDescription(
      "info", "info OPERATION", "Describes an operation: pads, properties, ranges, defaults. Also OPERATION?",
      example: "info gegl:gaussian-blur", [.operation], action: describeOperation),
    CommandDescription(
      "nodes", "nodes", "Lists the nodes.", example: "nodes", action: listNodes),
    CommandDescription(
      "show", "show NODE", "Shows a node: operation, inputs, properties, bounds, format. Also the node's name alone.",
      example: "show b", [.node], action: showNode),
    CommandDescription(
      "graph", "graph [NODE] [--dot FILE | --svg FILE] [--time] [--ascii]",
      "Draws the graph, or what a node depends on: in text, for Graphviz, or as SVG.",
      details: "With --time each node shows what it takes; NODE says of which result.",
      example: "graph\ngraph b --dot graph.dot", [.node], action: drawGraph),
    CommandDescription(
      "chain", "chain NODE", "Prints a node, with all that feeds it, as a chain of GEGL's.",
      details: "Chains can be pasted, too: NAME = chain \"gegl:load path=a.png gegl:invert-linear\".",
      example: "chain b\nc = chain \"gegl:color value=red gegl:crop width=8 height=8\"\nchain c", [.node],
      action: { session, words in
        var words = words
        let name = try words.node(session)
        try words.finish()
        let chain = ChainWriter.chain(of: name, in: session.document)
        session.reply(
          chain, json: ["node": .string(name), "chain": .string(chain)],
          csv: ReplyTable(["node", "chain"], [[.string(name), .string(chain)]]).csv)
      }),
    CommandDescription(
      "xml", "xml NODE", "Prints a node, with all that feeds it, as GEGL's XML.", example: "xml b", [.node],
      action: { session, words in
        var words = words
        let name = try words.node(session)
        try words.finish()
        let xml = XMLWriter.xml(of: name, in: session.document)
        session.reply(
          String(xml.dropLast()), json: ["node": .string(name), "xml": .string(xml)],
          csv: ReplyTable(["node", "xml"], [[.string(name), .string(xml)]]).csv)
      }),
  ]

  @Sendable private static func listOperations(_ session: Session, _ words: Words) throws {
    var words = words
    let pattern = words.optional()?.text.lowercased() ?? ""
    try words.finish()
    var table = ReplyTable(["operation", "title"])
    for name in session.book.names {
      let title = (try? session.book.describe(name).title) ?? ""
      guard pattern.isEmpty || name.lowercased().contains(pattern) || title.lowercased().contains(pattern) else {
        continue
      }
      table.rows.append([.string(name), .string(title)])
    }
    guard !table.rows.isEmpty else {
      throw GEGLError(
        "no operation is called '\(pattern)'" + Suggestion.text(for: pattern, among: session.book.writtenNames))
    }
    table.isHeaded = false
    session.reply(table, "operations")
  }

  @Sendable private static func describeOperation(_ session: Session, _ words: Words) throws {
    var words = words
    let word = try words.next("an operation")
    try words.finish()
    let operation = try session.at(word) { try session.book.describe(session.book.fullName(word.text)) }
    let properties = operation.properties.map { property -> JSON in
      [
        "name": .string(property.name), "takes": .string(PropertyText.expectation(property.kind)),
        "default": property.defaultValue.map { JSON($0) } ?? .null, "result": .bool(!property.isWritable),
        "summary": .string(property.summary),
      ]
    }
    let json: JSON = [
      "operation": .string(operation.name), "title": .string(operation.title), "summary": .string(operation.summary),
      "inputs": .array(operation.orderedInputs.map { .string($0) }),
      "outputs": .array(operation.outputs.map { .string($0) }), "properties": .array(properties),
    ]
    var csv = ReplyTable(["property", "takes", "default", "summary"])
    for property in operation.properties {
      csv.rows.append([
        .string(property.name), .string(PropertyText.expectation(property.kind)),
        property.defaultValue.map { JSON($0) } ?? .null, .string(property.summary),
      ])
    }
    session.reply(OperationPage.text(operation, width: session.environment.width()), json: json, csv: csv.csv)
  }

  @Sendable private static func listNodes(_ session: Session, _ words: Words) throws {
    try words.finish()
    var table = ReplyTable(["node", "operation", "inputs", "settings"])
    for node in session.document.nodes {
      table.rows.append([
        .string(node.name), .string(node.operation),
        .string(node.inputs.map { "\($0.pad)=\($0.source)" }.joined(separator: " ")),
        .string(node.settings.map { "\($0.name)=\(ScriptText.text($0.value))" }.joined(separator: " ")),
      ])
    }
    if table.rows.isEmpty, session.options.output == .text { return session.environment.print("no nodes yet") }
    session.reply(table, "nodes", json: .array(session.document.nodes.map(Self.json)))
  }

  private static func json(_ node: NodeDefinition) -> JSON {
    [
      "node": .string(node.name), "operation": .string(node.operation),
      "inputs": .object(node.inputs.map { JSON.Member($0.pad, .string($0.source)) }),
      "settings": .object(node.settings.map { JSON.Member($0.name, JSON($0.value)) }),
    ]
  }

  @Sendable private static func showNode(_ session: Session, _ words: Words) throws {
    var words = words
    let word = try words.next("a node")
    let name = try session.nodeName(word)
    try words.finish()
    try session.at(word) { try session.show(name) }
  }

  @Sendable private static func drawGraph(_ session: Session, _ words: Words) throws {
    var words = words
    let isASCII = words.flag("--ascii")
    let isTimed = words.flag("--time")
    let dot = try words.option("--dot")
    let svg = try words.option("--svg")
    let node = try words.peek.map { _ in try words.node(session) }
    try words.finish()
    let document = session.document
    guard !document.names.isEmpty else { throw GEGLError("there are no nodes yet") }
    var timings: [String: NodeTiming] = [:]
    if isTimed {
      for end in node.map({ [$0] }) ?? document.ends {
        for timing in try session.timings(end) { timings[timing.name] = timing }
      }
    }
    let graph = try session.description(document.ordered(upTo: node), timings)
    for (word, text) in [(dot, GraphDrawing.dot), (svg, GraphDrawing.svg)] {
      guard let word else { continue }
      try session.write(text(graph), to: word)
    }
    if dot != nil || svg != nil { return }
    let text = GraphDrawing.text(graph, width: session.environment.width(), ascii: isASCII)
    let nodes = graph.nodes.map { node -> JSON in
      ["name": .string(node.name), "operation": .string(node.operation), "seconds": JSON(node.seconds)]
    }
    let edges = graph.edges.map { edge -> JSON in
      ["from": .string(edge.source), "to": .string(edge.target), "pad": .string(edge.pad)]
    }
    session.reply(
      text, json: ["nodes": .array(nodes), "edges": .array(edges)],
      csv: ReplyTable(
        ["from", "to", "pad"], graph.edges.map { [.string($0.source), .string($0.target), .string($0.pad)] }
      ).csv)
  }
}

extension Session {
  /// The graph as it is drawn.
  func description(_ nodes: [NodeDefinition], _ timings: [String: NodeTiming]) throws -> GraphDescription {
    GraphDescription(
      nodes: try nodes.map { node in
        GraphDescription.Node(
          node.name, operation: node.operation,
          properties: node.settings.map { GraphDescription.Property($0.name, $0.value.description) },
          seconds: timings[node.name]?.own, megapixelsPerSecond: timings[node.name]?.megapixelsPerSecond,
          pads: try book.describe(node.operation).orderedInputs)
      },
      edges: nodes.flatMap { node in
        node.inputs.map { GraphDescription.Edge(from: $0.source, to: node.name, pad: $0.pad) }
      })
  }

  /// Prints all about a node.
  func show(_ name: String) throws {
    guard let definition = document[name], let node = live[name]?.node else { return }
    let operation = try book.describe(definition.operation)
    // What cannot be computed yet has no bounds, which is no error here.
    let box = (try? fed(name))?.1
    let format = box.flatMap { _ in node.outputFormat }
    var lines = [
      ScriptText.statement(definition),
      "  operation  \(operation.name)\(operation.title.isEmpty ? "" : " · \(operation.title)")",
    ]
    for pad in operation.orderedInputs {
      lines.append("  \(pad.padded(to: 10)) \(definition.source(of: pad).map { "← \($0)" } ?? "–")")
    }
    let fed = document.consumers(of: name)
    if !fed.isEmpty {
      let pads = fed.flatMap { node in node.inputs.filter { $0.source == name }.map { "\(node.name).\($0.pad)" } }
      lines.append("  feeds      \(pads.joined(separator: ", "))")
    }
    if let box {
      let size = box.isInfinite ? "without bounds" : "\(box.width) × \(box.height) pixels at (\(box.x), \(box.y))"
      lines.append("  bounds     \(size)")
    }
    if let format { lines.append("  format     \(format.name)") }
    var values: [JSON.Member] = []
    for property in operation.properties {
      let value: Value?
      if let setting = definition.setting(property.name) {
        value = setting
      } else if definition.operation == OperationBook.load.name {
        value = property.defaultValue
      } else {
        value = try? node.value(property.name)
      }
      let isSet = definition.setting(property.name) != nil
      let text = value.map { ScriptText.text($0) } ?? PropertyText.expectation(property.kind)
      lines.append("  .\(property.name) = \(text)\(isSet ? "" : property.isWritable ? "  (default)" : "  (result)")")
      values.append(JSON.Member(property.name, value.map { JSON($0) } ?? .null))
    }
    let bounds: JSON =
      box.map { box in
        box.isInfinite ? .null : .array([box.x, box.y, box.width, box.height].map { .integer($0) })
      } ?? .null
    let inputs = definition.inputs.map { JSON.Member($0.pad, .string($0.source)) }
    reply(
      lines.joined(separator: "\n"),
      json: [
        "node": .string(name), "operation": .string(definition.operation), "inputs": .object(inputs),
        "properties": .object(values), "bounds": bounds, "format": JSON(format?.name),
      ],
      csv: ReplyTable(["property", "value"], values.map { [.string($0.key), $0.value] }).csv)
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
