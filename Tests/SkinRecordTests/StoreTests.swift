import Glibc
import SQLite
import SkinRecord
import TestSupport
import Testing

/// The database: whole records or none, series that do not mix, and what is found out when something is wrong.
@Suite struct StoreTests {
  @Test func whatGoesInComesOut() throws {
    let fixture = try StoreFixture()
    let stored = try fixture.add(3)
    var expected = StoreFixture.record(3)
    (expected.id, expected.series) = (stored.id, 1)
    let store = try fixture.open()
    #expect(try store.records() == [expected])
    for picture in StoreFixture.pictures { #expect(try store.picture(picture.kind, of: stored.id) == picture) }
    #expect(try store.problems().isEmpty)
    #expect(fixture.mode(fixture.path) == 0o600)
    // Nothing stays beside it.
    #expect(try Command(["ls", "-A", fixture.folder.path]).output == "skin.db\n")
  }

  @Test func seriesDoNotMix() throws {
    let fixture = try StoreFixture()
    try fixture.add(1)
    for change: (inout SkinRecord) -> Void in [
      { $0.identity.profile = nil }, { $0.identity.chart = "colorchecker-2014" }, { $0.identity.exposure = "fixed" },
      { $0.identity.lightness = "grey card" },
    ] {
      let error = #expect(throws: SeriesError.self) { try fixture.add(2, change) }
      #expect(error?.description.contains("--new-series") == true)
    }
    // Elsewhere it is another series.
    try fixture.add(2) {
      $0.site = "right arm"; $0.identity.exposure = "fixed"
    }
    let store = try fixture.open()
    #expect(try store.count == 2)
    var other = StoreFixture.record(4)
    other.identity.exposure = "fixed"
    #expect(try store.add(other, StoreFixture.pictures, newSeries: true).series == 2)
    // The newest series counts.
    #expect(throws: SeriesError.self) { try fixture.add(5) }
    try fixture.add(6) { $0.identity.exposure = "fixed" }
    #expect(try store.records(subject: "P-1", site: "left arm", series: 2).count == 2)
  }

  @Test func noPhotographTwice() throws {
    let fixture = try StoreFixture()
    let first = try fixture.add(1)
    let error = #expect(throws: SeriesError.self) { try fixture.add(1) }
    #expect(error?.description.contains("record \(first.id)") == true)
    #expect(try fixture.open().count == 1)
  }

  @Test func whatIsRemovedIsGone() throws {
    let fixture = try StoreFixture()
    let marked = Array("nobody may read this any more, whatever happens".utf8)
    let store = try fixture.open()
    let pictures = [StoredPicture(.picture, format: "png", bytes: marked), StoreFixture.pictures[1]]
    let id = try store.add(StoreFixture.record(1), pictures, newSeries: false).id
    try fixture.add(2)
    #expect(try Command(["grep", "-c", "nobody may read", fixture.path]).status == 0)
    #expect(try store.remove(ids: [id, 999]) == 1)
    #expect(try Command(["grep", "-c", "nobody may read", fixture.path]).status == 1)
    #expect(try store.problems().isEmpty && store.count == 1)
    #expect(try store.remove(ids: store.records().map(\.id)) == 1)
    #expect(try Command(["grep", "-c", "left arm", fixture.path]).status == 1)
    // Numbers are not used again.
    #expect(try fixture.add(3).id > id + 1)
  }

  /// Programs that add at the same time, also to a database that none of them has made yet.
  @Test func manyAtOnce() async throws {
    let fixture = try StoreFixture()
    let path = fixture.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 1...5 {
            let store = try RecordStore(path, creates: true)
            let record = StoreFixture.record(writer * 5 + number)
            _ = try store.add(record, StoreFixture.pictures, newSeries: false)
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try fixture.open()
    #expect(try store.count == 20)
    #expect(Set(try store.records().map(\.series)) == [1])
    #expect(try store.problems().isEmpty)
  }

  @Test func damageIsFound() throws {
    func damaged(_ script: String) throws -> [String] {
      let fixture = try StoreFixture()
      try fixture.add(1)
      do {
        let database = try Database(fixture.path)
        try database.execute(script)
      }
      return try fixture.open().problems()
    }
    for (script, words) in [
      ("UPDATE pictures SET bytes = x'00' WHERE kind = 'picture'", "is not what was stored"),
      ("DELETE FROM pictures WHERE kind = 'confidence'", "a picture is missing"),
      ("DELETE FROM measurements WHERE quantity = 'hue'", "a measurement is missing"),
      ("PRAGMA foreign_keys = ON; DELETE FROM regions", "has no region"),
      ("DELETE FROM subjects", "belongs to nothing"),
      ("INSERT INTO subjects(code) VALUES('x')", "without a record"),
    ] {
      let problems = try damaged(script)
      #expect(problems.contains { $0.contains(words) }, "\(script): \(problems)")
    }
  }

  @Test func otherFilesAreRefused() throws {
    let fixture = try StoreFixture()
    func error() -> String {
      do {
        _ = try RecordStore(fixture.path)
        return ""
      } catch { return "\(error)" }
    }
    #expect(error().contains("there is no such database"))
    try fixture.folder.write(Array("this is a letter, and long enough to be taken for something".utf8), "skin.db")
    #expect(error().contains("is no database of skin records"))
    unlink(fixture.path)
    try fixture.folder.write([], "skin.db")
    let database = try Database(fixture.path)
    try database.execute("CREATE TABLE notes(x)")
    #expect(error().contains("is no database of skin records"))
    unlink(fixture.path)
    try fixture.add(1)
    try Database(fixture.path).execute("PRAGMA user_version = 99")
    #expect(error().contains("newer constant-color"))
    #expect(throws: (any Error).self) { try RecordStore(fixture.folder.path, creates: true) }
    #expect(throws: (any Error).self) { try RecordStore(fixture.folder.path + "/no/skin.db", creates: true) }
  }

  @Test func othersCannotReadIt() throws {
    let fixture = try StoreFixture()
    try fixture.add(1)
    chmod(fixture.path, 0o644)
    _ = try fixture.open()
    #expect(fixture.mode(fixture.path) == 0o600)
  }

  /// Values for question marks are values, whatever they say.
  @Test func statementsTakeValuesAsTheyAre() throws {
    let fixture = try StoreFixture()
    let site = "x'); DROP TABLE records; --"
    try fixture.add(1) { $0.site = site }
    #expect(try fixture.open().records(site: site).count == 1)
  }
}
