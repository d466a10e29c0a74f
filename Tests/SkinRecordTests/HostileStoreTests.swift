import Photo
import SQLite
import SkinRecord
import TestSupport
import Testing

/// Databases that somebody made to do harm.
@Suite struct HostileStoreTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// A database of one record, changed by a script.
  private func store(_ script: String) throws -> RecordStore {
    if !exists(fixture.path) { try fixture.add(1) }
    let database = try Database(fixture.path)
    try database.execute(script)
    return try RecordStore(fixture.path)
  }

  @Test(arguments: [
    // It would count for ever.
    """
    ALTER TABLE records RENAME TO others;
    CREATE VIEW records AS WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i AS id FROM n;
    """,
    "CREATE TRIGGER more AFTER INSERT ON pictures BEGIN DELETE FROM records WHERE id <> NEW.record; END",
    "CREATE INDEX slow ON regions(length(hex(zeroblob(100000000))))",
    "CREATE VIRTUAL TABLE words USING fts5(word)",
  ])
  func whatThisProgramDidNotMakeIsRefused(_ script: String) throws {
    let error = #expect(throws: PhotoError.self) { try store(script) }
    #expect(error?.description.contains("did not make") == true)
  }

  @Test func versionsThatNeverWere() throws {
    for (version, text) in [("-5", "is no database"), ("99", "newer")] {
      let error = #expect(throws: PhotoError.self) { try store("PRAGMA user_version = \(version)") }
      #expect(error?.description.contains(text) == true, "\(version)")
    }
  }

  @Test func whatSQLiteMakesByItselfIsNot() throws { #expect(try store("ANALYZE; REINDEX; VACUUM").count == 1) }

  /// Drawings have no room for them.
  @Test(arguments: ["9e999", "-1e300", "1e6"]) func numbersThatNoColourHas(_ number: String) throws {
    let store = try store("UPDATE measurements SET value = \(number) WHERE quantity = 'a'")
    let region = try #require(store.records().first?.regions.first)
    #expect(region[.a] == nil && region[.b] != nil)
    #expect(try store.problems() == ["record 1: a measurement is missing"])
  }

  @Test func afterTheLastNumberOfASeries() throws {
    let store = try store("UPDATE series SET number = 9223372036854775807")
    let error = #expect(throws: PhotoError.self) {
      try store.add(StoreFixture.record(2), StoreFixture.pictures, newSeries: true)
    }
    #expect(error?.description.contains("number") == true)
    #expect(try store.count == 1)
  }
}
