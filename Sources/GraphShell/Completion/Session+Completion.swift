import GEGL
import Glibc

// What could be typed, by what stands before it.
extension Session {
  /// What could stand at the end of `text`, which is the line up to the cursor.
  public func complete(_ text: String) -> Completion {
    CompletionEngine(session: self, text: text).completion()
  }
}

/// Finds out which kind of word is being typed, and which words of that kind there are.
struct CompletionEngine {
  let session: Session
  let characters: [Character]
  /// The last statement of what is typed: pipes and brackets begin new steps.
  private(set) var words: [Piece] = []
  /// The word that is being typed.
  var current = Piece(text: "", start: 0)

  /// A word as it stands in an unfinished line.
  struct Piece: Equatable {
    var text: String
    var start: Int
    var quote: Character?
    /// A sign that separates.
    var isSign = false
  }

  init(session: Session, text: String) {
    self.session = session
    characters = Array(text)
    (words, current) = Self.pieces(characters)
  }

  /// The words before the cursor, and the one at it. Never fails: unfinished lines are what is completed.
  static func pieces(_ characters: [Character]) -> ([Piece], Piece) {
    var pieces: [Piece] = []
    var piece: Piece?
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if let quote = piece?.quote {
        if character == quote { piece?.quote = nil } else { piece?.text.append(character) }
      } else if character == "\"" || character == "'" {
        if piece == nil { piece = Piece(text: "", start: index) }
        piece?.quote = character
      } else if character == "\\", index + 1 < characters.count {
        index += 1
        if piece == nil { piece = Piece(text: "", start: index - 1) }
        piece?.text.append(characters[index])
      } else if character.isWhitespace {
        if let done = piece { pieces.append(done) }
        piece = nil
      } else if "=|[]".contains(character) {
        if let done = piece { pieces.append(done) }
        piece = nil
        pieces.append(Piece(text: String(character), start: index, isSign: true))
      } else {
        if piece == nil { piece = Piece(text: "", start: index) }
        piece?.text.append(character)
      }
      index += 1
    }
    return (pieces, piece ?? Piece(text: "", start: characters.count))
  }

  // MARK: which kind of word

  func completion() -> Completion {
    if current.text.hasPrefix("$"), current.quote != "'" { return variables() }
    if words.first?.text.hasPrefix("!") == true { return paths(isFolder: false) }
    if isInExpression { return expression() }
    guard let first = words.first else { return firstWord() }
    if let command = CommandTable.command(first.text), words.dropFirst().first?.text != "=" {
      if command.name != "chain" || words.count < 2 { return argument(of: command) }
    }
    return statement()
  }

  /// A command, an operation, a node or a property of one.
  private func firstWord() -> Completion {
    if let member = member(current.text) { return member }
    let commands = CommandTable.commands.map { Completion.Candidate($0.name, $0.summary) }
    if current.text.isEmpty {
      // All operations would be too many.
      let sorted = [nodes(append: " "), commands].flatMap { Self.matching("", $0) }
      return Completion(
        start: current.start, candidates: sorted, hint: "and operations, where something of their name is typed")
    }
    if current.text.hasSuffix("?") { return question(commands) }
    return matching(commands + nodes(append: " ") + operations() + functions())
  }

  /// `WORD?`
  private func question(_ commands: [Completion.Candidate]) -> Completion {
    let stem = String(current.text.dropLast())
    let names = session.book.writtenNames.map { Completion.Candidate($0) }
    let candidates = Self.matching(stem, commands + nodes(append: " ") + names).map {
      Completion.Candidate($0.text + "?", $0.note)
    }
    return Completion(start: current.start, candidates: candidates)
  }

  private func argument(of command: CommandDescription) -> Completion {
    let position = words.dropFirst().filter { !$0.text.hasPrefix("--") }.count
    guard let kind = command.arguments.indices.contains(position) ? command.arguments[position] : command.arguments.last
    else { return Completion(start: current.start, candidates: [], hint: command.synopsis) }
    let previous = words.last?.text ?? ""
    if current.text.hasPrefix("-") {
      let options = command.synopsis.split { " []|".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init)
      return matching(options.map { Completion.Candidate($0) })
    }
    if previous == "--dot" || previous == "--svg" { return paths(isFolder: false) }
    if previous == "--space" { return matching(ShellOption.space.values.dropFirst().map { Completion.Candidate($0) }) }
    switch kind {
    case .node:
      return matching(nodes(append: " "))
    case .pad: return pads()
    case .operation: return matching(operations())
    case .path: return paths(isFolder: false)
    case .folder: return paths(isFolder: true)
    case .choice(let choices):
      if command.name == "set", position > 0, let option = ShellOption(rawValue: words.dropFirst().first?.text ?? "") {
        return matching(option.values.map { Completion.Candidate($0) })
      }
      return matching(choices.map { Completion.Candidate($0) })
    case .topic:
      let topics = HelpTopic.all.map { Completion.Candidate($0.name, $0.summary) }
      return matching(CommandTable.commands.map { Completion.Candidate($0.name, $0.summary) } + topics + operations())
    case .free:
      return Completion(start: current.start, candidates: [], hint: command.synopsis)
    }
  }

  /// Within `name = operation ...`, a pipe, or brackets.
  private func statement() -> Completion {
    // The step that is being typed begins after the last sign that begins one.
    var start = words.startIndex
    if words.count > 1, words[1].text == "=", words[1].isSign {
      start = 2
      if words.count == 2, let dot = words[0].text.firstIndex(of: ".") {
        let node = String(words[0].text[..<dot])
        return value(of: String(words[0].text[words[0].text.index(after: dot)...]), node: node)
      }
    }
    var isFed = false
    for index in words.indices where words[index].isSign {
      if words[index].text == "|" { (start, isFed) = (index + 1, true) }
      if words[index].text == "[" { (start, isFed) = (index + 1, false) }
    }
    let step = words[start...]
    guard let head = step.first else {
      if let member = member(current.text) { return member }
      let loading = [
        Completion.Candidate("load", "\"FILE\": reads a picture"),
        Completion.Candidate("chain", "\"TEXT\": a chain of GEGL's"),
      ]
      return matching((isFed ? [] : nodes(append: " ") + loading) + operations())
    }
    if head.text == "chain" {
      return chain(from: current.quote == nil ? head.start + head.text.count : current.start + 1)
    }
    guard let name = try? session.book.fullName(head.text), let operation = try? session.book.describe(name) else {
      return Completion(start: current.start, candidates: [])
    }
    if step.last?.text == "=", step.last?.isSign == true, let key = step.dropLast().last {
      return value(of: key.text, operation)
    }
    if current.quote != nil || (name == OperationBook.load.name && step.count == 1) { return paths(isFolder: false) }
    let given = Set(step.map(\.text))
    let inputs = operation.orderedInputs.filter { !given.contains($0) }
      .map { Completion.Candidate($0, "pad", append: "=") }
    let properties = operation.settable.filter { !given.contains($0.name) }
      .map { Completion.Candidate($0.name, Self.note($0), append: "=") }
    return matching((operation.inputs.isEmpty ? [] : nodes(append: " ")) + inputs + properties)
  }
}
