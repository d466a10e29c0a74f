/// One statement, as it was written.
enum Statement: Equatable {
  /// White space and comments.
  case empty
  /// `name = ...`; nil: a name is found.
  case define(name: Token?, Pipeline)
  /// `name = value`
  case variable(name: Token, Token)
  /// `node.property = value`
  case set(Member, Token)
  /// `node.property`
  case read(Member)
  /// A node's name alone.
  case show(Token)
  /// `operation?`, `command?`, `node?`
  case describe(Token)
  /// A command and its words.
  case command(Token, [Token])
  /// `assert expression`
  case expression(command: Token, text: String, offset: Int)
  /// An expression alone, whose value is printed.
  case value(text: String, offset: Int)
  /// `!words`
  case system(String, offset: Int)
}

/// `node.property`
struct Member: Equatable {
  var node, property: Token

  /// Takes a word apart at its first dot; nil where it is no such word.
  init?(_ word: Token) {
    guard word.kind == .word, let dot = word.text.firstIndex(of: "."), Double(word.text) == nil else { return nil }
    let name = String(word.text[..<dot])
    let property = String(word.text[word.text.index(after: dot)...])
    guard Name.isValid(name), !property.isEmpty else { return nil }
    let place = min(word.range.lowerBound + name.count, word.range.upperBound)
    node = Token(kind: .word, text: name, range: word.range.lowerBound..<place)
    self.property = Token(
      kind: .word, text: property, range: min(place + 1, word.range.upperBound)..<word.range.upperBound)
  }
}

/// Steps, each fed by the one before.
struct Pipeline: Equatable {
  var stages: [Stage]
}

/// An operation with its inputs and properties, or a node where a pipe begins.
struct Stage: Equatable {
  enum Item: Equatable {
    /// The next free input, or a text for the operation's path.
    case operand(Token)
    /// `pad=node` or `property=value`
    case setting(key: Token, value: Token)
    /// `pad=[ ... ]`
    case nested(key: Token, Pipeline)
  }

  var head: Token
  var items: [Item]
}
