/// What could be typed at a place of a statement.
public struct Completion: Equatable, Sendable {
  /// One word that could stand there.
  public struct Candidate: Equatable, Sendable {
    /// The word.
    public var text: String
    /// What it means; may be empty.
    public var note: String
    /// What follows when it is the only one; nil: nothing.
    public var append: Character?

    /// A candidate.
    public init(_ text: String, _ note: String = "", append: Character? = " ") {
      (self.text, self.note, self.append) = (text, note, append)
    }
  }

  /// Where the word begins that is completed, in characters.
  public var start: Int
  /// The words that could stand there, sorted.
  public var candidates: [Candidate]
  /// What is expected where nobody can know the words, or beside them; may be empty.
  public var hint = ""

  /// What is shown of several candidates, or of none: each with its meaning. Nil where there is nothing to show.
  public func listing(width: Int) -> String? {
    guard candidates.count != 1 else { return nil }
    guard !candidates.isEmpty else { return hint.isEmpty ? nil : hint }
    let shown = candidates.prefix(Self.mostShown)
    var lines: [String] = []
    if shown.contains(where: { !$0.note.isEmpty }) {
      let column = min(36, (shown.map(\.text.count).max() ?? 0) + 2)
      lines = shown.map { candidate in
        let line = candidate.note.isEmpty ? candidate.text : candidate.text.padded(to: column) + " " + candidate.note
        return line.count > width ? line.prefix(max(1, width - 1)) + "…" : line
      }
    } else {
      let column = (shown.map(\.text.count).max() ?? 0) + 2
      let perLine = max(1, width / max(1, column))
      var index = 0
      while index < shown.count {
        let row = shown.dropFirst(index).prefix(perLine)
        lines.append(row.map { $0.text.padded(to: column) }.joined())
        index += perLine
      }
    }
    if !hint.isEmpty { lines.append(hint) }
    if candidates.count > shown.count { lines.append("… and \(candidates.count - shown.count) more") }
    return lines.joined(separator: "\n")
  }

  private static let mostShown = 120
}
