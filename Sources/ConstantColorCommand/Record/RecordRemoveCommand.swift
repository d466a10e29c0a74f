import Development
import SkinRecord

/// `constant-color record remove`: takes records away for good.
enum RecordRemoveCommand: Command {
  static let name = "record remove"
  static let summary =
    "Removes records, with their pictures, for good: by their numbers, or all of a subject, "
    + "or of a site."
  static let operands = "[N]..."
  static let options = [
    OptionSpecification.database, .subject("Removes everything of this subject; with --site, of that site."),
    .site("Only this site of the subject's."),
    OptionSpecification("--yes", nil, "Needed to remove a whole subject or site."),
    OptionSpecification("--quiet", nil, "Prints nothing but errors."),
  ]
  static let footer = """
    example: constant-color record remove 17

    What records took in the database is overwritten with zeros. Copies and backups are not touched.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let (subject, site) = (try arguments.subject, try arguments.site)
    let ids = try arguments.operands.map { word in
      guard let id = Int(word), id > 0 else {
        throw UsageError("'record remove' takes numbers of records, not '\(word)'; 'record list' shows them")
      }
      return id
    }
    guard ids.isEmpty != (subject == nil) else {
      throw UsageError("'record remove' takes numbers of records, or --subject; give one of the two")
    }
    if subject == nil, site != nil { throw UsageError("'--site' needs '--subject'; give the person's code, too") }
    let store = try arguments.store()
    let known = try store.records(subject: subject, site: site).map(\.id)
    if subject != nil {
      guard !known.isEmpty else {
        throw InputError(
          "there is nothing of that subject; 'record list' shows what "
            + "there is")
      }
      guard arguments.has("--yes") else {
        throw UsageError(
          "that removes \(known.count) \(known.count == 1 ? "record" : "records") for good; give "
            + "--yes if you mean it")
      }
    }
    if let missing = ids.first(where: { !known.contains($0) }) {
      throw InputError("there is no record \(missing); 'record list' shows what there is. Nothing was removed")
    }
    let count = try store.remove(ids: subject == nil ? ids : known)
    if !arguments.has("--quiet") { printLine("\(count) \(count == 1 ? "record" : "records") removed") }
    return .done
  }
}

/// `constant-color record check`: whether everything is there, and right.
enum RecordCheckCommand: Command {
  static let name = "record check"
  static let summary =
    "Makes sure that the database is whole: every record with its numbers and pictures, every picture as it was "
    + "stored, nothing left over."
  static let operands = ""
  static let options = [
    OptionSpecification.database, OptionSpecification("--quiet", nil, "Prints nothing but errors."),
  ]
  static let footer = "Exit status: 0 nothing is wrong, 1 something is, which is told line by line, 2 no database."

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try arguments.refuseOperands()
    let store = try arguments.store()
    let problems = try store.problems()
    for problem in problems { printError("\(store.path): \(problem)") }
    guard problems.isEmpty else { return .failed }
    if !arguments.has("--quiet") {
      let count = try store.count
      printLine("\(store.path): nothing is wrong with \(count) \(count == 1 ? "record" : "records")")
    }
    return .done
  }
}
