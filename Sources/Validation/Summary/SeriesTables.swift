import TextOutput

/// The tables that tell a series, the same on the terminal, in Markdown and on the page.
struct SeriesTables {
  let series: SeriesFigures
  /// The ΔE₀₀ that counts as within tolerance.
  let tolerance: Double
  /// How many pairs the table of the worst shows.
  var worstCount = 5
  /// How many levels of illuminance get a column; a set that has more tells them pair by pair.
  private static let mostLevels = 6

  private let levels: LightLevels

  /// Whether times are told, which are another machine's elsewhere.
  private let hasTimes: Bool

  init(_ series: SeriesFigures, tolerance: Double, hasTimes: Bool = true) {
    self.hasTimes = hasTimes
    self.series = series
    self.tolerance = tolerance
    let levels = series.luxLevels
    self.levels = levels.values.count <= Self.mostLevels ? levels : LightLevels([])
  }

  private var luxHeads: [String] { levels.values.map { short($0.rounded()) + " lx" } }

  /// All that have anything to tell, in the order in which to tell it.
  var all: [FigureTable] {
    [variance, varianceByLux, colorError, lightnessError, confidence, regions, geometry, background, worst].compactMap {
      $0
    }
  }

  /// The main figures in sentences.
  var headlines: [String] {
    func line(_ method: Method) -> String? {
      guard let reduction = series.reduction(against: method), reduction.isFinite else { return nil }
      let amount = reduction >= 0 ? "\(percent(reduction)) less" : "\(percent(-reduction)) more"
      return "\(amount) ambient-induced variance than the \(method.title)"
        + (method == .ambient ? " (Apple's figure: 87 % less)" : "")
    }
    let lines = [Method.ambient, .flash].compactMap(line)
    guard lines.isEmpty, series.conditions.count == 1 else { return lines }
    return ["variance under change of light is unknown: it takes two pairs or more"]
  }

  /// Variance under change of light.
  var variance: FigureTable? {
    let rows = series.shownMethods.compactMap { method -> [String]? in
      // Of a single pair nothing is known.
      guard let figures = series.methods[method], figures.variance.isFinite else { return nil }
      let less = method == .result ? nil : series.reduction(against: method)
      let parts = [figures.chartVariance, figures.skinVariance, figures.chromaVariance, figures.unscaledVariance]
      return [method.title, decimal(figures.variance, 2), percent(less)] + parts.map { decimal($0, 2) }
    }
    guard !rows.isEmpty else { return nil }
    return FigureTable(
      "Variance under change of light (ΔE*ab²)", words: ["picture"],
      numbers: ["variance", "reduction", "chart", "skin", "a*, b* only", "unscaled"], rows: rows
    ).compacted
  }

  /// The same at each illuminance.
  var varianceByLux: FigureTable? {
    guard !levels.values.isEmpty else { return nil }
    var rows: [[String]] = []
    for method in series.shownMethods {
      guard let figures = series.methods[method], !figures.varianceByLux.isEmpty else { continue }
      rows.append([method.title] + levels.values.map { decimal(figures.variance(near: $0), 2) })
    }
    guard !rows.isEmpty else { return nil }
    for method in [Method.ambient, .flash] where series.methods[method]?.varianceByLux.isEmpty == false {
      let name = "reduction against \(method.title)"
      rows.append([name] + series.reductionByLux(against: method, at: levels).map { percent($0) })
    }
    return FigureTable("Variance by illuminance (ΔE*ab²)", words: ["picture"], numbers: luxHeads, rows: rows)
  }

  /// Colour error by kind of surface and method, and by illuminance.
  var colorError: FigureTable? {
    var rows: [[String]] = []
    for kind in PairPatchKind.allCases {
      for method in series.shownMethods {
        let spread = series.methods[method]?.colorError[kind]
        let byLux = series.errorByLux(of: method, kind, at: levels)
        guard spread != nil || byLux.contains(where: { $0 != nil }) else { continue }
        rows.append(
          [kind.title, method.title, decimal(spread?.mean, 2), decimal(spread?.p95, 2)] + byLux.map { decimal($0, 2) })
      }
    }
    for method in series.shownMethods {
      guard let figures = series.methods[method], let error = figures.wellLitError else { continue }
      let byLux = levels.values.map { decimal(figures.wellLitError(near: $0), 2) }
      rows.append(["well lit", method.title, decimal(error, 2), unknownText] + byLux)
    }
    guard !rows.isEmpty else { return nil }
    return FigureTable(
      "Colour error at the truth's luminance (ΔE00)", words: ["surface", "picture"],
      numbers: ["mean", "95 %"] + luxHeads, rows: rows)
  }

  /// Colour error with lightness.
  var lightnessError: FigureTable? {
    let kinds = PairPatchKind.allCases.filter { kind in
      series.methods.values.contains { $0.fullError[kind] != nil }
    }
    guard !kinds.isEmpty else { return nil }
    let rows = series.shownMethods.map { method in
      [method.title]
        + kinds.flatMap { kind in
          let spread = series.methods[method]?.fullError[kind]
          return [decimal(spread?.mean, 2), decimal(spread?.p95, 2)]
        }
    }
    return FigureTable(
      "Colour error with lightness (ΔE00)", words: ["picture"],
      numbers: kinds.flatMap { [$0.title, $0.title + ", 95 %"] }, rows: rows)
  }

  /// How far confidence tells the truth.
  var confidence: FigureTable? {
    guard let figures = series.confidence else { return nil }
    let row = [
      "all " + figures.samples.rawValue, decimal(figures.reliabilityGap, 3), decimal(figures.brierSkill, 3),
      decimal(figures.auc, 3),
      percent(figures.sureShare), percent(figures.sureWithinTolerance),
    ]
    return FigureTable(
      "Confidence (right = ΔE00 of \(short(tolerance)) or less)", words: ["of"],
      numbers: ["reliability gap", "Brier skill", "AUC", "share ≥ 0.9", "of them right"], rows: [row])
  }

  /// Confidence by part of the picture.
  var regions: FigureTable? {
    guard let figures = series.confidence, !figures.regions.isEmpty else { return nil }
    let rows = figures.regions.map { region in
      let gap = region.confidence - region.withinTolerance
      return [region.name, percent(region.confidence), percent(region.withinTolerance), signedPoints(gap)]
    }
    return FigureTable(
      "Confidence by part of the picture", words: ["part"],
      numbers: ["confidence", "right", "too sure, points"], rows: rows)
  }

  private func signedPoints(_ value: Double) -> String {
    let text = decimal(value * 100, 1)
    return value > 0 && text != unknownText ? "+" + text : text
  }

  /// Alignment, shadow, exposure ratio and time, over the pairs.
  var geometry: FigureTable? {
    func row(_ name: String, _ digits: Int, _ value: (ConditionFigures) -> Double?) -> [String]? {
      let known = series.conditions.compactMap { condition -> (value: Double, id: String)? in
        guard let number = value(condition), number.isFinite else { return nil }
        return (number, condition.id)
      }
      guard let spread = Spread(known.map(\.value)), let worst = known.max(by: { $0.value < $1.value }) else {
        return nil
      }
      return [
        name, decimal(spread.mean, digits), decimal(spread.p95, digits), decimal(worst.value, digits), worst.id,
      ]
    }
    let rows = [
      row("alignment, RMS (px)", 3, \.alignmentRMS), row("alignment, worst corner (px)", 3, \.alignmentCorner),
      row("ambient shadow left (%)", 1) { $0.shadowLeft.map { abs($0) * 100 } },
      row("exposure ratio, error (%)", 2) { $0.exposureRatioError.map { abs($0) * 100 } },
      hasTimes ? row("development (s)", 2, \.seconds) : nil,
    ].compactMap { $0 }
    guard !rows.isEmpty else { return nil }
    var table = FigureTable(
      "Over the pairs", words: ["what"], numbers: ["mean", "95 %", "worst", "worst pair"], rows: rows)
    table.columns[4].isNumber = false
    return table
  }

  /// Shadow and far background by method.
  var background: FigureTable? {
    let rows = series.shownMethods.compactMap { method -> [String]? in
      guard let figures = series.methods[method], figures.shadowLeft != nil || figures.farWildShare != nil else {
        return nil
      }
      return [method.title, percent(figures.shadowLeft), percent(figures.farWildShare)]
    }
    guard !rows.isEmpty else { return nil }
    return FigureTable(
      "Shadow and background", words: ["picture"],
      numbers: ["ambient shadow left", "wild colours far away"], rows: rows
    ).compacted
  }

  /// The pairs that came out worst.
  var worst: FigureTable? {
    let conditions = series.worstConditions.prefix(max(worstCount, 0))
    guard !conditions.isEmpty else { return nil }
    return pairs("Worst conditions (ΔE00 of the result)", Array(conditions))
  }

  /// Pairs, one a row.
  func pairs(_ title: String, _ conditions: [ConditionFigures]) -> FigureTable {
    let rows = conditions.map { condition in
      let errors = [condition.error(of: .result, .chart), condition.error(of: .result, .skin), condition.wellLitError]
      return [condition.id, short(condition.lux), decimal(condition.cct, 0), decimal(condition.duv, 3)]
        + errors.map { decimal($0, 2) } + [decimal(condition.error(of: .ambient), 2)]
        + [decimal(condition.meanConfidence, 2), percent(condition.withinTolerance)]
    }
    return FigureTable(
      title, words: ["pair"],
      numbers: ["lux", "K", "Duv", "chart", "skin", "well lit", "ambient", "confidence", "right"], rows: rows
    ).compacted
  }
}
