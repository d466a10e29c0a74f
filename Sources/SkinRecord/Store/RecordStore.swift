import Glibc
import Photo
import SQLite

/// A database of skin records: one file, pictures included.
///
/// Pictures are in the database and not beside it, so that one transaction holds a record and everything that belongs to it:
/// there is no moment at which half of one exists, no picture without a record, none that stays when its record is
/// removed, and a copy of one file is a whole copy. SQLite's rollback journal is used rather than its write-ahead log: it
/// works on network drives, leaves no second file with contents between uses, and does not write each picture twice.
public final class RecordStore {
  /// The file.
  public let path: String
  let database: Database

  /// Opens a database; makes it where `creates` asks for it, for the user alone. Throws `PhotoError`.
  public init(_ path: String, creates: Bool = false) throws {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else { throw PhotoError(path, "is no file name; name a database") }
    if creates { try Self.create(path) }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw PhotoError(path, "there is no such database; 'constant-color record add' makes one")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw PhotoError(path, "is no file; name a database") }
    // For no eyes but the owner's, however it came here.
    if status.st_mode & 0o077 != 0, status.st_uid == geteuid() { chmod(path, 0o600) }
    do {
      database = try Database(path)
      try Self.prepare(database, path)
    } catch let error as SQLiteError { throw PhotoError(path, error.description) }
  }

  /// Makes an empty file that only its owner may read, unless there is one.
  private static func create(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      let number = errno
      if number == EISDIR { throw PhotoError(path, "is a folder; name a file in it") }
      if number == ENOENT { throw PhotoError(path, "the folder around it does not exist; create that first") }
      throw PhotoError(path, "cannot be made or opened: \(String(cString: strerror(number))); choose another place")
    }
    close(descriptor)
  }

  private static func prepare(_ database: Database, _ path: String) throws {
    // EXTRA also waits for the folder once the journal is gone: what was reported as added survives a power failure.
    try database.execute(
      """
      PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; PRAGMA synchronous = EXTRA;
      PRAGMA cell_size_check = ON;
      """)
    func version() throws -> Int { try database.number("PRAGMA user_version") ?? 0 }
    // At one moment: another program may be making it.
    let isOurs = try database.snapshot {
      let id = try database.number("PRAGMA application_id") ?? 0
      if id == Schema.applicationID { return true }
      return try id == 0 && version() == 0 && database.number("SELECT count(*) FROM sqlite_schema") == 0
    }
    guard isOurs, try version() >= 0 else {
      throw PhotoError(path, "is no database of skin records; name another file")
    }
    guard try version() <= Schema.migrations.count else {
      throw PhotoError(path, "was made by a newer constant-color; use that")
    }
    guard try version() < Schema.migrations.count else {
      // A view of another's making could compute for ever, and a trigger do what nobody asked for.
      guard try Schema.statements().isSuperset(of: Schema.statements(of: database)) else {
        throw PhotoError(path, "has tables, views or triggers that this program did not make; name another file")
      }
      // A program that was killed before it changed anything leaves a journal that SQLite rightly ignores; whoever writes takes
      // it away.
      if access(path + "-journal", F_OK) == 0 {
        try database.transaction { try database.execute("PRAGMA user_version = \(Schema.migrations.count)") }
      }
      return
    }
    try database.transaction {
      // Others may have done it meanwhile.
      for number in stride(from: try version(), to: Schema.migrations.count, by: 1) {
        try database.execute(Schema.migrations[number])
        try database.execute("PRAGMA user_version = \(number + 1)")
      }
      try database.execute("PRAGMA application_id = \(Schema.applicationID)")
    }
  }

  /// Runs `body`; what the database refuses names the file.
  func work<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError { throw PhotoError(path, error.description) }
  }
}
