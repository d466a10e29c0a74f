import GEGL

// Languages within the language: expressions, and chain texts.
extension CompletionEngine {
  /// Whether the cursor is in an expression: of `assert`, in a parenthesis, or after a value that begins a statement.
  var isInExpression: Bool {
    let opened = characters.reduce(into: (depth: 0, quote: Character?.none)) { state, character in
      switch character {
      case "\"", "'": state.quote = state.quote == nil ? character : state.quote == character ? nil : state.quote
      case "(" where state.quote == nil: state.depth += 1
      case ")" where state.quote == nil: state.depth -= 1
      default: break
      }
    }
    if opened.quote != nil { return false }
    guard let first = words.first else { return opened.depth > 0 }
    if let command = CommandTable.command(first.text) { return CommandTable.expressionNames.contains(command.name) }
    guard words.dropFirst().first?.text != "=" else { return opened.depth > 0 }
    return opened.depth > 0 || first.text.first.map { ("0"..."9").contains($0) } ?? false
      || first.text.split(separator: ".").first.map { session.document[String($0)] != nil && first.text.contains(".") }
        ?? false
  }

  /// A node, a property, a function or a variable.
  func expression() -> Completion {
    let word = characters.reversed().prefix { Name.isPart($0) || $0 == "." || $0 == "$" }.reversed()
    var inner = self
    inner.current = Piece(text: String(word), start: characters.count - word.count)
    if word.first == "$" { return inner.variables() }
    return inner.member(inner.current.text) ?? inner.matching(nodes(append: nil) + functions())
  }

  /// Within a chain of GEGL's, which begins at a place of the line.
  func chain(from start: Int) -> Completion {
    guard start <= characters.count else { return Completion(start: current.start, candidates: []) }
    var completion = CompletionEngine(session: session, text: String(characters[start...])).chainStep()
    completion.start += start
    return completion
  }

  private func chainStep() -> Completion {
    // The operation that properties belong to, for each bracket that is open.
    var heads: [Piece?] = [nil]
    for (index, word) in words.enumerated() {
      switch (word.isSign, word.text) {
      case (true, "["): heads.append(nil)
      case (true, "]"): if heads.count > 1 { heads.removeLast() }
      case (true, _): break
      default:
        let isKey = index + 1 < words.count && words[index + 1].isSign && words[index + 1].text == "="
        let isValue = index > 0 && words[index - 1].isSign && words[index - 1].text == "="
        if !isKey, !isValue { heads[heads.count - 1] = word }
      }
    }
    let operation = (heads.last ?? nil).flatMap { head in
      (try? session.book.fullName(head.text)).flatMap { try? session.book.describe($0) }
    }
    guard let operation else { return matching(operations()) }
    if words.last?.isSign == true, words.last?.text == "=", let key = words.dropLast().last {
      if operation.inputs.contains(key.text) { return matching([Completion.Candidate("[")]) }
      return value(of: key.text, operation)
    }
    let pads = operation.orderedInputs.filter { $0 != "input" }.map { Completion.Candidate($0, "pad", append: "=") }
    let properties = operation.settable.map { Completion.Candidate($0.name, Self.note($0), append: "=") }
    return matching(pads + properties + (current.text.isEmpty ? [] : operations()))
  }
}
