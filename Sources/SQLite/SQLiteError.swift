import CSQLite

/// What SQLite refused, for people.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The primary result code, as `SQLITE_BUSY`.
  public let code: Int32
  /// What is wrong; one line, without the file's name.
  public let description: String

  init(_ code: Int32, _ handle: OpaquePointer?) {
    self.code = code & 0xFF
    description =
      switch self.code {
      case SQLITE_BUSY, SQLITE_LOCKED: "is in use by another program for too long; try again"
      case SQLITE_FULL: "the disk is full; free some space and run again"
      case SQLITE_IOERR: "the disk reports an error; check it"
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
        "cannot be opened or written; check its name and its permissions"
      case SQLITE_NOTADB: "is no database of skin records; name another file"
      case SQLITE_CORRUPT: "is damaged; take it from a backup"
      case SQLITE_TOOBIG: "a picture is larger than the database can hold; use smaller ones"
      default: handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "fails with code \(code)"
      }
  }
}
