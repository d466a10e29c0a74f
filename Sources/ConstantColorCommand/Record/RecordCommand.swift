import Development
import Glibc
import Photo
import SkinRecord

/// `constant-color record`: the colour of skin over weeks.
enum RecordCommand: Command {
  static let name = "record"
  static let summary =
    "Keeps the colour of skin over weeks: measures it in pairs, with what the numbers are worth, and stores "
    + "them with the pictures."
  static let operands = "add|list|report|export|remove|check"
  static let operandKind = OperandKind.words(subcommands.map { $0.shortName })
  static let options: [OptionSpecification] = []
  static let subcommands: [any Command.Type] = [
    RecordAddCommand.self, RecordListCommand.self, RecordReportCommand.self, RecordExportCommand.self,
    RecordRemoveCommand.self, RecordCheckCommand.self,
  ]
  static let footer = """
    'constant-color record add --help' and so on tell more about each.

    example: constant-color record add --subject P-014 --site "left forearm" \
    --flash f.dng --ambient a.dng --profile p.json

    The database is one file, pictures included, that only its owner may read: --database, or constant-color/skin.db in
    $XDG_DATA_HOME (~/.local/share). Name people by codes: no names, and nothing of the photographs' place, owner and file names,
    is stored.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let names = subcommands.map { $0.shortName }
    throw UsageError("'record' takes one of \(names.joined(separator: ", ")); try 'constant-color record --help'")
  }
}

extension OptionSpecification {
  static let database = OptionSpecification(
    "--database", "FILE", "The database; default constant-color/skin.db in $XDG_DATA_HOME (~/.local/share).")

  static func subject(_ summary: String) -> OptionSpecification { OptionSpecification("--subject", "CODE", summary) }
  static func site(_ summary: String) -> OptionSpecification { OptionSpecification("--site", "NAME", summary) }
}

extension Arguments {
  /// The subject's code; nil where it was not given.
  var subject: String? {
    get throws {
      guard let text = value("--subject") else { return nil }
      guard RecordName.isSubject(text) else {
        throw UsageError(
          "'--subject' takes a code of up to 64 letters, digits, '-', '_' and '.', such as P-014, and no name "
            + "of a person")
      }
      return text
    }
  }

  /// The site's name; nil where it was not given.
  var site: String? {
    get throws {
      guard let text = value("--site") else { return nil }
      guard RecordName.isSite(text) else {
        throw UsageError("'--site' takes a name of up to 64 characters, such as \"left forearm\"")
      }
      return text
    }
  }

  /// A whole number of a series; nil where it was not given.
  var series: Int? { get throws { try wholeNumber("--series", in: 1...1_000_000) } }

  /// Nothing may stand beside the options.
  func refuseOperands() throws {
    if let word = operands.first { throw UsageError("'\(word)' is not expected; see --help") }
  }

  /// The database. What is written from here on is for the user alone.
  ///
  /// - Parameter creates: makes it where it is missing.
  func store(creates: Bool = false) throws -> RecordStore {
    umask(0o077)
    let given = value("--database")
    if let given, given.isEmpty { throw UsageError("'--database' is missing; name a file") }
    let path = try given ?? Self.usualDatabase(creates: creates)
    return try asInput { try RecordStore(path, creates: creates) }
  }

  private static func usualDatabase(creates: Bool) throws -> String {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let base = variable("XDG_DATA_HOME") ?? variable("HOME").map({ $0 + "/.local/share" }) else {
      throw UsageError("'--database' is missing; name a file")
    }
    let folder = base + "/constant-color"
    if creates {
      // XDG Base Directory Specification: with mode 0700 where it is missing.
      for part in [variable("HOME").map { $0 + "/.local" }, base, folder].compactMap(\.self) { mkdir(part, 0o700) }
    }
    return folder + "/skin.db"
  }
}

/// Writes a text for the user alone, whole or not at all; "-" is standard output.
func writePrivately(_ text: String, to path: String) throws {
  guard path != "-" else { return write(text, to: STDOUT_FILENO) }
  // What stands there already keeps its permissions otherwise.
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() { chmod(path, 0o600) }
  try ByteFile.write(Array(text.utf8), to: path)
}
