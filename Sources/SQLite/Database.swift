import CSQLite

/// An SQLite database, used by one thread at a time.
public final class Database {
  let handle: OpaquePointer

  /// Opens a file that is there. Waits up to `timeout` seconds for other programs that write to it.
  public convenience init(_ path: String, timeout: Int = 60) throws {
    // A relative path must not be taken for a URI or an option.
    try self.init(opening: path.hasPrefix("/") ? path : "./" + path)
    sqlite3_busy_timeout(handle, Int32(clamping: timeout * 1000))
  }

  /// An empty database in memory.
  public convenience init() throws { try self.init(opening: ":memory:") }

  private init(opening name: String) throws {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, SQLITE_OPEN_READWRITE, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteError(code, handle)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit { sqlite3_close_v2(handle) }

  /// A statement with values for its question marks.
  public func prepare(_ sql: String, _ values: [SQLValue] = []) throws -> Statement {
    try Statement(sql, values, in: self)
  }

  /// Runs one statement to its end.
  public func run(_ sql: String, _ values: [SQLValue] = []) throws {
    let statement = try prepare(sql, values)
    while try statement.step() {}
  }

  /// Runs a script of statements without values.
  public func execute(_ script: String) throws {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
  }

  /// What `row` makes of each row.
  public func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ row: (Statement) throws -> Row
  ) throws -> [Row] {
    let statement = try prepare(sql, values)
    var rows: [Row] = []
    while try statement.step() { rows.append(try row(statement)) }
    return rows
  }

  /// The number in the first column of the first row; nil without one.
  public func number(_ sql: String, _ values: [SQLValue] = []) throws -> Int? {
    try rows(sql, values) { $0.isNull(0) ? nil : $0.integer(0) }.first ?? nil
  }

  /// The row that was inserted last.
  public var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Runs `body` as a whole or not at all, and alone: others that want to write wait from the beginning.
  public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Runs `body` on one state of the database, whatever others write meanwhile.
  public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    defer { try? execute("COMMIT") }
    return try body()
  }
}
