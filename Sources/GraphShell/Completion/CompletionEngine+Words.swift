import GEGL

extension CompletionEngine {
  // MARK: kinds of words

  /// `node.` and a property or pad; nil where the word is none.
  func member(_ text: String) -> Completion? {
    guard let dot = text.firstIndex(of: "."), let definition = session.document[String(text[..<dot])],
      let operation = try? session.book.describe(definition.operation)
    else { return nil }
    let rest = String(text[text.index(after: dot)...])
    let start = current.start + text.distance(from: text.startIndex, to: dot) + 1
    let facts = NodeFact.allCases.map { Completion.Candidate($0.rawValue, $0.summary) }
    let candidates = operation.properties.map { Completion.Candidate($0.name, Self.note($0)) } + facts
    return Completion(start: start, candidates: Self.matching(rest, candidates))
  }

  func pads() -> Completion {
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

  func value(of key: String, node: String) -> Completion {
    guard let definition = session.document[node], let operation = try? session.book.describe(definition.operation)
    else {
      return Completion(start: current.start, candidates: [])
    }
    return value(of: key, operation)
  }

  /// What a pad or a property takes.
  func value(of key: String, _ operation: OperationDescription) -> Completion {
    if operation.inputs.contains(key) { return matching(nodes(append: " ")) }
    guard let property = operation.property(key) else { return Completion(start: current.start, candidates: []) }
    if let member = member(current.text) { return member }
    switch property.kind {
    case .choice(let choices):
      return matching(choices.map { Completion.Candidate($0.nick, $0.label == $0.nick ? "" : $0.label) })
    case .bool: return matching(["true", "false"].map { Completion.Candidate($0) })
    case .path: return paths(isFolder: false)
    case .format: return formats()
    case .color:
      return matching(
        ["black", "white", "red", "green", "blue", "gray", "transparent"].map { Completion.Candidate($0) })
    default:
      var completion = Completion(start: current.start, candidates: [])
      completion.hint = "\(key): \(Self.note(property))"
      return completion
    }
  }

  /// babl's formats, which have blanks and so stand in quotes.
  private func formats() -> Completion {
    let quote = current.quote ?? "\""
    let candidates = Self.formatNames.filter { $0.hasPrefix(current.text) && !$0.contains(quote) }
    return Completion(
      start: current.start, candidates: candidates.map { Completion.Candidate("\(quote)\($0)\(quote)") })
  }

  /// babl does not list them: those that it has among what its models and types could make.
  private static let formatNames: [String] = {
    let models = [
      "RGB", "RGBA", "RaGaBaA", "R'G'B'", "R'G'B'A", "R'aG'aB'aA", "Y", "YA", "YaA", "Y'", "Y'A", "Y'aA", "CIE Lab",
      "CIE Lab alpha", "CIE LCH(ab)", "CIE LCH(ab) alpha", "CIE XYZ", "CIE XYZ alpha", "CIE xyY", "CIE Yuv", "HSL",
      "HSLA",
      "HSV", "HSVA", "CMYK", "cmyk", "Y'CbCr",
    ]
    return models.flatMap { model in
      ["u8", "u16", "u32", "half", "float", "double"].map { "\(model) \($0)" }
    }.filter { (try? PixelFormat($0)) != nil }
  }()

  static func note(_ property: PropertyDescription) -> String {
    guard property.isWritable else { return "result" }
    let value = property.defaultValue.map { ", default \(ScriptText.text($0))" } ?? ""
    return PropertyText.expectation(property.kind) + value
  }

  func nodes(append: Character?) -> [Completion.Candidate] {
    session.document.nodes.map { Completion.Candidate($0.name, $0.operation, append: append) }
  }

  func operations() -> [Completion.Candidate] {
    // Without a beginning there are too many to tell.
    session.book.writtenNames.filter { $0.hasPrefix(current.text) || current.text.isEmpty }.map {
      Completion.Candidate($0)
    }
  }

  func functions() -> [Completion.Candidate] {
    Measurements.table.map { Completion.Candidate($0.name, "(\($0.arguments)) \($0.summary)", append: "(") }
  }

  func variables() -> Completion {
    matching(
      session.variables.sorted { $0.key < $1.key }.map { Completion.Candidate("$" + $0.key, $0.value.description) })
  }

  func paths(isFolder: Bool) -> Completion {
    PathCompletion.completion(of: current, isFolder: isFolder, expand: session.expanded)
  }

  func matching(_ candidates: [Completion.Candidate]) -> Completion {
    Completion(start: current.start, candidates: Self.matching(current.text, candidates))
  }

  /// The candidates that begin with a word, each once, sorted.
  static func matching(_ word: String, _ candidates: [Completion.Candidate]) -> [Completion.Candidate] {
    var seen: Set<String> = []
    return candidates.filter { $0.text.hasPrefix(word) && seen.insert($0.text).inserted }
      .sorted { $0.text < $1.text }
  }
}
