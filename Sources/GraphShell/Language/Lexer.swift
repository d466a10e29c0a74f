import GEGL

/// A piece of a statement.
public struct Token: Equatable, Sendable {
  /// What it is.
  public enum Kind: Sendable {
    /// Characters without quotes: a name, a number.
    case word
    /// Something with quotes in it, which is a text and nothing else.
    case text
    /// `( ... )`: an expression.
    case expression
    /// `=`
    case equals
    /// `|`
    case bar
    /// `[`
    case open
    /// `]`
    case close
  }

  /// What it is.
  public var kind: Kind
  /// Its characters, without quotes, variables replaced.
  public var text: String
  /// Where it stands.
  public var range: Range<Int>
  /// The value of the variable that it is; nil where it is none.
  public var value: Value?
}

/// Cuts a statement into tokens.
///
/// White space separates. `#` where a word could begin starts a comment; `\` at the end of a line continues it. Texts stand in
/// quotes, in double ones with `\"`, `\\`, `\n` and variables. `$name` is a variable everywhere but in single quotes.
struct Lexer {
  /// What characters mean.
  enum Mode {
    /// `=`, `|` and brackets stand for themselves.
    case statement
    /// They are letters like others: the words of a command, which may be files.
    case words
  }

  private let characters: [Character]
  private let variables: [String: Value]
  private let mode: Mode
  private var index: Int
  /// What a `$` before an unknown name does: an error, or nothing where only the shape of a line matters.
  private let isStrict: Bool

  /// Cuts `text`, from `start` on.
  static func tokens(
    _ text: [Character], from start: Int = 0, mode: Mode, variables: [String: Value] = [:], isStrict: Bool = true
  ) throws -> [Token] {
    var lexer = Lexer(characters: text, variables: variables, mode: mode, index: start, isStrict: isStrict)
    var tokens: [Token] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private init(characters: [Character], variables: [String: Value], mode: Mode, index: Int, isStrict: Bool) {
    (self.characters, self.variables, self.mode) = (characters, variables, mode)
    (self.index, self.isStrict) = (index, isStrict)
  }

  private var current: Character? { index < characters.count ? characters[index] : nil }

  private func character(after offset: Int) -> Character? {
    index + offset < characters.count ? characters[index + offset] : nil
  }

  private mutating func next() throws -> Token? {
    while let character = current {
      if character.isWhitespace {
        index += 1
      } else if character == "\\", let following = self.character(after: 1), following.isNewline {
        index += 2
      } else if character == "#", !follows(equals: true) {
        while let character = current, !character.isNewline { index += 1 }
      } else {
        return try token(character)
      }
    }
    return nil
  }

  /// Whether the character before is `=`, after which `#` begins a colour.
  private func follows(equals: Bool) -> Bool { index > 0 && characters[index - 1] == "=" }

  private mutating func token(_ character: Character) throws -> Token {
    if mode == .statement, let kind = Self.signs[character] {
      index += 1
      return Token(kind: kind, text: String(character), range: index - 1..<index)
    }
    if mode == .statement, character == "(" {
      let start = index
      let text = try parenthesized()
      return Token(kind: .expression, text: String(text.dropFirst().dropLast()), range: start..<index)
    }
    return try word()
  }

  private static let signs: [Character: Token.Kind] = ["=": .equals, "|": .bar, "[": .open, "]": .close]

  private mutating func word() throws -> Token {
    let start = index
    var text = ""
    var isText = false
    var pieces = 0
    var value: Value?
    while let character = current {
      if character.isWhitespace || (mode == .statement && Self.signs[character] != nil) { break }
      switch character {
      case "\"", "'":
        text += try quoted(character)
        isText = true
      case "\\":
        guard let following = self.character(after: 1) else {
          throw Diagnostic(index, "the line ends with '\\', and nothing follows", isIncomplete: true)
        }
        if following.isNewline { return word(text, isText, start, pieces == 1 ? value : nil) }
        text.append(following)
        index += 2
      case "$" where Self.beginsName(self.character(after: 1)):
        let variable = try self.variable()
        value = variable
        text += variable.description
      case "(" where mode == .statement: text += try parenthesized()
      default:
        text.append(character)
        index += 1
      }
      pieces += 1
    }
    return word(text, isText, start, pieces == 1 ? value : nil)
  }

  private func word(_ text: String, _ isText: Bool, _ start: Int, _ value: Value?) -> Token {
    if case .string = value { return Token(kind: .text, text: text, range: start..<index, value: value) }
    return Token(kind: isText ? .text : .word, text: text, range: start..<index, value: value)
  }

  private mutating func quoted(_ quote: Character) throws -> String {
    let start = index
    index += 1
    var text = ""
    while let character = current {
      if character == quote {
        index += 1
        return text
      }
      if quote == "\"", character == "\\", let following = self.character(after: 1) {
        index += 2
        switch following {
        case "n": text.append("\n")
        case "\"", "\\", "$": text.append(following)
        case _ where following.isNewline: break
        default: text += "\\\(following)"
        }
      } else if quote == "\"", character == "$", Self.beginsName(self.character(after: 1)) {
        text += try variable().description
      } else {
        text.append(character)
        index += 1
      }
    }
    throw Diagnostic(start, "the text that begins here has no closing \(quote)", isIncomplete: true)
  }

  /// Everything to the matching parenthesis, with both.
  private mutating func parenthesized() throws -> String {
    let start = index
    var depth = 0
    var text = ""
    while let character = current {
      if character == "\"" || character == "'" {
        let from = index
        _ = try quoted(character)
        text += String(characters[from..<index])
        continue
      }
      text.append(character)
      index += 1
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if depth == 0 { return text }
    }
    throw Diagnostic(start, "'(' is not closed", isIncomplete: true)
  }

  private static func beginsName(_ character: Character?) -> Bool {
    guard let character else { return false }
    return character == "{" || Name.isStart(character)
  }

  private mutating func variable() throws -> Value {
    let start = index
    index += 1
    let isBraced = current == "{"
    if isBraced { index += 1 }
    var name = ""
    while let character = current, Name.isPart(character), character != "~" {
      name.append(character)
      index += 1
    }
    if isBraced {
      guard current == "}" else { throw Diagnostic(start, "'${' is not closed; write ${name}") }
      index += 1
    }
    if let value = variables[name] { return value }
    guard isStrict else { return .string("") }
    throw Diagnostic(
      start,
      "there is no variable '$\(name)'" + Suggestion.text(for: name, among: variables.keys.sorted())
        + "; set it with \(name) = VALUE")
  }
}

/// Names of nodes and variables: a letter or `_`, then letters, digits, `_`, `-`, and `~` for the unnamed steps of a pipe.
enum Name {
  static func isStart(_ character: Character) -> Bool { character == "_" || (character.isLetter && character.isASCII) }

  static func isPart(_ character: Character) -> Bool {
    isStart(character) || character == "-" || character == "~" || ("0"..."9").contains(character)
  }

  static func isValid(_ text: String) -> Bool {
    guard let first = text.first, isStart(first), text.count <= 128 else { return false }
    return text.allSatisfy(isPart)
  }
}
