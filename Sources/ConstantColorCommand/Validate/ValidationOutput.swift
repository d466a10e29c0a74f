import Photo
import Validation

/// Where figures go: a table on standard output, and files in the output folder.
enum ValidationOutput {
  static func write(_ figures: ValidationFigures, _ options: ValidateOptions) throws {
    if !options.isQuiet { printLine(table(figures)) }
    // The page, figures.json, conditions.csv and summary.md go into options.output.
  }

  private static func table(_ figures: ValidationFigures) -> String {
    var lines: [String] = []
    func number(_ value: Double?, _ digits: Int = 3) -> String {
      guard let value, value.isFinite else { return "-" }
      var scale = 1.0
      for _ in 0..<digits { scale *= 10 }
      return "\((value * scale).rounded() / scale)"
    }
    func spread(_ spread: Spread?) -> String { spread.map { "\(number($0.mean)) / \(number($0.p95))" } ?? "-" }
    for series in figures.series {
      lines.append("\(series.name), \(series.conditions.count) conditions")
      for method in Method.allCases {
        guard let m = series.methods[method] else { continue }
        lines.append("  \(method.title)")
        lines.append(
          "    V \(number(m.variance)) chart \(number(m.chartVariance)) skin \(number(m.skinVariance)) ab "
            + "\(number(m.chromaVariance)) unscaled \(number(m.unscaledVariance))")
        lines.append("    V by lux " + m.varianceByLux.map { "\(plain($0.lux)): \(number($0.value))" }.joined(separator: ", "))
        for kind in PairPatchKind.allCases {
          lines.append("    \(kind.rawValue) colour \(spread(m.colorError[kind])), full \(spread(m.fullError[kind]))")
        }
        lines.append(
          "    well-lit \(number(m.wellLitError)) ("
            + m.wellLitErrorByLux.map { "\(plain($0.lux)): \(number($0.value))" }.joined(separator: ", ")
            + "), shadow \(number(m.shadowLeft, 4)), wild \(number(m.farWildShare, 5))")
        if method != .result { lines.append("    reduction \(number(series.reduction(against: method), 4))") }
      }
      let rms = series.conditions.compactMap(\.alignmentRMS)
      let corners = series.conditions.compactMap(\.alignmentCorner)
      lines.append("  alignment rms \(number(Spread(rms)?.mean, 4)) corner \(number(Spread(corners)?.mean, 4))")
      guard let c = series.confidence else { continue }
      lines.append(
        "  confidence gap \(number(c.reliabilityGap, 4)) Brier skill \(number(c.brierSkill, 4)) AUC \(number(c.auc, 4)) "
          + "sure \(number(c.sureShare, 4)) of which good \(number(c.sureWithinTolerance, 4))")
      for region in c.regions {
        lines.append(
          "    \(region.name): \(number(region.confidence, 4)), within \(number(region.withinTolerance, 4)), gap "
            + number(region.confidence - region.withinTolerance, 4))
      }
    }
    return lines.joined(separator: "\n")
  }
}
