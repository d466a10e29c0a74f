import JSONValue
import Testing
import Validation

@Suite("Tables") struct TableTests {
  @Test("The terminal's table keeps to its width, and numbers stand below each other", arguments: [100, 80, 60, 40])
  func alignment(width: Int) throws {
    let text = ValidationTable(SampleFigures.all()).text(width: width)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= width && $0.last != " " })
    let head = try #require(lines.firstIndex { $0.hasPrefix("  picture") && $0.contains("10 lx") })
    let ends = lines[head..<(head + 4)].map(\.count)
    #expect(ends.allSatisfy { $0 == ends.first })
  }

  @Test("The table says what the validation is about")
  func headline() {
    let text = ValidationTable(SampleFigures.all()).text(width: 100)
    #expect(text.hasPrefix("steady: 48 pairs\n"))
    let words = "less ambient-induced variance than the standard ambient picture (Apple's figure: 87 % less)"
    #expect(text.contains(words))
    #expect(text.contains("0.046") && text.contains("0.912") && text.contains("95.7 %"))
    #expect(text.contains("captures: 3 pairs"))
  }

  @Test("A name keeps no control character for the terminal")
  func controls() {
    var figures = HostileFigures.broken
    figures.series[0].name = "a\u{1B}[31mb"
    figures.series[0].conditions[0].id = "\u{1B}]0;x\u{7}"
    #expect(!ValidationTable(figures).text(width: 100).unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test("The rows of conditions.csv and patches.csv have the fields of their heads and read back")
  func csv() throws {
    let figures = SampleFigures.all()
    let conditions = records(ValidationCSV.conditions(figures))
    #expect(conditions.count == 1 + 48 + 3)
    #expect(conditions.allSatisfy { $0.count == conditions[0].count })
    let error = try #require(conditions[0].firstIndex(of: "chart_error_result"))
    let first = try #require(figures.series[0].conditions[0].chartError[.result])
    #expect(abs((Double(conditions[1][error]) ?? .nan) - first) < 1e-5)
    let lux = try #require(conditions[0].firstIndex(of: "lux"))
    #expect(conditions[1][lux] == "10.00000" && conditions[51][lux].isEmpty)

    let patches = records(ValidationCSV.patches(figures))
    #expect(patches.count == 1 + 48 * 38 + 3 * 24)
    #expect(patches.allSatisfy { $0.count == patches[0].count })
    #expect(patches[1][..<4] == ["steady", "E0010_T3000_planckian", "dark skin", "chart"])
  }

  @Test("Quotes, commas and line breaks stay within their field")
  func quoting() {
    let rows = records(ValidationCSV.patches(HostileFigures.broken))
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    #expect(rows[1][..<3] == [HostileFigures.name, HostileFigures.name, HostileFigures.name])
  }

  @Test("figures.json reads back; unknown is null")
  func json() throws {
    let figures = SampleFigures.all()
    let json = try JSON(parsing: Array(ValidationJSON(figures).json.text().utf8))
    let series = try #require(json["series"].elements)
    #expect(series.count == 2 && json["tolerance"].double == 3)
    #expect(series[0]["reduction"]["ambient"].double == figures.series[0].reduction(against: .ambient))
    #expect(series[0]["methods"]["result"]["colorError"]["skin"]["count"].double == 672)
    #expect(series[0]["methods"]["result"]["colorError"]["far"] == .null)
    #expect(series[0]["confidence"]["bins"].elements?.last?["confidence"] == .null)
    #expect(series[1]["confidence"] == .null)
    #expect(series[1]["conditions"].elements?.first?["lux"] == .null)
    #expect(series[0]["conditions"].elements?.count == 48)
  }

  @Test("Every row of Markdown's tables has the same bars, and names are no markup")
  func markdown() {
    for figures in [SampleFigures.all(), HostileFigures.broken] {
      var bars = 0
      for line in ValidationSummary(figures).markdown.split(separator: "\n", omittingEmptySubsequences: false) {
        guard line.hasPrefix("|") else {
          bars = 0
          continue
        }
        let count = unescapedBars(line)
        #expect(bars == 0 || bars == count, "\(line)")
        bars = count
      }
    }
    #expect(!ValidationSummary(HostileFigures.broken).markdown.contains("<b>"))
  }

  private func unescapedBars(_ line: Substring) -> Int {
    var isEscaped = false
    return line.count { character in
      defer { isEscaped = character == "\\" && !isEscaped }
      return character == "|" && !isEscaped
    }
  }

  /// The records of a text after RFC 4180.
  private func records(_ text: String) -> [[String]] {
    var (rows, row, field, isQuoted) = ([[String]](), [String](), "", false)
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"": field.unicodeScalars.append(scalars.removeFirst())
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(field)
        field = ""
      case "\r" where !isQuoted && scalars.first == "\n":
        scalars.removeFirst()
        rows.append(row + [field])
        (row, field) = ([], "")
      default: field.unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}
