import Development
import SkinRecord
import TextOutput

/// `constant-color record list`: what there is.
enum RecordListCommand: Command {
  static let name = "record list"
  static let summary = "Lists the records: all, or those of a subject, a site, a series."
  static let operands = ""
  static let options = [
    OptionSpecification.database, .subject("Only this subject's."), .site("Only this site's."),
    OptionSpecification("--series", "N", "Only this series of each site."),
    OptionSpecification(
      "--format", "text|csv|json",
      "How: text (default), csv with every number, or json with "
        + "everything."),
  ]

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try arguments.refuseOperands()
    let format: ListFormat = try arguments.choice("--format") ?? .text
    let (subject, site, series) = (try arguments.subject, try arguments.site, try arguments.series)
    let records = try arguments.store().records(subject: subject, site: site, series: series)
    let table = RecordTable(records)
    switch format {
    case .csv: write(table.csv, to: 1)
    case .json: printLine(table.json.text())
    case .text:
      guard !records.isEmpty else {
        printLine("no records")
        return .done
      }
      for history in table.histories { printLine(text(history)) }
    }
    return .done
  }

  private enum ListFormat: String, CaseIterable { case text, csv, json }

  private static func text(_ history: SeriesHistory) -> String {
    guard let first = history.records.first else { return "" }
    var lines = ["\(first.subject), \(first.site), series \(first.series)"]
    for record in history.records {
      lines.append(
        "  \(leftAligned("\(record.id)", 5)) \(record.taken)  confidence \(decimal(record.confidence, 2))"
          + (record.isBelowThreshold ? ", below the threshold" : ""))
      for region in record.regions {
        let values = region.measurements.compactMap { measurement -> String? in
          guard let value = measurement.value, let margin = history.margin(measurement, in: region.name) else {
            return nil
          }
          let unit = measurement.quantity.unit
          return "\(measurement.quantity.symbol) \(decimal(value, 1)) ± \(decimal(margin.total, 1))\(unit)"
        }
        lines.append("        \(region.name): " + (values.isEmpty ? unknownText : values.joined(separator: ", ")))
      }
    }
    return lines.joined(separator: "\n")
  }
}
