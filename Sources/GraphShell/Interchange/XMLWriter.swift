import GEGL
import TextOutput

/// Writes a node, with all that feeds it, as GEGL's XML: what feeds `input` is the next sibling, what feeds `aux` the first
/// child. Other pads, which GEGL's form does not know, stand in `<input pad="...">`.
struct XMLWriter {
  private let document: GraphDocument
  private let shared: Set<String>
  private var written: Set<String> = []
  private var lines = ["<?xml version='1.0' encoding='UTF-8'?>", "<gegl>"]

  /// The document of a node.
  static func xml(of name: String, in document: GraphDocument) -> String {
    var writer = XMLWriter(document, name)
    writer.siblings(name, indent: 2)
    writer.lines.append("</gegl>")
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private init(_ document: GraphDocument, _ name: String) {
    self.document = document
    var uses: [String: Int] = [:]
    for node in document.ordered(upTo: name) { for input in node.inputs { uses[input.source, default: 0] += 1 } }
    shared = Set(uses.filter { $0.value > 1 }.keys)
  }

  private mutating func add(_ indent: Int, _ text: String) {
    lines.append(String(repeating: " ", count: indent) + text)
  }

  private mutating func siblings(_ name: String, indent: Int) {
    var next: String? = name
    while let name = next, let node = document[name] {
      guard !written.contains(name) else {
        add(indent, "<clone ref='\(Markup.escaped(name))'/>")
        return
      }
      element(node, indent)
      next = node.source(of: "input")
    }
  }

  private mutating func element(_ node: NodeDefinition, _ indent: Int) {
    written.insert(node.name)
    let operation = node.operation == OperationBook.load.name ? "gegl:load" : node.operation
    let identity = shared.contains(node.name) ? " id='\(Markup.escaped(node.name))'" : ""
    let head = "node operation='\(Markup.escaped(operation))' name='\(Markup.escaped(node.name))'\(identity)"
    let inner = node.inputs.filter { $0.pad != "input" }
    guard !inner.isEmpty || !node.settings.isEmpty else { return add(indent, "<\(head)/>") }
    add(indent, "<\(head)>")
    for input in inner where input.pad == "aux" { siblings(input.source, indent: indent + 2) }
    for input in inner where input.pad != "aux" {
      add(indent + 2, "<input pad='\(Markup.escaped(input.pad))'>")
      siblings(input.source, indent: indent + 4)
      add(indent + 2, "</input>")
    }
    if !node.settings.isEmpty {
      add(indent + 2, "<params>")
      for setting in node.settings {
        let value = Self.escaped(setting.value.description)
        add(indent + 4, "<param name='\(Markup.escaped(setting.name))'>\(value)</param>")
      }
      add(indent + 2, "</params>")
    }
    add(indent, "</node>")
  }

  /// Text whose line breaks stay.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { Markup.escaped(String($0)) }
      .joined(separator: "&#10;")
  }
}
