import SQLite

/// The tables. Each entry leads from one version to the next; those that were released are never changed.
enum Schema {
  /// PRAGMA application_id: "CCSR".
  static let applicationID = 0x4343_5352

  /// What the database of the newest version consists of, as SQLite keeps it. Throws `SQLiteError`.
  static func statements() throws -> Set<String> {
    let empty = try Database()
    for migration in migrations { try empty.execute(migration + "; ANALYZE") }
    return Set(try statements(of: empty))
  }

  /// What a database consists of.
  static func statements(of database: Database) throws -> [String] {
    try database.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL") { $0.text(0) ?? "" }
  }

  static let migrations = [
    """
    CREATE TABLE subjects(
      id INTEGER PRIMARY KEY,
      code TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE sites(
      id INTEGER PRIMARY KEY,
      subject INTEGER NOT NULL REFERENCES subjects ON DELETE CASCADE,
      name TEXT NOT NULL,
      UNIQUE(subject, name)
    ) STRICT;
    CREATE TABLE series(
      id INTEGER PRIMARY KEY,
      site INTEGER NOT NULL REFERENCES sites ON DELETE CASCADE,
      number INTEGER NOT NULL CHECK(number > 0),
      profile TEXT,
      source TEXT NOT NULL,
      chart TEXT,
      exposure TEXT NOT NULL,
      lightness TEXT NOT NULL,
      UNIQUE(site, number)
    ) STRICT;
    CREATE TABLE records(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      series INTEGER NOT NULL REFERENCES series ON DELETE CASCADE,
      taken TEXT NOT NULL,
      added TEXT NOT NULL,
      confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1),
      mean_confidence REAL NOT NULL CHECK(mean_confidence BETWEEN 0 AND 1),
      threshold REAL NOT NULL,
      tolerance REAL NOT NULL,
      expected_error REAL,
      version TEXT NOT NULL,
      flash_sha256 TEXT NOT NULL,
      report TEXT NOT NULL,
      UNIQUE(series, flash_sha256)
    ) STRICT;
    CREATE TABLE regions(
      id INTEGER PRIMARY KEY,
      record INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
      name TEXT NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      width INTEGER NOT NULL CHECK(width > 0),
      height INTEGER NOT NULL CHECK(height > 0),
      pixels INTEGER NOT NULL,
      trusted INTEGER NOT NULL,
      confidence REAL NOT NULL,
      at_lightness REAL,
      UNIQUE(record, name)
    ) STRICT;
    CREATE TABLE measurements(
      region INTEGER NOT NULL REFERENCES regions ON DELETE CASCADE,
      quantity TEXT NOT NULL,
      value REAL,
      capture REAL,
      common REAL,
      reason TEXT,
      PRIMARY KEY(region, quantity),
      CHECK((value IS NULL) = (reason IS NOT NULL)),
      CHECK((value IS NULL) = (capture IS NULL)),
      CHECK((value IS NULL) = (common IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE pictures(
      id INTEGER PRIMARY KEY,
      record INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK(kind IN ('picture', 'confidence')),
      format TEXT NOT NULL,
      size INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      bytes BLOB NOT NULL,
      UNIQUE(record, kind)
    ) STRICT;
    CREATE INDEX records_of_series ON records(series, taken);
    """
  ]
}
