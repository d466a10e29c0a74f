import GEGL

/// What an expression can ask for.
protocol ExpressionScope {
  /// The value of a property. Throws with a sentence.
  func value(of node: String, _ property: String) throws -> Value
  /// The value of a function. Throws with a sentence.
  func call(_ function: String, _ arguments: [ExpressionArgument]) throws -> Double
  /// The names of the functions.
  var functions: [String] { get }
  /// The names of the nodes.
  var nodes: [String] { get }
  /// The variables.
  var variables: [String: Value] { get }
}

/// What a function is given.
enum ExpressionArgument: Equatable {
  case value(Value)
  case node(String)
}

/// The outer shape of expressions.
enum ExpressionShape {
  /// Whether a parenthesis or a text is open, or the line goes on.
  static func isOpen(_ characters: [Character], from start: Int) throws -> Bool {
    var depth = 0
    var quote: Character?
    var index = start
    while index < characters.count {
      let character = characters[index]
      if character == "\\", index + 1 == characters.count { return true }
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "#" {
        while index < characters.count, !characters[index].isNewline { index += 1 }
        continue
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
      }
      index += 1
    }
    return quote != nil || depth > 0
  }
}

extension Expression {
  /// A comparison that was made.
  struct Comparison {
    /// As it was written.
    var text: String
    var left, right: Value
    var holds: Bool
  }
}
