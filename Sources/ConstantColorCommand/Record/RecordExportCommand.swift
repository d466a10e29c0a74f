import Development
import Glibc
import Photo
import SkinRecord

/// `constant-color record export`: everything, for other programs.
enum RecordExportCommand: Command {
  static let name = "record export"
  static let summary =
    "Writes records for other programs: a folder with tables, data and every picture; or a table (.csv), data "
    + "(.json) or a copy of the database (.db) alone."
  static let operands = "DIR|FILE"
  static let operandKind = OperandKind.folders
  static let options = [
    OptionSpecification.database, .subject("Only this subject's."), .site("Only this site's."),
    OptionSpecification("--quiet", nil, "Prints nothing but errors."),
  ]
  static let footer = """
    example: constant-color record export study-2026

    The folder must be new or empty. It holds records.csv (a row a region), records.json (everything but the pictures), and
    N_picture.png and N_confidence.png of each record N. Folders and files are for their owner alone.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands.count == 1, let target = arguments.operands.first, !target.isEmpty else {
      throw UsageError("'record export' takes one folder or file: constant-color record export DIR")
    }
    let (subject, site) = (try arguments.subject, try arguments.site)
    let kind = fileExtension(target)
    let isFile = ["csv", "json", "db", "sqlite"].contains(kind)
    try checkDistinct(inputs: [arguments.value("--database")].compactMap(\.self), outputs: isFile ? [target] : [])
    if isFile { try checkWritable(target) }
    let store = try arguments.store()
    if kind == "db" || kind == "sqlite" {
      guard subject == nil, site == nil else {
        throw UsageError("\(target): a copy of the database holds all records; leave out --subject and --site")
      }
      guard access(target, F_OK) != 0 else { throw InputError("\(target): is there already; name a new file") }
      try store.copy(to: target)
      return .done
    }
    let records = try store.records(subject: subject, site: site)
    let table = RecordTable(records)
    switch kind {
    case "csv": try writePrivately(table.csv, to: target)
    case "json": try writePrivately(table.json.text() + "\n", to: target)
    default: try export(records, table, store, to: target)
    }
    if !arguments.has("--quiet") {
      printLine(
        "\(target): \(records.count) "
          + "\(records.count == 1 ? "record" : "records")")
    }
    return .done
  }

  private static func export(
    _ records: [SkinRecord], _ table: RecordTable, _ store: RecordStore, to folder: String
  ) throws {
    try makeFolder(folder)
    guard let names = Folder.names(in: folder) else {
      throw InputError("\(folder): cannot be read; name another folder")
    }
    guard names.isEmpty else { throw InputError("\(folder): the folder is not empty; name a new one") }
    chmod(folder, 0o700)
    for record in records {
      for kind in StoredPicture.Kind.allCases {
        guard let picture = try store.picture(kind, of: record.id) else {
          throw PhotoError(store.path, "record \(record.id) lacks its \(kind.rawValue); run 'record check'")
        }
        try ByteFile.write(picture.bytes, to: "\(folder)/\(record.id)_\(kind.rawValue).\(picture.format)")
      }
    }
    try writePrivately(table.json.text() + "\n", to: folder + "/records.json")
    // Last: where it is, everything is.
    try writePrivately(table.csv, to: folder + "/records.csv")
  }
}
