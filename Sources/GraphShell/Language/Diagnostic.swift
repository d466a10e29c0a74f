/// What is wrong with a line, and where: an offset into its characters.
public struct Diagnostic: Error, Equatable, Sendable, CustomStringConvertible {
  /// How many characters stand before the place.
  public var offset: Int
  /// What is wrong, what was expected, and what was probably meant; one line.
  public var message: String
  /// Whether more text could mend it: an open bracket or quote, or a `\` at the end.
  public var isIncomplete = false

  /// A problem at a place.
  public init(_ offset: Int, _ message: String, isIncomplete: Bool = false) {
    self.offset = offset
    self.message = message
    self.isIncomplete = isIncomplete
  }

  /// The message without its place.
  public var description: String { message }
}

/// A problem at its place in a script: `SCRIPT:LINE:COLUMN: message`.
public struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The script's name, as the caller gave it.
  public var script: String
  /// Both count from 1; columns are characters.
  public var line, column: Int
  /// What is wrong.
  public var message: String

  /// The problem of a statement that begins on a line of a script.
  public init(_ diagnostic: Diagnostic, of statement: String, script: String, line: Int) {
    let before = statement.prefix(diagnostic.offset)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    self.script = script
    self.line = line + max(0, lines.count - 1)
    column = (lines.last?.count ?? 0) + 1
    message = String(diagnostic.message.map { $0.isNewline ? " " : $0 })
  }

  /// `SCRIPT:LINE:COLUMN: message`
  public var description: String { "\(script):\(line):\(column): \(message)" }
}
