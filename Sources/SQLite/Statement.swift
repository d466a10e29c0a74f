import CSQLite

/// A compiled statement with its values, and the rows that it gives one after the other.
public final class Statement {
  private let pointer: OpaquePointer
  /// Kept alive by its statements.
  private let database: Database

  init(_ sql: String, _ values: [SQLValue], in database: Database) throws {
    var pointer: OpaquePointer?
    let code = sqlite3_prepare_v2(database.handle, sql, -1, &pointer, nil)
    guard code == SQLITE_OK, let pointer else { throw SQLiteError(code, database.handle) }
    self.pointer = pointer
    self.database = database
    for (place, value) in values.enumerated() {
      let index = Int32(place + 1)
      let code =
        switch value {
        case .null: sqlite3_bind_null(pointer, index)
        case .integer(let number): sqlite3_bind_int64(pointer, index, Int64(number))
        case .real(let number):
          number.isFinite ? sqlite3_bind_double(pointer, index, number) : sqlite3_bind_null(pointer, index)
        case .text(let text): csqlite_bind_text(pointer, index, text, Int32(clamping: text.utf8.count))
        case .blob(let bytes):
          bytes.withUnsafeBytes { csqlite_bind_blob(pointer, index, $0.baseAddress, UInt64($0.count)) }
        }
      guard code == SQLITE_OK else { throw SQLiteError(code, database.handle) }
    }
  }

  deinit { sqlite3_finalize(pointer) }

  /// Goes to the next row; false after the last.
  public func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(code, database.handle)
    }
  }

  /// Whether a column of the row is unknown. Columns are counted from 0.
  public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  /// A column as a whole number.
  public func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(pointer, column)) }

  /// A column as a number; nil where it is unknown.
  public func real(_ column: Int32) -> Double? { isNull(column) ? nil : sqlite3_column_double(pointer, column) }

  /// A column as text; nil where it is unknown.
  public func text(_ column: Int32) -> String? {
    sqlite3_column_text(pointer, column).map { String(cString: $0) }
  }

  /// A column as bytes; empty where it is unknown.
  public func blob(_ column: Int32) -> [UInt8] {
    // The bytes first: asking for the length must not convert them.
    guard let bytes = sqlite3_column_blob(pointer, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(pointer, column))))
  }
}
