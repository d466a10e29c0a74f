/// Tables of comma-separated values (RFC 4180).
public enum CSV {
  /// The table's text: lines end with CR LF; quotes stand where a field needs them.
  public static func text(_ rows: [[String]]) -> String {
    rows.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A row of a table, and where it begins.
  public struct Row: Equatable, Sendable {
    /// The line of the text in which the row begins, from 1.
    public let line: Int
    /// What stands in it; at least one field.
    public let fields: [String]
  }

  /// What is wrong with a table, and in which line of its text, from 1.
  public struct SyntaxError: Error, Equatable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// What is wrong; one line for people.
    public let message: String
  }

  /// Reads a table. Lines may end with CR LF, LF or CR; empty lines are left out. Throws ``SyntaxError``.
  public static func parse(_ text: String) throws(SyntaxError) -> [Row] {
    var rows: [Row] = []
    var fields: [String] = []
    var field = ""
    var wasQuoted = false
    var (line, start) = (1, 1)
    var scalars = text.unicodeScalars[...]

    func close() {
      if fields.isEmpty, field.isEmpty, !wasQuoted { return }
      rows.append(Row(line: start, fields: fields + [field]))
      (fields, field, wasQuoted) = ([], "", false)
    }
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\r", "\n":
        if scalar == "\r", scalars.first == "\n" { scalars.removeFirst() }
        close()
        line += 1
        start = line
      case ",":
        fields.append(field)
        (field, wasQuoted) = ("", false)
      case "\"" where field.isEmpty && !wasQuoted:
        wasQuoted = true
        field = try quotedField(&scalars, &line)
      case _ where wasQuoted:
        throw SyntaxError(line: line, message: "something follows a closing quote; double quotes within a quoted field")
      case "\"":
        throw SyntaxError(line: line, message: "a quote stands within a field without quotes; quote the whole field")
      default: field.unicodeScalars.append(scalar)
      }
    }
    close()
    return rows
  }

  /// The field after an opening quote, up to the closing one.
  private static func quotedField(
    _ scalars: inout Substring.UnicodeScalarView, _ line: inout Int
  ) throws(SyntaxError) -> String {
    var field = ""
    let opening = line
    while let scalar = scalars.popFirst() {
      if scalar == "\"" {
        guard scalars.first == "\"" else { return field }
        scalars.removeFirst()
      } else if scalar == "\n" || (scalar == "\r" && scalars.first != "\n") {
        line += 1
      }
      field.unicodeScalars.append(scalar)
    }
    throw SyntaxError(line: opening, message: "a quote is not closed")
  }

  /// Quotes where a field needs them.
  private static func quoted(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text += "\"" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}
