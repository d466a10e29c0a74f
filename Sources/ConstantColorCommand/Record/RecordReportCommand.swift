import Development
import Photo
import SkinRecord

/// `constant-color record report`: one site over time.
enum RecordReportCommand: Command {
  static let name = "record report"
  static let summary = "Shows one site over time: plots and tables with margins, from trusted pixels only."
  static let operands = "--subject CODE --site NAME --output FILE"
  static let options = [
    OptionSpecification.database, .subject("Whose."), .site("Which site."),
    OptionSpecification("--series", "N", "Which series; default the newest: series are never mixed."),
    OptionSpecification("--output", "FILE", "A page (.html), a table (.csv) or data (.json); - prints the table."),
  ]
  static let footer = """
    example: constant-color record report --subject P-014 --site "left forearm" --output forearm.html

    The page needs nothing beside it, and no network. The file is for its owner alone.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try arguments.refuseOperands()
    guard let subject = try arguments.subject else {
      throw UsageError(
        "'--subject' is missing; give the "
          + "person's code")
    }
    guard let site = try arguments.site else { throw UsageError("'--site' is missing; 'record list' shows them") }
    let output = try arguments.file("--output")
    let kind = output == "-" ? "csv" : fileExtension(output)
    guard ["html", "htm", "csv", "json"].contains(kind) else {
      throw UsageError("\(output): a report is a page (.html), a table (.csv) or data (.json); name it so")
    }
    try checkWritable(output)
    try checkDistinct(inputs: [arguments.value("--database")].compactMap(\.self), outputs: [output])
    let series = try arguments.series
    let all = try arguments.store().records(subject: subject, site: site)
    guard let newest = all.map(\.series).max() else {
      throw InputError("subject \(subject), site \(site): has no records; 'record list' shows what there is")
    }
    let records = all.filter { $0.series == series ?? newest }
    guard !records.isEmpty else {
      throw InputError("subject \(subject), site \(site): has no series \(series ?? newest), only up to \(newest)")
    }
    let table = RecordTable(records)
    let text =
      switch kind {
      case "csv": table.csv
      case "json": table.json.text() + "\n"
      default: SkinReportPage(SeriesHistory(records), seriesCount: newest).html
      }
    try writePrivately(text, to: output)
    return .done
  }
}
