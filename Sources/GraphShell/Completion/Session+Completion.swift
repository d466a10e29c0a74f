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
  private let session: Session
  private let characters: [Character]
  /// The last statement of what is typed: pipes and brackets begin new steps.
  private var words: [Piece] = []
  /// The word that is being typed.
  private var current = Piece(text: "", start: 0)

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
    guard let first = words.first else { return firstWord() }
    if first.text.hasPrefix("!") { return paths(isFolder: false) }
    if let command = CommandTable.command(first.text), words.dropFirst().first?.text != "=" {
      if command.name != "chain" || words.count < 2 { return argument(of: command) }
    }
    return statement()
  }

  /// A command, an operation, a node or a property of one.
  private func firstWord() -> Completion {
    if let member = member(current.text) { return member }
    var candidates = CommandTable.commands.map { Completion.Candidate($0.name, $0.summary) }
    candidates += nodes(append: " ")
    candidates += operations()
    return matching(candidates)
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
      if command.name == "save" { return matching(nodes(append: " ")) }
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
      if command.name == "assert" {
        if let member = member(current.text) { return member }
        let functions = Measurements.table.map {
          Completion.Candidate($0.name, "(\($0.arguments)) \($0.summary)", append: "(")
        }
        return matching(nodes(append: nil) + functions)
      }
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

  // MARK: kinds of words

  /// `node.` and a property or pad; nil where the word is none.
  private func member(_ text: String) -> Completion? {
    guard let dot = text.firstIndex(of: "."), let definition = session.document[String(text[..<dot])],
      let operation = try? session.book.describe(definition.operation)
    else { return nil }
    let rest = String(text[text.index(after: dot)...])
    let start = current.start + text.distance(from: text.startIndex, to: dot) + 1
    let candidates = operation.properties.map { Completion.Candidate($0.name, Self.note($0)) }
    return Completion(start: start, candidates: Self.matching(rest, candidates))
  }

  private func pads() -> Completion {
    guard let dot = current.text.firstIndex(of: ".") else { return matching(nodes(append: ".")) }
    guard let definition = session.document[String(current.text[..<dot])],
      let operation = try? session.book.describe(definition.operation)
    else { return Completion(start: current.start, candidates: []) }
    let rest = String(current.text[current.text.index(after: dot)...])
    let start = current.start + current.text.distance(from: current.text.startIndex, to: dot) + 1
    let candidates = operation.orderedInputs.map { pad in
      Completion.Candidate(pad, definition.source(of: pad).map { "← \($0)" } ?? "free")
    }
    return Completion(start: start, candidates: Self.matching(rest, candidates))
  }

  private func value(of key: String, node: String) -> Completion {
    guard let definition = session.document[node], let operation = try? session.book.describe(definition.operation)
    else {
      return Completion(start: current.start, candidates: [])
    }
    return value(of: key, operation)
  }

  /// What a pad or a property takes.
  private func value(of key: String, _ operation: OperationDescription) -> Completion {
    if operation.inputs.contains(key) { return matching(nodes(append: " ")) }
    guard let property = operation.property(key) else { return Completion(start: current.start, candidates: []) }
    if let member = member(current.text) { return member }
    switch property.kind {
    case .choice(let choices):
      return matching(choices.map { Completion.Candidate($0.nick, $0.label == $0.nick ? "" : $0.label) })
    case .bool: return matching(["true", "false"].map { Completion.Candidate($0) })
    case .path: return paths(isFolder: false)
    case .format: return matching(Self.formats.map { Completion.Candidate(ScriptText.quoted($0)) })
    case .color:
      return matching(
        ["black", "white", "red", "green", "blue", "gray", "transparent"].map { Completion.Candidate($0) })
    default:
      var completion = Completion(start: current.start, candidates: [])
      completion.hint = "\(key): \(Self.note(property))"
      return completion
    }
  }

  private static let formats = [
    "RGB float", "RGBA float", "R'G'B' float", "R'G'B'A float", "R'G'B' u8", "R'G'B'A u8", "R'G'B' u16", "R'G'B'A u16",
    "RaGaBaA float", "Y float", "Y' u8", "Y' u16", "CIE Lab float", "CIE XYZ float",
  ]

  private static func note(_ property: PropertyDescription) -> String {
    guard property.isWritable else { return "result" }
    let value = property.defaultValue.map { ", default \(ScriptText.text($0))" } ?? ""
    return Typing.expectation(property.kind) + value
  }

  private func nodes(append: Character?) -> [Completion.Candidate] {
    session.document.nodes.map { Completion.Candidate($0.name, $0.operation, append: append) }
  }

  private func operations() -> [Completion.Candidate] {
    // Without a beginning there are too many to tell.
    session.book.writtenNames.filter { $0.hasPrefix(current.text) || current.text.isEmpty }.map {
      Completion.Candidate($0)
    }
  }

  private func variables() -> Completion {
    matching(
      session.variables.sorted { $0.key < $1.key }.map { Completion.Candidate("$" + $0.key, $0.value.description) })
  }

  private func paths(isFolder: Bool) -> Completion {
    PathCompletion.completion(of: current, isFolder: isFolder, expand: session.expanded)
  }

  private func matching(_ candidates: [Completion.Candidate]) -> Completion {
    Completion(start: current.start, candidates: Self.matching(current.text, candidates))
  }

  /// The candidates that begin with a word, each once, sorted.
  static func matching(_ word: String, _ candidates: [Completion.Candidate]) -> [Completion.Candidate] {
    var seen: Set<String> = []
    return candidates.filter { $0.text.hasPrefix(word) && seen.insert($0.text).inserted }
      .sorted { $0.text < $1.text }
  }
}
