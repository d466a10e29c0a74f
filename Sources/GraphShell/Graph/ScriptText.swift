import GEGL

/// Writes graphs in the shell's language.
public enum ScriptText {
  /// A graph as a script that makes it again.
  public static func script(_ document: GraphDocument, variables: [(String, Value)] = []) -> String {
    var lines = ["# Made by constant-color; run it with: constant-color run FILE"]
    lines += variables.map { "\($0.0) = \(text($0.1))" }
    lines += document.ordered().map { statement($0) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The statement that makes a node.
  public static func statement(_ node: NodeDefinition) -> String {
    var words = [node.operation]
    var settings = node.settings
    if node.operation == OperationBook.load.name, let path = node.setting("path") {
      words.append(text(path))
      settings.removeAll { $0.name == "path" }
    }
    // A first input needs no name.
    words += node.inputs.map { $0.pad == "input" ? $0.source : "\($0.pad)=\($0.source)" }
      .sorted { !$0.contains("=") && $1.contains("=") }
    words += settings.map { "\($0.name)=\(text($0.value))" }
    return "\(node.name) = " + words.joined(separator: " ")
  }

  /// A value as it is written.
  public static func text(_ value: Value) -> String {
    switch value {
    case .string(let text): return quoted(text)
    case .choice(let nick): return isPlain(nick) ? nick : quoted(nick)
    default: return value.description
    }
  }

  private static func isPlain(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { Name.isPart($0) || $0 == ":" || $0 == "." } && Double(word) == nil
  }

  /// A text in double quotes.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      switch character {
      case "\"", "\\", "$": result += "\\\(character)"
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
    return result + "\""
  }
}
