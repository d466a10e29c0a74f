import TextOutput

/// A graph in Graphviz's language: a record a node, with its pads as ports above, its output below, and its time as hint.
struct GraphDOT {
  let text: String

  init(_ graph: GraphDescription) {
    let plain = PlainGraph(graph)
    var lines = [
      "digraph graph_of_operations {",
      "  rankdir=TB;",
      "  node [shape=record, style=\"rounded,filled\", fillcolor=\"#f7f7f5\", color=\"#55606a\", fontname=\"Helvetica\", fontsize=11];",
      "  edge [color=\"#55606a\", arrowsize=0.7];",
    ]
    for index in plain.nodes.indices { lines.append("  " + Self.node(plain, index)) }
    for edge in plain.edges {
      lines.append("  n\(edge.source):output:s -> n\(edge.target):p\(edge.pad):n;")
    }
    lines.append("}")
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func node(_ graph: PlainGraph, _ index: Int) -> String {
    let node = graph.nodes[index]
    var rows: [String] = []
    if !graph.pads[index].isEmpty {
      let ports = graph.pads[index].enumerated().map { "<p\($0)> \(record($1))" }
      rows.append("{" + ports.joined(separator: "|") + "}")
    }
    rows.append(record(node.name) + "\\n" + record(node.operation))
    if !node.properties.isEmpty {
      rows.append(node.properties.map { record("\($0.name)=\($0.value)") + "\\l" }.joined())
    }
    rows.append("<output> output")
    let hint = ["\(node.name) = \(node.operation)", GraphBox.timing(node)].compactMap(\.self).joined(separator: ": ")
    return "n\(index) [label=\"{\(rows.joined(separator: "|"))}\", tooltip=\"\(quoted(hint))\"];"
  }

  /// A text inside a record, where braces, bars and angles are structure and a run of blanks is one.
  private static func record(_ text: String) -> String {
    var result = ""
    for character in elided(plainText(text), 60) {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "{", "}", "|", "<", ">", " ": result += "\\" + String(character)
      // What looks like a character's name would become it.
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
    return result
  }

  /// A text between quotes, where Graphviz sees escapes and names of characters.
  private static func quoted(_ text: String) -> String {
    var result = ""
    for character in plainText(text) {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "&": result += "&amp;"
      default: result.append(character)
      }
    }
    return result
  }
}
