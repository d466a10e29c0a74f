import GEGL

/// Reads statements.
struct Parser {
  /// What the reader must know of the session.
  struct Context {
    var commands: Set<String> = []
    /// Commands whose words are one expression.
    var expressionCommands: Set<String> = []
    var nodes: Set<String> = []
    /// The functions that expressions know.
    var functions: Set<String> = []
    var variables: [String: Value] = [:]
  }

  private let characters: [Character]
  private let context: Context
  private var tokens: [Token] = []
  private var index = 0
  private var depth = 0

  /// Reads one statement.
  static func parse(_ text: String, _ context: Context) throws -> Statement {
    var parser = Parser(characters: Array(text), context: context)
    return try parser.statement()
  }

  /// Whether the text goes on: an open bracket or quote, or `\` at its end.
  static func isIncomplete(_ text: String, commands: Set<String>, expressionCommands: Set<String>) -> Bool {
    let characters = Array(text)
    do {
      let first = firstWord(characters)
      if characters.first(where: { !$0.isWhitespace }) == "!" { return endsWithBackslash(characters) }
      // A comment goes nowhere.
      if first.word.hasPrefix("#") { return false }
      if expressionCommands.contains(first.word) { return try ExpressionShape.isOpen(characters, from: first.end) }
      let isCommand = commands.contains(first.word) && !first.isAssigned
      let tokens = try Lexer.tokens(characters, mode: isCommand ? .words : .statement, isStrict: false)
      let open = tokens.reduce(0) { $0 + ($1.kind == .open ? 1 : $1.kind == .close ? -1 : 0) }
      return open > 0 || (endsWithBackslash(characters) && !endsInComment(characters))
    } catch let diagnostic as Diagnostic { return diagnostic.isIncomplete } catch { return false }
  }

  private static func endsWithBackslash(_ text: [Character]) -> Bool {
    text.reversed().prefix { $0 == "\\" }.count % 2 == 1
  }

  private static func endsInComment(_ text: [Character]) -> Bool {
    let line = text.reversed().prefix { !$0.isNewline }.reversed()
    guard let last = try? Lexer.tokens(Array(line), mode: .statement, isStrict: false).last else {
      return line.contains("#")
    }
    return line.dropFirst(last.range.upperBound).contains("#")
  }

  private static func firstWord(_ characters: [Character]) -> (word: String, end: Int, isAssigned: Bool) {
    let start = characters.firstIndex { !$0.isWhitespace } ?? characters.count
    let end = characters[start...].firstIndex { $0.isWhitespace || "=|[]\"'".contains($0) } ?? characters.count
    let following = characters[end...].first { !$0.isWhitespace }
    return (String(characters[start..<end]), end, following == "=")
  }

  private init(characters: [Character], context: Context) { (self.characters, self.context) = (characters, context) }

  // MARK: statements

  private mutating func statement() throws -> Statement {
    let first = Self.firstWord(characters)
    let start = first.end - first.word.count
    if first.word.hasPrefix("!") { return try system(start) }
    let head = Token(kind: .word, text: first.word, range: start..<first.end)
    let asks = characters[first.end...].filter { !$0.isWhitespace } == ["?"]
    if context.commands.contains(first.word), !asks {
      guard !first.isAssigned else {
        throw Diagnostic(start, "'\(first.word)' is a command; choose another name")
      }
      if context.expressionCommands.contains(first.word) {
        return .expression(command: head, text: String(characters[first.end...]), offset: first.end)
      }
      let words = try Lexer.tokens(characters, from: first.end, mode: .words, variables: context.variables)
      // `chain NODE` prints; with more it makes nodes, as after `=`.
      let makesNodes =
        first.word == "chain" && (words.count != 1 || words.contains { !context.nodes.contains($0.text) })
      if !makesNodes || words.isEmpty { return .command(head, words) }
    }
    tokens = try Lexer.tokens(characters, mode: .statement, variables: context.variables)
    guard let word = tokens.first else { return .empty }
    if let question = question(word) { return .describe(question) }
    if isExpression(word) {
      let start = word.range.lowerBound
      return .value(text: String(characters[start...]), offset: start)
    }
    if tokens.count == 1, word.kind == .word {
      if context.nodes.contains(word.text) { return .show(word) }
      if let member = Member(word) { return .read(member) }
    }
    if tokens.count > 1, tokens[1].kind == .equals { return try assignment(word) }
    let pipeline = try pipeline()
    try expectEnd()
    return .define(name: nil, pipeline)
  }

  /// The word that `word?` or `word ?` asks about; nil where it is no question.
  private func question(_ word: Token) -> Token? {
    guard word.kind == .word else { return nil }
    if tokens.count == 2, tokens[1].kind == .word, tokens[1].text == "?" { return word }
    guard tokens.count == 1, word.text.hasSuffix("?") else { return nil }
    return Token(kind: .word, text: String(word.text.dropLast()), range: word.range)
  }

  /// Whether a statement is an expression, by how it begins: a number, a parenthesis, a variable, a function, or a property
  /// that something is done with.
  private func isExpression(_ word: Token) -> Bool {
    let compares = tokens.count > 2 && tokens[1].kind == .equals && tokens[2].kind == .equals
    if tokens.count > 1, tokens[1].kind == .equals, !compares { return false }
    let beginning = characters[word.range.lowerBound]
    if word.kind == .expression || ("0"..."9").contains(beginning) || beginning == "-" { return true }
    let next = tokens.count > 1 ? tokens[1] : nil
    let isJoined = characters[word.range].contains { "+*/<>".contains($0) }
    let goesOn = next.map { Self.operators.contains($0.text) || $0.kind == .equals } ?? false
    if beginning == "$" { return isJoined || (next == nil ? word.value != nil : goesOn) }
    guard word.kind == .word else { return false }
    if let parenthesis = word.text.firstIndex(of: "("), context.functions.contains(String(word.text[..<parenthesis])) {
      return true
    }
    return (goesOn || isJoined) && Member(word).map { context.nodes.contains($0.node.text) } ?? false
  }

  private static let operators: Set = ["+", "-", "*", "/", "<", ">", "<=", ">=", "!", "and", "or"]

  private func system(_ start: Int) throws -> Statement {
    let text = String(characters[(start + 1)...])
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Diagnostic(start, "'!' runs a command of the system, such as !ls")
    }
    return .system(text, offset: start + 1)
  }

  private mutating func assignment(_ target: Token) throws -> Statement {
    index = 2
    if let member = Member(target) {
      guard let value = next() else { throw missing("a value for '\(member.property.text)'") }
      try expectValue(value)
      try expectEnd()
      return .set(member, value)
    }
    guard target.kind == .word, Name.isValid(target.text) else {
      throw Diagnostic(
        target.range.lowerBound,
        "'\(target.text)' is no name: names have letters, digits, '_' and '-', and begin with a letter")
    }
    guard let first = peek() else { throw missing("an operation, a node or a value after '='") }
    if tokens.count == 3, isPlainValue(first) { return .variable(name: target, first) }
    let pipeline = try pipeline()
    try expectEnd()
    return .define(name: target, pipeline)
  }

  /// Whether a lone word after `=` is a value rather than an operation.
  private func isPlainValue(_ word: Token) -> Bool {
    switch word.kind {
    case .text, .expression: true
    case .word:
      word.value != nil || Double(word.text) != nil || ["true", "false"].contains(word.text)
        || Member(word).map { context.nodes.contains($0.node.text) } ?? false
    default: false
    }
  }

  // MARK: pipes

  private mutating func pipeline() throws -> Pipeline {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 32 else {
      throw Diagnostic(peek()?.range.lowerBound ?? characters.count, "brackets are nested too deeply; name the parts")
    }
    var stages = [try stage()]
    while peek()?.kind == .bar {
      index += 1
      stages.append(try stage())
    }
    return Pipeline(stages: stages)
  }

  private mutating func stage() throws -> Stage {
    guard let head = next() else { throw missing("an operation") }
    guard head.kind == .word || (head.kind == .text && head.value != nil) else {
      throw Diagnostic(head.range.lowerBound, "an operation or a node is expected here, not \(Self.words(head))")
    }
    if peek()?.kind == .equals {
      // Chains may begin with a reference; elsewhere this is an error of whoever takes the step.
      index -= 1
      return Stage(head: Token(kind: .word, text: "", range: head.range), items: try items())
    }
    return Stage(head: head, items: try items())
  }

  private mutating func items() throws -> [Stage.Item] {
    var items: [Stage.Item] = []
    while let token = peek(), token.kind != .bar, token.kind != .close { items.append(try item(token)) }
    return items
  }

  /// The words of a chain in GEGL's grammar, whose text begins at `offset` of the statement.
  static func chain(_ text: String, offset: Int) throws -> [Stage.Item] {
    var parser = Parser(characters: Array(text), context: Context())
    do {
      parser.tokens = try Lexer.tokens(parser.characters, mode: .statement).map { token in
        var token = token
        token.range = token.range.lowerBound + offset..<token.range.upperBound + offset
        return token
      }
    } catch var diagnostic as Diagnostic {
      diagnostic.offset += offset
      diagnostic.isIncomplete = false
      throw diagnostic
    }
    let items = try parser.items()
    try parser.expectEnd()
    return items
  }

  private mutating func item(_ token: Token) throws -> Stage.Item {
    index += 1
    guard peek()?.kind == .equals else {
      guard token.kind == .word || token.kind == .text else {
        throw Diagnostic(
          token.range.lowerBound, "an input or a property=value is expected here, not \(Self.words(token))")
      }
      return .operand(token)
    }
    guard token.kind == .word else {
      throw Diagnostic(token.range.lowerBound, "the name of a property or pad stands before '=', without quotes")
    }
    index += 1
    guard let value = next() else { throw missing("a value for '\(token.text)'") }
    guard value.kind != .word || value.text != "{" else {
      throw Diagnostic(
        value.range.lowerBound, "'{' begins values over time, which graphs here do not have; write one value")
    }
    guard value.kind == .open else {
      try expectValue(value)
      return .setting(key: token, value: value)
    }
    let inner = try pipeline()
    guard peek()?.kind == .close else {
      throw Diagnostic(value.range.lowerBound, "'[' is not closed", isIncomplete: true)
    }
    index += 1
    return .nested(key: token, inner)
  }

  // MARK: tokens

  private func peek() -> Token? { index < tokens.count ? tokens[index] : nil }

  private mutating func next() -> Token? {
    guard index < tokens.count else { return nil }
    index += 1
    return tokens[index - 1]
  }

  private func missing(_ what: String) -> Diagnostic {
    Diagnostic(tokens.last?.range.upperBound ?? characters.count, "\(what) is missing")
  }

  private func expectValue(_ token: Token) throws {
    switch token.kind {
    case .word, .text, .expression: return
    default: throw Diagnostic(token.range.lowerBound, "a value is expected here, not \(Self.words(token))")
    }
  }

  private func expectEnd() throws {
    guard let token = peek() else { return }
    throw Diagnostic(token.range.lowerBound, "nothing is expected here, but there is \(Self.words(token))")
  }

  private static func words(_ token: Token) -> String {
    switch token.kind {
    case .expression: "'(\(token.text))'"
    case .text: "the text \"\(token.text)\""
    default: "'\(token.text)'"
    }
  }
}
