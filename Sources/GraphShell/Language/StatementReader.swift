/// Puts lines together that belong to one statement.
public struct StatementReader {
  /// A statement and the line on which it begins, from 1.
  public struct Entry: Equatable, Sendable {
    /// The statement, possibly of several lines.
    public var text: String
    /// Its first line.
    public var line: Int
  }

  private var text = ""
  private var firstLine = 0
  private var line = 0

  /// A reader of a new script.
  public init() {}

  /// Whether a statement has begun that is not complete.
  public var isOpen: Bool { !text.isEmpty }

  /// Takes the next line, without its line break.
  ///
  /// - Returns: a statement that is now complete; nil while more lines are needed.
  public mutating func add(_ next: String) -> Entry? {
    line += 1
    // Files that were put together have the mark of byte orders in their midst.
    let next = next.first == "\u{FEFF}" ? String(next.dropFirst()) : next
    if isOpen { text += "\n" + next } else { (text, firstLine) = (next, line) }
    // No script has such statements; an open quote must not make each further line slower.
    guard text.utf8.count < 1 << 14, CommandTable.isIncomplete(text) else { return finish() }
    return nil
  }

  /// What is left when there are no more lines.
  public mutating func finish() -> Entry? {
    guard line > 0, isOpen || firstLine == line else { return nil }
    defer { discard() }
    return Entry(text: text, line: firstLine)
  }

  /// Forgets a statement that has begun.
  public mutating func discard() { (text, firstLine) = ("", 0) }

  /// All statements of a text.
  public static func statements(in script: String) -> [Entry] {
    var reader = StatementReader()
    var entries: [Entry] = []
    for line in script.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if let entry = reader.add(String(line)) { entries.append(entry) }
    }
    if let entry = reader.finish() { entries.append(entry) }
    return entries
  }
}
