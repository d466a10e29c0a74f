import Development
import GEGL
import JSONValue
import Photo
import SkinRecord
import TextOutput

/// `constant-color record add`: one capture.
enum RecordAddCommand: Command {
  static let name = "record add"
  static let summary =
    "Measures the skin in a pair and stores the numbers with the picture and its confidence map; asks for new "
    + "photographs where they cannot be trusted."
  static let operands = "--subject CODE --site NAME --flash F --ambient A"
  static let options = RecordAddOptions.specifications
  static let footer = """
    example: constant-color record add --subject P-014 --site "left forearm" --flash f.dng --ambient a.dng \
    --profile p.json --region rash=820,640,200,200

    a*, hue angle and erythema index (100 log10(R/G), computed from colour and not from narrow-band reflectance) need nothing
    but the pair. L* and ITA need --grey, or --distance with --exposure fixed: 5 % of distance would move ITA by about 5 degrees.
    Without them a* and b* are told at L* 60. The margins hold the truth in 95 of 100 cases.

    All records of a series have the same profile, chart, exposure mode and lightness reference; others are refused.

    Exit status: 0 added, 1 failed, 2 wrong usage, unreadable input or another series, 3 below the threshold: take the
    photographs again; nothing was added, unless --keep was given.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try ChildProcess.endWithParent()
    Interruption.cancels()
    let options = try RecordAddOptions(arguments)
    try options.running.startLibrary()
    let bar = ProgressBar(isWanted: options.running.progress)
    defer { bar.clear() }
    let (request, subject, site) = (options.request, options.request.subject, options.request.site)

    let (capture, messages) = try Messages.capture { try SkinCapture(request) }
    // Not before: what cannot be read leaves no database behind.
    let store = try arguments.store(creates: true)
    if !options.startsSeries {
      // Sooner than after all the work; it is checked again when the record is added.
      do { try store.check(capture.identity, subject: subject, site: site) } catch let error as SeriesError {
        throw InputError(error)
      }
    }
    let ((measured, advice), later) = try Messages.capture { try capture.run(progress: bar.show) }
    var record = measured
    let isAdded = advice.isEmpty || options.keeps
    if isAdded {
      let pictures = try capture.pictures(in: AtomicFile.folder(of: store.path), progress: bar.show)
      do { record = try store.add(record, pictures, newSeries: options.startsSeries) } catch let error as SeriesError {
        throw InputError(error)
      }
    }
    bar.clear()
    let history = SeriesHistory(
      isAdded ? try store.records(subject: subject, site: site, series: record.series) : [record])
    if let report = options.report {
      try writePrivately(json(record, history, advice, isAdded).text() + "\n", to: report)
    }
    if !options.running.isQuiet {
      printRemarks(
        findings: capture.findings, notes: capture.notes, messages: messages + later,
        isVerbose: options.running.isVerbose)
      if options.report != "-" { printLine(summary(record, history, isAdded)) }
    }
    guard !advice.isEmpty else { return .done }
    for item in advice { printError("take the photographs again: \(item.message)") }
    if !isAdded { printError("nothing was added; --keep adds it all the same") }
    return .retake
  }

  private static func summary(_ record: SkinRecord, _ history: SeriesHistory, _ isAdded: Bool) -> String {
    let place = "\(record.subject), \(record.site)"
    let count = history.records.count
    let head =
      isAdded
      ? "\(place): record \(record.id), \(count == 1 ? "the first" : "one of \(count)") of series \(record.series)"
      : "\(place): not added"
    let confidence =
      "confidence \(decimal(record.confidence, 2))"
      + (record.isBelowThreshold ? ", below \(decimal(record.threshold, 2))" : "")
    return (["\(head), \(confidence)"] + history.summary(of: record)).joined(separator: "\n")
  }

  private static func json(
    _ record: SkinRecord, _ history: SeriesHistory, _ advice: [RetakeAdvice], _ isAdded: Bool
  ) -> JSON {
    guard case .object(let members) = RecordTable([record]).json(record, in: history) else { return .null }
    let head = [
      JSON.Member("added", .bool(isAdded)), JSON.Member("retake", .bool(!advice.isEmpty)),
      JSON.Member(
        "advice",
        .array(advice.map { .object(["kind": .string($0.kind.rawValue), "message": .string($0.message)]) })),
    ]
    // "added" tells whether, here, and not when.
    return .object(head + members.filter { $0.key != "added" })
  }
}
