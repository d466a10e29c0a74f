import ColorScience
import TestSupport
import Validation

/// Made-up figures of the protocol's 48 conditions, with what a result, a standard picture and a flash picture typically
/// show; the same in every run.
struct SampleFigures {
  private var random = SplitMix(state: 7)

  /// A steady series, and captures of which less is known.
  static func all() -> ValidationFigures {
    var sample = SampleFigures()
    let settings = [
      ("camera", "generic CMOS, read noise 3 e⁻"), ("seed", "7"), ("flash", "xenon, 200 lux at the centre"),
      ("size", "600 × 400"),
    ]
    let series = [sample.series("steady"), sample.captures()]
    return ValidationFigures(version: "0.0-test", settings: settings, tolerance: 3, series: series)
  }

  private mutating func series(_ name: String) -> SeriesFigures {
    var series = SeriesFigures(name: name)
    for lux in [10.0, 50, 200, 800] {
      for cct in [3000.0, 4500, 6000, 7500] {
        for (tint, duv) in [("planckian", 0.0), ("green", 0.015), ("magenta", -0.015)] {
          series.conditions.append(condition(lux, cct, tint, duv))
        }
      }
    }
    for method in Method.allCases { series.methods[method] = figures(method, series.conditions) }
    series.confidence = confidence()
    series.worst = [
      WorstCase(
        id: "E0800_T3000_green", reason: "largest mean error of well-lit pixels: 4.2",
        pictures: ["result", "truth", "colour error", "confidence"].map { ($0, picture(150, 100)) })
    ]
    return series
  }

  /// Real captures: little is known of the light, and nothing of every pixel.
  private mutating func captures() -> SeriesFigures {
    var series = SeriesFigures(name: "captures")
    for (index, light) in ["window", "tungsten lamp", "LED-B4"].enumerated() {
      var condition = condition(100, [6500, 2700, 4000][index], light, 0.004 * Double(index))
      condition.id = "capture-\(index + 1)"
      (condition.lux, condition.cct, condition.duv) = (nil, nil, nil)
      condition.patches.removeAll { $0.kind != .chart }
      condition.skinError = [:]
      (condition.wellLitError, condition.withinTolerance, condition.auc) = (nil, nil, nil)
      series.conditions.append(condition)
    }
    for method in Method.allCases { series.methods[method] = figures(method, series.conditions) }
    return series
  }

  private mutating func condition(_ lux: Double, _ cct: Double, _ tint: String, _ duv: Double) -> ConditionFigures {
    var condition = ConditionFigures(id: "E\(lux < 100 ? "00" : "0")\(Int(lux))_T\(Int(cct))_\(tint)")
    (condition.lux, condition.cct, condition.duv, condition.tint) = (lux, cct, duv, tint)
    let warmth = (4800 - cct) / 4800
    let share = lux / (lux + 200)
    let strengths: [(Method, Double)] = [(.ambient, 1), (.flash, 0.25 + 0.6 * share), (.result, 0.02 + 0.12 * share)]
    for (index, rgb) in (Self.chart + Self.skin).enumerated() {
      let kind = index < Self.chart.count ? PairPatchKind.chart : .skin
      let name = kind == .chart ? Self.names[index] : "skin \(index - Self.chart.count + 1)"
      let linear = SIMD3(rgb.map { RGBSpace.sRGB.transferFunction.decode(Double($0) / 255) })
      var patch = PatchFigures(name: name, kind: kind, truth: XYZ(RGBSpace.sRGB.toXYZ * linear))
      for (method, strength) in strengths {
        let cast = SIMD3(1 + 0.35 * warmth * strength, 1 + 9 * duv * strength, 1 - 0.5 * warmth * strength)
        let noise = SIMD3(random.normal(), random.normal(), random.normal()) * 0.012
        patch.shown[method] = XYZ(RGBSpace.sRGB.toXYZ * (linear * cast * (1 + noise)))
      }
      if let shown = patch.shown[.result] { patch.fullError = Lab(shown).ciede2000(to: Lab(patch.truth)) }
      patch.confidence = 0.93 - 0.25 * share
      condition.patches.append(patch)
    }
    for method in Method.allCases {
      condition.chartError[method] = Spread(errors(condition, method, .chart))?.mean
      condition.skinError[method] = Spread(errors(condition, method, .skin))?.mean
    }
    let error = (condition.chartError[.result] ?? 0) * 1.2
    condition.wellLitError = error
    condition.meanConfidence = 0.8 - 0.2 * share
    condition.centerWeightedMeanConfidence = 0.86 - 0.2 * share
    condition.withinTolerance = 0.82 - 0.2 * share
    condition.auc = 0.91 - 0.05 * share
    condition.alignmentRMS = 0.1 + 0.05 * abs(random.normal())
    condition.alignmentCorner = 0.3 + 0.2 * abs(random.normal())
    condition.shadowLeft = 0.02 * random.normal()
    condition.exposureRatioError = 0.004 * random.normal()
    condition.seconds = 0.6
    return condition
  }

  private func errors(_ condition: ConditionFigures, _ method: Method, _ kind: PairPatchKind) -> [Double] {
    condition.patches.filter { $0.kind == kind }.compactMap { patch in
      guard let shown = patch.shown[method] else { return nil }
      return Lab(XYZ(shown.vector * (patch.truth.y / shown.y))).ciede2000(to: Lab(patch.truth))
    }
  }

  private func variance(_ method: Method, _ conditions: [ConditionFigures]) -> Double {
    let count = conditions.first?.patches.count ?? 0
    let variances = (0..<count).map { index -> Double in
      let labs = conditions.compactMap { $0.patches[index].shown[method].map { Lab($0).vector } }
      let mean = labs.reduce(SIMD3<Double>.zero, +) / Double(labs.count)
      return labs.reduce(0) { $0 + (($1 - mean) * ($1 - mean)).sum() } / Double(labs.count)
    }
    return variances.reduce(0, +) / Double(max(count, 1))
  }

  private func figures(_ method: Method, _ conditions: [ConditionFigures]) -> MethodFigures {
    var figures = MethodFigures(variance: variance(method, conditions))
    figures.chartVariance = figures.variance * 1.1
    figures.skinVariance = figures.variance * 0.8
    figures.chromaVariance = figures.variance * 0.9
    figures.unscaledVariance = figures.variance * 1.6
    for kind in [PairPatchKind.chart, .skin] {
      figures.colorError[kind] = Spread(conditions.flatMap { errors($0, method, kind) })
      figures.fullError[kind] = Spread(conditions.flatMap { errors($0, method, kind).map { $0 * 1.2 } })
    }
    for lux in Set(conditions.compactMap(\.lux)).sorted() {
      let members = conditions.filter { $0.lux == lux }
      figures.varianceByLux.append((lux, variance(method, members)))
      let error = Spread(members.flatMap { errors($0, method, .chart) })?.mean ?? 0
      figures.wellLitErrorByLux.append((lux, error * 1.2))
    }
    figures.wellLitError = Spread(figures.wellLitErrorByLux.map(\.value))?.mean
    figures.shadowLeft = [.result: 0.02, .ambient: 1, .flash: 0.4][method]
    figures.farWildShare = method == .result ? 0.003 : nil
    return figures
  }

  private mutating func confidence() -> ConfidenceFigures {
    let counts = [52000, 21000, 15000, 14000, 18000, 30000, 61000, 240_000, 1_450_000, 0]
    let bins = counts.enumerated().map { index, count -> ConfidenceFigures.Bin in
      let confidence = count == 0 ? Double.nan : (Double(index) + 0.5) / 10
      return .init(count: count, confidence: confidence, withinTolerance: confidence + 0.03 * random.normal())
    }
    return ConfidenceFigures(
      bins: bins, reliabilityGap: 0.046, brierSkill: 0.42, auc: 0.912, sureShare: 0.61, sureWithinTolerance: 0.957,
      regions: [
        ("well lit", 0.88, 0.9), ("clipped", 0.05, 0.11), ("far", 0.24, 0.2), ("flash shadow", 0.15, 0.12),
        ("ambient shadow", 0.83, 0.86), ("moving", 0.08, 0.19),
      ])
  }

  private mutating func picture(_ width: Int, _ height: Int) -> SmallPicture {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for base in [x * 200 / width, y * 200 / height, 90] {
          bytes.append(UInt8(min(max(Double(base) + 25 + 6 * random.normal(), 0), 255)))
        }
      }
    }
    return SmallPicture(width: width, height: height, bytes: bytes)
  }

  private static let names = [
    "dark skin", "light skin", "blue sky", "foliage", "blue flower", "bluish green", "orange", "purplish blue",
    "moderate red", "purple", "yellow green", "orange yellow", "blue", "green", "red", "yellow", "magenta", "cyan",
    "white",
    "neutral 8", "neutral 6.5", "neutral 5", "neutral 3.5", "black",
  ]
  private static let chart: [[Int]] = [
    [115, 82, 68], [194, 150, 130], [98, 122, 157], [87, 108, 67], [133, 128, 177], [103, 189, 170], [214, 126, 44],
    [80, 91, 166], [193, 90, 99], [94, 60, 108], [157, 188, 64], [224, 163, 46], [56, 61, 150], [70, 148, 73],
    [175, 54, 60], [231, 199, 31], [187, 86, 149], [20, 133, 161], [243, 243, 242], [200, 200, 200], [160, 160, 160],
    [122, 122, 121], [85, 85, 85], [52, 52, 52],
  ]
  private static let skin: [[Int]] = (0..<14).map { index in
    let depth = Double(index) / 13
    return [Int(240 - 170 * depth), Int(208 - 165 * depth), Int(190 - 160 * depth)]
  }
}
