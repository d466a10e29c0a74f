import Glibc
import JSONValue
import Photo
import TextOutput

/// What became of a series: every pair, and every file that is in none.
struct SeriesReport {
  /// A pair.
  struct Row {
    let pair: PhotoPair
    /// Nil where it was not begun.
    let outcome: PairOutcome?
    /// The report of its development; null where there is none.
    let report: JSON

    var status: String { outcome?.status.rawValue ?? "pending" }
    var confidence: Double? { report["centerWeightedMeanConfidence"].double }
    var findings: [JSON] { report["findings"].elements ?? [] }
  }

  let rows: [Row]
  let unpaired: [UnpairedFile]
  private let files: SeriesFiles
  private let input: String

  init(_ run: SeriesRun) {
    let files = run.options.files
    rows = run.found.pairs.map { pair in
      let outcome = run.outcomes[pair.name]
      let hasReport = outcome.map { $0.status != .failed } ?? false
      let bytes =
        hasReport
        ? try? ByteFile.read("\(files.folder)/\(files.report(pair.name))", as: "a report", atMost: 1 << 24) : nil
      return Row(pair: pair, outcome: outcome, report: bytes.flatMap { try? JSON(parsing: $0) } ?? .null)
    }
    unpaired = run.found.unpaired
    self.files = files
    input = run.options.input ?? run.options.manifest ?? ""
  }

  func count(_ status: PairOutcome.Status) -> Int { rows.count { $0.outcome?.status == status } }
  var pending: Int { rows.count { $0.outcome == nil } }
  /// Files that were meant to be in a pair.
  var meant: [UnpairedFile] { unpaired.filter(\.kind.isFailure) }

  /// What the command's exit status is: a failure counts more than a retake.
  var status: ExitStatus {
    if count(.failed) > 0 || !meant.isEmpty { return .failed }
    return count(.retake) > 0 ? .retake : .done
  }

  /// One line for people.
  var summary: String {
    var parts = ["\(count(.done)) done"]
    if count(.retake) > 0 { parts.append("\(count(.retake)) to be taken again") }
    if count(.failed) > 0 { parts.append("\(count(.failed)) failed") }
    if pending > 0 { parts.append("\(pending) not begun") }
    if !unpaired.isEmpty { parts.append("\(unpaired.count) files in no pair") }
    return "\(rows.count) pairs: " + parts.joined(separator: ", ")
  }

  /// Writes `report.json`, `report.csv` and the contact sheet; each whole or not at all. Throws `PhotoError`.
  func write() throws {
    try ByteFile.write(Array((json.text() + "\n").utf8), to: files.folder + "/report.json")
    try ByteFile.write(Array(csv.utf8), to: files.folder + "/report.csv")
    try ContactSheet(self, files).write()
  }

  // MARK: as JSON

  var json: JSON {
    .object([
      "version": .string(version), "input": .string(input), "output": .string(files.folder),
      "summary": .object([
        "pairs": .integer(rows.count), "done": .integer(count(.done)), "retake": .integer(count(.retake)),
        "failed": .integer(count(.failed)), "pending": .integer(pending), "unpaired": .integer(unpaired.count),
      ]),
      "pairs": .array(rows.map(json)),
      "unpaired": .array(
        unpaired.map {
          .object(["path": .string($0.path), "kind": .string($0.kind.rawValue), "reason": .string($0.reason)])
        }),
    ])
  }

  private func json(_ row: Row) -> JSON {
    let (pair, report) = (row.pair, row.report)
    let isThere = row.report != .null
    return .object([
      "name": .string(pair.name), "status": .string(row.status), "flash": .string(pair.flash),
      "ambient": .array(pair.ambients.map { .string($0) }), "pairedBy": .string(pair.source.rawValue),
      "result": JSON(isThere ? files.result(pair.name) : nil),
      "confidence": JSON(isThere ? files.confidence(pair.name) : nil),
      "fallback": JSON(isThere && files.hasFallback ? files.fallback(pair.name) : nil),
      "report": JSON(isThere ? files.report(pair.name) : nil),
      "centerWeightedMeanConfidence": report["centerWeightedMeanConfidence"],
      "meanConfidence": report["meanConfidence"], "belowThreshold": report["belowThreshold"],
      "exposureRatio": report["exposureRatio"], "exposureRatioSource": report["exposureRatioSource"],
      "alignment": report["alignment"], "clippedFraction": report["clippedFraction"],
      "findings": .array(row.findings), "message": JSON(row.outcome?.message),
      "seconds": JSON(row.outcome?.seconds),
    ])
  }

  // MARK: as a table

  /// One row a pair, then one a file that was meant to be in one. Paths of results are relative to the folder.
  var csv: String {
    var lines = [Self.heads]
    for row in rows {
      let (pair, report) = (row.pair, row.report)
      let isThere = report != .null
      let alignment = report["alignment"]
      var line = [pair.name, row.status, pair.flash, pair.ambients.joined(separator: ";"), "\(pair.ambients.count)"]
      line +=
        isThere
        ? [files.result(pair.name), files.confidence(pair.name), files.report(pair.name)] : ["", "", ""]
      line += [number(row.confidence), number(report["meanConfidence"].double)]
      line += [number(report["exposureRatio"].double), report["exposureRatioSource"].string ?? ""]
      line += [alignment["model"].string ?? "", number(alignment["residual"].double)]
      line += [number(alignment["overlap"].double), number(report["clippedFraction"].double)]
      line.append(row.findings.compactMap { $0["kind"].string }.joined(separator: ";"))
      line += [row.outcome?.message ?? "", number(row.outcome?.seconds)]
      lines.append(line)
    }
    for file in meant {
      var line = [String](repeating: "", count: Self.heads.count)
      (line[1], line[2], line[17]) = ("unpaired", file.path, file.reason)
      lines.append(line)
    }
    return CSV.text(lines)
  }

  private static let heads = [
    "name", "status", "flash", "ambient", "ambient_frames", "result", "confidence", "report",
    "center_weighted_mean_confidence", "mean_confidence", "exposure_ratio", "exposure_ratio_source", "alignment",
    "alignment_residual", "overlap", "clipped_fraction", "findings", "message", "seconds",
  ]

  private func number(_ value: Double?) -> String { decimal(value, 5, unknown: "") }
}
