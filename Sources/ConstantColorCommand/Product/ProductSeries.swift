import ColorScience
import JSONValue
import Photo
import TextOutput

/// All products of a series: their table, and how far they agree.
struct ProductSeries {
  private let options: ProductOptions
  private(set) var results: [ProductResult] = []

  init(_ options: ProductOptions) { self.options = options }

  mutating func add(_ result: ProductResult) { results.append(result) }

  private func count(_ verdict: ProductResult.Verdict) -> Int { results.count { $0.verdict == verdict } }

  /// What the command's exit status is: a failure counts more than the rest.
  var status: ExitStatus {
    if count(.failed) > 0 { return .failed }
    return results.allSatisfy { $0.verdict == .pass } ? .done : .retake
  }

  /// One line for people, and one for each swatch.
  var summary: String {
    let counts = ProductResult.Verdict.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }
    let head = "\(results.count) products: " + counts.map { "\($0.1) \($0.0.rawValue)" }.joined(separator: ", ")
    let lines = agreements.map { agreement in
      "\(agreement.name): ΔE00 \(decimal(agreement.difference, 2)) from its reference, \(decimal(agreement.spread, 2)) from its mean "
        + "over \(agreement.count) pictures"
    }
    return ([head + "; see \(options.files.folder)/report.csv"] + lines).joined(separator: "\n")
  }

  // MARK: agreement

  /// How a swatch looks over the series.
  private struct Agreement {
    var name: String
    /// In how many pictures it was measured.
    var count: Int
    /// The mean ΔE00 from the reference, and from the mean of the series; the largest of the latter.
    var difference, spread, largest: Double
  }

  private var agreements: [Agreement] {
    options.swatches.compactMap { swatch in
      let measured = results.flatMap { $0.swatches.filter { $0.name == swatch.name } }
      let colors = measured.compactMap(\.color)
      guard !colors.isEmpty else { return nil }
      let count = Double(colors.count)
      let mean = colors.reduce(SIMD3<Double>.zero) { $0 + $1.vector } / count
      let center = Lab(mean.x, mean.y, mean.z)
      let off = colors.map { $0.ciede2000(to: center) }
      return Agreement(
        name: swatch.name, count: colors.count,
        difference: measured.compactMap(\.difference).reduce(0, +) / count, spread: off.reduce(0, +) / count,
        largest: off.max() ?? 0)
    }
  }

  // MARK: files

  /// Writes `report.csv` and `report.json`; each whole or not at all. Throws `PhotoError`.
  func write() throws {
    let folder = options.files.folder
    try ByteFile.write(Array((json.text() + "\n").utf8), to: folder + "/report.json")
    try ByteFile.write(Array(csv.utf8), to: folder + "/report.csv")
  }

  private var json: JSON {
    let files = options.files
    func summary() -> JSON {
      .object(ProductResult.Verdict.allCases.map { JSON.Member($0.rawValue, .integer(count($0))) })
    }
    func product(_ result: ProductResult) -> JSON {
      let name = result.pair.name
      guard case .object(let members) = result.json else { return .null }
      func file(_ path: String) -> JSON { JSON(result.hasFiles ? path : nil) }
      return .object(
        [
          JSON.Member("name", .string(name)), JSON.Member("flash", .string(result.pair.flash)),
          JSON.Member("ambient", .array(result.pair.ambients.map { .string($0) })),
          JSON.Member("result", file(files.result(name))),
          JSON.Member("confidenceMap", file(files.confidence(name))),
          JSON.Member("report", file(files.report(name))),
          JSON.Member("centerWeightedMeanConfidence", JSON(result.centerWeightedConfidence)),
          JSON.Member("findings", .array(result.findings.map { .string($0) })),
        ] + members)
    }
    return .object([
      "version": .string(version), "summary": summary(),
      "swatches": .array(
        agreements.map {
          .object([
            "name": .string($0.name), "pictures": .integer($0.count), "difference": .number($0.difference),
            "spread": .number($0.spread), "largestSpread": .number($0.largest),
          ])
        }),
      "products": .array(results.map(product)),
    ])
  }

  private var csv: String {
    let files = options.files
    func number(_ value: Double?) -> String { decimal(value, 5, unknown: "") }
    var lines = [
      [
        "name", "verdict", "reasons", "flash", "ambient", "result", "confidence_map", "report", "confidence",
        "center_weighted_mean_confidence", "gain", "light_uncertainty", "swatch_difference", "background_fraction",
        "uniformity_before", "uniformity_after", "unmeasurable_fraction", "findings",
      ]
    ]
    for result in results {
      let name = result.pair.name
      var line = [name, result.verdict.rawValue, result.reasons.joined(separator: "; ")]
      line += [result.pair.flash, result.pair.ambients.joined(separator: ";")]
      line += result.hasFiles ? [files.result(name), files.confidence(name), files.report(name)] : ["", "", ""]
      line += [number(result.confidence), number(result.centerWeightedConfidence), number(result.gain)]
      line += [number(result.lightError), number(result.difference), number(result.background)]
      line += [number(result.uniformity?.before), number(result.uniformity?.after), number(result.unmeasurable)]
      line.append(result.findings.joined(separator: ";"))
      lines.append(line)
    }
    return CSV.text(lines)
  }
}
