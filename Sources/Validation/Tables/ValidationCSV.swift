import ColorScience
import TextOutput

/// The figures as comma-separated values (RFC 4180): lines end with CR LF, an unknown value is empty.
public enum ValidationCSV {
  /// One row a pair, in the order of the figures. Errors are ΔE₀₀ at the truth's luminance; lux, cct (K), duv (CIE 1960 uv) and
  /// tint are the room's light; confidences and shares are 0...1; alignment is in pixels.
  public static func conditions(_ figures: ValidationFigures) -> String {
    var lines = [conditionHeads]
    for series in figures.series {
      for condition in series.conditions {
        var row = [series.name, condition.id, number(condition.lux), number(condition.cct), number(condition.duv)]
        row.append(condition.tint ?? "")
        for kind in [PairPatchKind.chart, .skin, .object, .far] {
          row += Method.allCases.map { number(condition.error(of: $0, kind)) }
        }
        let rest = [
          condition.wellLitError, condition.meanConfidence, condition.centerWeightedMeanConfidence,
          condition.withinTolerance, condition.auc, condition.alignmentRMS, condition.alignmentCorner,
          condition.shadowLeft, condition.exposureRatioError, condition.seconds,
        ]
        lines.append(row + rest.map(number))
      }
    }
    return CSV.text(lines)
  }

  private static let conditionHeads: [String] =
    ["series", "pair", "lux", "cct", "duv", "tint"]
    + [PairPatchKind.chart, .skin, .object, .far].flatMap { kind in
      Method.allCases.map { "\(kind.rawValue)_error_\($0.rawValue)" }
    }
    + [
      "well_lit_error", "mean_confidence", "center_weighted_mean_confidence", "within_tolerance", "auc",
      "alignment_rms", "alignment_corner", "shadow_left", "exposure_ratio_error", "seconds",
    ]

  /// One row a pair and patch. Colours are CIELAB under D65 (2° observer, white Y = 1): the truth, and what each picture
  /// shows after its one scale; errors are ΔE₀₀ at the truth's luminance, and of the result with lightness.
  public static func patches(_ figures: ValidationFigures) -> String {
    var lines = [patchHeads]
    for series in figures.series {
      for condition in series.conditions {
        for patch in condition.patches {
          var row = [series.name, condition.id, patch.name, patch.kind.rawValue] + lab(patch.truth)
          for method in Method.allCases {
            row += lab(patch.shown[method]) + [number(patch.colorError(of: method))]
          }
          lines.append(row + [number(patch.fullError), number(patch.confidence)])
        }
      }
    }
    return CSV.text(lines)
  }

  private static let patchHeads: [String] =
    ["series", "pair", "patch", "kind", "truth_L", "truth_a", "truth_b"]
    + Method.allCases.flatMap { method in ["L", "a", "b", "error"].map { "\(method.rawValue)_\($0)" } }
    + ["result_full_error", "result_confidence"]

  private static func lab(_ color: XYZ?) -> [String] {
    guard let color else { return ["", "", ""] }
    let lab = Lab(color)
    return [lab.lightness, lab.a, lab.b].map { decimal($0, 3, unknown: "") }
  }

  private static func number(_ value: Double?) -> String { decimal(value, 5, unknown: "") }
}
