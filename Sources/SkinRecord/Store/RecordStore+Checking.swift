import Glibc
import Photo
import SQLite

/// Whether everything is there, and right.
extension RecordStore {
  /// What is wrong, a line each; empty where nothing is.
  ///
  /// SQLite's own check of the file and of references; every record has its regions with one measurement of each quantity,
  /// its picture and its map; pictures have the checksums that they were stored with; nothing is left without an owner;
  /// only the owner may read the file.
  public func problems() throws -> [String] {
    try work {
      var problems = try database.snapshot {
        var problems = try database.rows("PRAGMA integrity_check(100)") { $0.text(0) ?? "" }.filter { $0 != "ok" }
        problems += try database.rows("PRAGMA foreign_key_check") { row in
          "table \(row.text(0) ?? ""), row \(row.integer(1)): belongs to nothing"
        }
        // What is damaged there need not be read again.
        return try problems.isEmpty ? incompleteRecords() + emptyOwners() : problems
      }
      // Pictures one by one: others want to write meanwhile.
      if problems.isEmpty { problems += try damagedPictures() }
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
        problems.append("the file can be read by other users; run chmod 600 on it")
      }
      return problems
    }
  }

  private func incompleteRecords() throws -> [String] {
    let counts = try database.rows(
      """
      SELECT id, (SELECT count(*) FROM pictures WHERE record = records.id),
        (SELECT count(*) FROM regions WHERE record = records.id),
        (SELECT count(*) FROM measurements JOIN regions ON region = regions.id
          WHERE record = records.id AND \(Self.isSound))
      FROM records
      """
    ) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.integer(3)) }
    return counts.flatMap { id, pictures, regions, measurements -> [String] in
      var problems: [String] = []
      if pictures != StoredPicture.Kind.allCases.count { problems.append("record \(id): a picture is missing") }
      if regions == 0 { problems.append("record \(id): has no region") }
      if measurements != regions * Quantity.allCases.count {
        problems.append("record \(id): a measurement is missing")
      }
      return problems
    }
  }

  private func damagedPictures() throws -> [String] {
    // One at a time: all of them may be more than there is memory.
    let ids = try database.rows("SELECT id FROM pictures") { $0.integer(0) }
    return try ids.flatMap { id in
      try database.rows("SELECT record, kind, size, sha256, bytes FROM pictures WHERE id = ?", [.integer(id)]) { row in
        let bytes = row.blob(4)
        return bytes.count == row.integer(2) && Checksum.of(bytes) == row.text(3)
          ? nil : "record \(row.integer(0)): the \(row.text(1) ?? "") is not what was stored; take it from a backup"
      }.compactMap(\.self)
    }
  }

  private func emptyOwners() throws -> [String] {
    let count = try database.number(
      """
      SELECT (SELECT count(*) FROM series WHERE id NOT IN (SELECT series FROM records))
        + (SELECT count(*) FROM sites WHERE id NOT IN (SELECT site FROM series))
        + (SELECT count(*) FROM subjects WHERE id NOT IN (SELECT subject FROM sites))
      """)
    return (count ?? 0) > 0 ? ["\(count ?? 0) subjects, sites or series without a record"] : []
  }
}
