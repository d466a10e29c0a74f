import JSONValue

/// A result with columns.
struct ReplyTable {
  var columns: [String]
  var rows: [[JSON]] = []
  /// What stands above the text, such as nothing.
  var isHeaded = true

  init(_ columns: [String], _ rows: [[JSON]] = []) { (self.columns, self.rows) = (columns, rows) }

  /// The rows as objects.
  var json: JSON {
    .array(
      rows.map { row in .object(zip(columns, row).map { JSON.Member($0, $1) }) })
  }

  var csv: String {
    ([columns.map(Self.cell)] + rows.map { $0.map { Self.cell(Self.plain($0)) } })
      .map { $0.joined(separator: ",") }.joined(separator: "\n")
  }

  private static func cell(_ text: String) -> String {
    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Columns beside each other; the last one is cut where it does not fit.
  func text(width: Int) -> String {
    let cells = (isHeaded ? [columns] : []) + rows.map { $0.map(Self.plain) }
    let widths = columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let isLast = column == row.count - 1
        line += isLast ? cell : cell + String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while line.last == " " { line.removeLast() }
      return line.count > width ? line.prefix(max(1, width - 1)) + "…" : line
    }.joined(separator: "\n")
  }

  static func plain(_ value: JSON) -> String {
    switch value {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .number(let value): Format.short(value)
    case .string(let value): value
    default: value.text(indented: false)
    }
  }
}
