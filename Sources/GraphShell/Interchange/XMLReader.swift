import GEGL

/// Reads graphs in GEGL's XML, as pipes of the shell, in whose words lines stand for places.
struct XMLReader {
  /// A pipe, and the name of its last node where the document has one.
  static func pipeline(_ text: String) throws -> (name: String?, Pipeline) {
    let root = try XMLDocument.parse(text)
    guard ["gegl", "image", "graph", "tree"].contains(root.name) else {
      throw GEGLError("this is no graph of GEGL's: its element is '\(root.name)', not 'gegl'")
    }
    var reader = XMLReader()
    reader.collect(root.children)
    let stages = try reader.stages(root.children, depth: 0)
    guard !stages.isEmpty else { throw GEGLError("there is no node in it") }
    let name = root.children.first { $0.name == "node" }?.attributes["name"]
    return (name, Pipeline(stages: stages))
  }

  /// The line of the element that is read, which stands for the place of its words.
  private var line = 0
  /// Where the nodes that have an id stand among their siblings.
  private var places: [String: (siblings: ArraySlice<XMLElement>, isTaken: Bool)] = [:]
  private var taking: Set<String> = []

  private func word(_ text: String, _ kind: Token.Kind = .word) -> Token {
    Token(kind: kind, text: text, range: line..<line)
  }

  private func problem(_ text: String) -> Diagnostic { Diagnostic(line, text) }

  private mutating func collect(_ elements: [XMLElement]) {
    for (index, element) in elements.enumerated() {
      if element.name == "node", let identity = element.attributes["id"] {
        places[identity] = (elements[index...], false)
      }
      if element.name == "node" || element.name == "input" { collect(element.children) }
    }
  }

  /// Siblings, from the result to its source, as steps with the flow.
  private mutating func stages(_ elements: [XMLElement], depth: Int) throws -> [Stage] {
    try stages(elements[...], depth)
  }

  private mutating func stages(_ elements: ArraySlice<XMLElement>, _ depth: Int) throws -> [Stage] {
    guard depth < 100 else { throw GEGLError("nodes are nested too deeply") }
    // What is fed by a node that stands elsewhere is not fed by the siblings that follow it.
    var stages: [Stage] = []
    var own: [XMLElement] = []
    for element in elements {
      if element.name == "clone" {
        line = element.line
        guard let target = element.attributes["ref"] else { throw problem("a 'clone' has no 'ref'") }
        stages = try reference(target, depth)
        break
      }
      if element.name == "node", let identity = element.attributes["id"], places[identity]?.isTaken == true {
        stages = try reference(identity, depth)
        break
      }
      guard element.name == "node" || ["params", "param", "input"].contains(element.name) else {
        line = element.line
        throw problem("the element '\(element.name)' is not known")
      }
      if element.name == "node" { own.append(element) }
    }
    for element in own.reversed() {
      let identity = element.attributes["id"]
      if let identity, !taking.insert(identity).inserted { throw problem("'\(identity)' feeds itself") }
      stages.append(try stage(element, depth))
      guard let identity else { continue }
      taking.remove(identity)
      places[identity]?.isTaken = true
    }
    return stages
  }

  /// The steps of a node that stands elsewhere: where it is needed first, all of it.
  private mutating func reference(_ target: String, _ depth: Int) throws -> [Stage] {
    guard let place = places[target] else { throw problem("there is no node with the id '\(target)'") }
    guard !taking.contains(target) else { throw problem("'\(target)' feeds itself") }
    if place.isTaken {
      return [Stage(head: word(ChainReader.reference), items: [.operand(word(target))])]
    }
    return try stages(place.siblings, depth + 1)
  }

  private mutating func stage(_ element: XMLElement, _ depth: Int) throws -> Stage {
    line = element.line
    guard var operation = element.attributes["operation"] ?? element.attributes["type"] else {
      throw problem("a 'node' has no 'operation'")
    }
    var items: [Stage.Item] = []
    if let identity = element.attributes["id"] {
      items.append(.setting(key: word(ChainReader.identity), value: word(identity, .text)))
    }
    if let name = element.attributes["name"], Name.isValid(name) {
      items.append(.setting(key: word(XMLReader.nameMark), value: word(name, .text)))
    }
    let known: Set = ["operation", "type", "id", "name"]
    for (key, value) in element.attributes.sorted(by: { $0.key < $1.key }) where !known.contains(key) {
      items.append(.setting(key: word(key), value: word(value)))
    }
    for parameters in element.children where parameters.name == "params" {
      for parameter in parameters.children where parameter.name == "param" {
        line = parameter.line
        guard let key = parameter.attributes["name"] else { throw problem("a 'param' has no 'name'") }
        items.append(.setting(key: word(key), value: word(value(parameter))))
      }
    }
    if operation == "gegl:load",
      items.contains(where: { if case .setting(let key, _) = $0 { key.text == "path" } else { false } })
    {
      operation = OperationBook.load.name
    }
    line = element.line
    let head = word(operation)
    let inner = try stages(element.children.filter { $0.name == "node" || $0.name == "clone" }, depth: depth + 1)
    if !inner.isEmpty { items.append(.nested(key: word("aux"), Pipeline(stages: inner))) }
    for input in element.children where input.name == "input" {
      line = input.line
      guard let pad = input.attributes["pad"] else { throw problem("an 'input' has no 'pad'") }
      let key = word(pad)
      let stages = try stages(input.children, depth: depth + 1)
      guard !stages.isEmpty else { continue }
      items.append(.nested(key: key, Pipeline(stages: stages)))
    }
    return Stage(head: head, items: items)
  }

  /// The key under which a step's own name travels to the builder.
  static let nameMark = " name"

  /// The text of a parameter; curves have elements.
  private func value(_ parameter: XMLElement) -> String {
    guard let curve = parameter.children.first(where: { $0.name == "curve" }) else { return parameter.text }
    return curve.children.compactMap { point in
      guard let x = point.attributes["x"], let y = point.attributes["y"] else { return nil }
      return "\(x),\(y)"
    }.joined(separator: " ")
  }
}
