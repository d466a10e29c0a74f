import JSONValue
import SkinRecord
import Testing
import TextOutput

/// Margins, and records as tables.
@Suite struct HistoryTests {
  private func records(_ values: [Double], minutes: [Int]) -> [SkinRecord] {
    zip(values, minutes).enumerated().map { index, pair in
      var record = StoreFixture.record(1)
      (record.id, record.series) = (index + 1, 1)
      record.taken = "2026-05-01T\(10 + pair.1 / 60):\(pair.1 % 60 < 10 ? "0" : "")\(pair.1 % 60):00"
      record.regions[0].measurements = record.regions[0].measurements.map { measurement in
        var measurement = measurement
        if measurement.value != nil { measurement.value = pair.0 }
        return measurement
      }
      return record
    }
  }

  private func margin(_ history: SeriesHistory) -> Margin? {
    history.records[0].regions[0][.a].flatMap { history.margin($0, in: "middle") }
  }

  @Test func marginsAreOfBothKinds() throws {
    let alone = try #require(margin(SeriesHistory(records([10], minutes: [0]))))
    #expect(abs(alone.series - 1.96 * 0.5) < 1e-9)
    #expect(abs(alone.total - 1.96 * (0.25 + 1).squareRoot()) < 1e-9)
  }

  @Test func scatterOfRepeatedCapturesCounts() throws {
    // Of captures on other days it does not: skin changes.
    let days = SeriesHistory(records([10, 20, 30], minutes: [0, 100, 200]))
    #expect(days.spread(of: .a, in: "middle") == nil)
    let quiet = SeriesHistory(records([10, 10.01, 10.02], minutes: [0, 1, 2]))
    #expect(abs(try #require(margin(quiet)).series - 1.96 * 0.5) < 1e-9)
    let wild = SeriesHistory(records([8, 10, 12], minutes: [0, 1, 2]))
    let spread = try #require(wild.spread(of: .a, in: "middle"))
    #expect(spread.freedom == 2 && abs(spread.deviation - 2) < 1e-9)
    #expect(abs(try #require(margin(wild)).series - 4.30 * 2) < 1e-9)
    // Two of a kind say next to nothing; pooled they do.
    #expect(SeriesHistory(records([8, 10], minutes: [0, 1])).spread(of: .a, in: "middle") == nil)
    let pairs = SeriesHistory(records([8, 10, 28, 30], minutes: [0, 1, 100, 101]))
    #expect(abs(try #require(pairs.spread(of: .a, in: "middle")).deviation - 2.0.squareRoot()) < 1e-9)
  }

  @Test func scatterOfHuesGoesRound() throws {
    let history = SeriesHistory(records([359, 1, 0], minutes: [0, 1, 2]))
    #expect(try #require(history.spread(of: .hue, in: "middle")).deviation < 1.01)
  }

  @Test func tablesHoldEverything() throws {
    let table = RecordTable(records([10, 11], minutes: [0, 1]))
    let rows = try CSV.parse(table.csv)
    #expect(rows.count == 3 && Set(rows.map(\.fields.count)).count == 1)
    let column = try #require(rows[0].fields.firstIndex(of: "a_margin_95"))
    #expect(rows[1].fields[column] == "2.1913")
    #expect(rows[1].fields[try #require(rows[0].fields.firstIndex(of: "ita_reason"))] == "needs L*")
    let json = try JSON(parsing: Array(table.json.text().utf8))
    let region = json.elements?[1]["regions"].elements?[0] ?? .null
    #expect(region["a"]["value"].double == 11 && region["lightness"]["value"] == .null)
    #expect(region["lightness"]["reason"].string == "needs L*")
    #expect(json.elements?[0]["report"]["a"].double == 1)
  }
}
