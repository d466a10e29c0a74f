import TextOutput

/// A table of figures before it is text, Markdown or HTML.
struct FigureTable {
  /// A column: its head, and whether it holds numbers, which stand to the right.
  struct Column {
    var head: String
    var isNumber = true
  }

  /// What the table tells.
  var title: String
  var columns: [Column]
  /// One text a column; the first columns name the row as long as they hold no numbers.
  var rows: [[String]]

  /// A table whose first heads are over words, all others over numbers.
  init(_ title: String, words: [String], numbers: [String], rows: [[String]]) {
    self.title = title
    columns = words.map { Column(head: $0, isNumber: false) } + numbers.map { Column(head: $0) }
    self.rows = rows
  }

  /// How many columns name the row.
  var nameCount: Int { columns.prefix { !$0.isNumber }.count }

  /// The table without the columns of numbers in which nothing is known.
  var compacted: FigureTable {
    var result = self
    let kept = columns.indices.filter { index in
      !columns[index].isNumber || rows.contains { $0.indices.contains(index) && $0[index] != unknownText }
    }
    result.columns = kept.map { columns[$0] }
    result.rows = rows.map { row in kept.map { row.indices.contains($0) ? row[$0] : "" } }
    return result
  }
}
