/// The figures as Markdown (CommonMark with GitHub's tables): only what is the same wherever the pairs are judged, no times.
public struct ValidationSummary {
  private let figures: ValidationFigures

  /// A summary of figures.
  public init(_ figures: ValidationFigures) { self.figures = figures }

  /// The text, with a line break at its end.
  public var markdown: String {
    var blocks = ["# Validation", "constant-color " + escaped(figures.version)]
    if !figures.settings.isEmpty {
      let rows = figures.settings.map { [$0.name, $0.value] }
      blocks.append(text(FigureTable("", words: ["setting", "value"], numbers: [], rows: rows)))
    }
    for series in figures.series {
      let tables = SeriesTables(series, tolerance: figures.tolerance, hasTimes: false)
      let count = series.conditions.count
      blocks.append("## \(escaped(series.name)): \(count) \(count == 1 ? "pair" : "pairs")")
      let headlines = tables.headlines.map { "- " + escaped($0) }
      if !headlines.isEmpty { blocks.append(headlines.joined(separator: "\n")) }
      for table in tables.all { blocks += ["### " + escaped(table.title), text(table)] }
    }
    blocks.append("## What the figures are")
    blocks.append(
      Definition.all(tolerance: figures.tolerance).map {
        let unit = $0.unit.isEmpty ? "" : " (\(escaped($0.unit)))"
        let source = $0.source.isEmpty ? "" : " " + escaped($0.source)
        return "- **\(escaped($0.term))**\(unit): \(escaped($0.text))\(source)"
      }.joined(separator: "\n"))
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func text(_ table: FigureTable) -> String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let rule = table.columns.map { $0.isNumber ? "---:" : "---" }
    return ([line(table.columns.map { escaped($0.head) }), line(rule)] + table.rows.map { line($0.map(escaped)) })
      .joined(separator: "\n")
  }

  /// Text that Markdown leaves as it is.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\", "|", "*", "_", "`", "<", ">", "[", "]", "#", "&", "~": result += "\\" + String(character)
      case _ where character.isNewline: result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
