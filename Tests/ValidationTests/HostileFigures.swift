import ColorScience
import Validation

/// Figures as nobody wants them: nothing known, numbers that are none, names that are markup.
enum HostileFigures {
  static let name = "a<b>&\"c\", 'd' | *e*\n=f"

  static var all: [ValidationFigures] {
    [empty, ValidationFigures(version: "1", settings: [], tolerance: 3, series: [SeriesFigures(name: "")]), broken]
  }

  private static var empty: ValidationFigures { ValidationFigures(version: "", settings: [], tolerance: .nan) }

  static var broken: ValidationFigures {
    var series = SeriesFigures(name: name)
    for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, 1] {
      var condition = ConditionFigures(id: name)
      (condition.lux, condition.cct, condition.duv, condition.tint) = (value, value, value, name)
      condition.chartError = [.result: value, .ambient: value]
      condition.skinError = [.flash: value]
      (condition.wellLitError, condition.meanConfidence, condition.withinTolerance) = (value, value, value)
      (condition.alignmentRMS, condition.shadowLeft, condition.seconds) = (value, value, value)
      var patch = PatchFigures(name: name, kind: .object, truth: XYZ(value, value, value))
      patch.shown = [.result: XYZ(value, 1, 1), .ambient: XYZ(0.5, value, 0.5)]
      (patch.colorError, patch.fullError, patch.confidence) = (value, value, value)
      condition.patches = [patch]
      series.conditions += [condition, ConditionFigures(id: "")]
    }
    for value in [Double.nan, .infinity, -1] {
      var figures = MethodFigures(variance: value)
      figures.varianceByLux = [(value, value), (1, value)]
      figures.colorError[.far] = Spread([value])
      (figures.wellLitError, figures.shadowLeft, figures.farWildShare) = (value, value, value)
      series.methods[Method.allCases[series.methods.count % 3]] = figures
    }
    series.confidence = ConfidenceFigures(
      bins: [
        .init(count: 0, confidence: .nan, withinTolerance: .nan), .init(count: -5, confidence: 1, withinTolerance: 1),
        .init(count: .max, confidence: .infinity, withinTolerance: 2),
        .init(count: 7, confidence: 1, withinTolerance: -3),
      ], reliabilityGap: nil, brierSkill: .nan, auc: -.infinity, sureShare: .nan, sureWithinTolerance: nil,
      regions: [(name, .nan, 1e300)])
    let pictures = [(-1, 3), (Int.max, Int.max), (0, 0), (2, 2)].map { width, height in
      (title: name, picture: SmallPicture(width: width, height: height, bytes: [1, 2, 3]))
    }
    series.worst = [WorstCase(id: name, reason: name, pictures: pictures), WorstCase(id: "", reason: "", pictures: [])]
    let settings = [(name, name), ("control \u{1}\u{7F}", "\u{FFFE}\u{1B}[31m")]
    return ValidationFigures(version: name, settings: settings, tolerance: 3, series: [series])
  }
}
