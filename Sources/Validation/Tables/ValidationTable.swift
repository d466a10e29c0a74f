/// The figures for the terminal.
public struct ValidationTable {
  private let figures: ValidationFigures

  /// A table of figures.
  public init(_ figures: ValidationFigures) { self.figures = figures }

  /// The text, each line with a line break at its end.
  ///
  /// - Parameter width: the columns of the terminal, 40 at least; long names are cut, and what does not fit beside the others
  ///   stands below them.
  public func text(width: Int = 100) -> String {
    let width = min(max(width, 40), 100)
    var lines: [String] = []
    for series in figures.series {
      let tables = SeriesTables(series, tolerance: figures.tolerance)
      let count = series.conditions.count
      if !lines.isEmpty { lines.append("") }
      lines += [cut(visible("\(series.name): \(count) \(count == 1 ? "pair" : "pairs")"), to: width)]
      lines += tables.headlines.flatMap { wrapped("  " + $0, to: width) }
      for table in tables.all { lines += [""] + TextTable(table).lines(width: width) }
    }
    if lines.isEmpty { lines = ["nothing was measured"] }
    return lines.map { $0 + "\n" }.joined()
  }
}

/// A table in columns of text.
struct TextTable {
  private let table: FigureTable
  private static let gap = "  "
  private static let shortest = 12

  init(_ table: FigureTable) { self.table = table }

  /// The lines, none longer than a width.
  func lines(width: Int) -> [String] {
    var widths = table.columns.indices.map { index in
      max(visible(table.columns[index].head).count, table.rows.map { visible($0[index]).count }.max() ?? 0)
    }
    shrink(&widths, to: width)
    var lines = [cut(visible(table.title), to: width)]
    for block in blocks(widths, width: width) {
      lines.append(line(table.columns.map(\.head), block, widths))
      var above: [String] = []
      for row in table.rows {
        lines.append(line(unrepeated(row, above), block, widths))
        above = row
      }
    }
    return lines
  }

  /// Names give way before numbers do; where even that is not enough, they keep half of the width, as far as
  /// the widest number leaves it.
  private func shrink(_ widths: inout [Int], to width: Int) {
    let words = widths.indices.filter { !table.columns[$0].isNumber }
    func shorten(_ columns: [Int], _ widths: inout [Int], to room: Int) -> Bool {
      func total() -> Int { columns.reduce(0) { $0 + widths[$1] + Self.gap.count } }
      while total() > room {
        let longest = words.filter { widths[$0] > Self.shortest }.max { widths[$0] < widths[$1] }
        guard let longest else { return false }
        widths[longest] -= 1
      }
      return true
    }
    var narrow = widths
    if shorten(Array(widths.indices), &narrow, to: width) {
      widths = narrow
    } else {
      let widest = widths.indices.filter { table.columns[$0].isNumber }.map { widths[$0] }.max() ?? 0
      _ = shorten(words, &widths, to: min(width / 2, width - widest - Self.gap.count))
    }
  }

  /// The columns that stand side by side, in as many blocks as it takes; the names lead each.
  private func blocks(_ widths: [Int], width: Int) -> [[Int]] {
    let names = Array(0..<table.nameCount)
    var blocks: [[Int]] = []
    var block = names
    func total(_ block: [Int]) -> Int { block.reduce(0) { $0 + widths[$1] + Self.gap.count } }
    for index in names.count..<table.columns.count {
      if block.count > names.count, total(block) + Self.gap.count + widths[index] > width {
        blocks.append(block)
        block = names
      }
      block.append(index)
    }
    return blocks + [block]
  }

  /// A row whose first name is left out where it stands right above.
  private func unrepeated(_ row: [String], _ above: [String]) -> [String] {
    guard table.nameCount > 1, let name = row.first, name == above.first else { return row }
    return [""] + row.dropFirst()
  }

  private func line(_ row: [String], _ block: [Int], _ widths: [Int]) -> String {
    let cells = block.map { index in
      let text = cut(visible(row[index]), to: widths[index])
      let blank = String(repeating: " ", count: max(0, widths[index] - text.count))
      return table.columns[index].isNumber ? blank + text : text + blank
    }
    let line = Self.gap + cells.joined(separator: Self.gap)
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

/// A text no longer than a width.
private func cut(_ text: String, to width: Int) -> String {
  text.count <= width ? text : text.prefix(max(width - 1, 0)) + "…"
}

/// A text without control characters, which a terminal might obey.
private func visible(_ text: String) -> String {
  String(
    String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
}

private func wrapped(_ text: String, to width: Int) -> [String] {
  let indent = String(text.prefix { $0 == " " })
  var lines: [String] = []
  var line = indent
  for word in visible(text).split(separator: " ") {
    if line.count + word.count + 1 > width, line.count > indent.count {
      lines.append(line)
      line = indent
    }
    line += (line.count > indent.count ? " " : "") + word
  }
  return lines + [line]
}
