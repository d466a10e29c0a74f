extension SeriesFigures {
  /// The illuminances (lux) and colour temperatures (kelvin) of the pairs.
  var luxLevels: LightLevels { LightLevels(conditions.compactMap(\.lux)) }
  /// See ``luxLevels``.
  var cctLevels: LightLevels { LightLevels(conditions.compactMap(\.cct)) }

  /// The tints, in the protocol's order, then what else there is.
  var tints: [String] {
    let all = Set(conditions.compactMap(\.tint))
    let known = ["planckian", "green", "magenta"]
    return known.filter(all.contains) + all.subtracting(known).sorted()
  }

  /// The methods of which anything is known.
  var shownMethods: [Method] { Method.allCases.filter { methods[$0] != nil } }

  /// The pairs from dim to bright, by tint and colour temperature within.
  var conditionsByLight: [ConditionFigures] {
    let (lux, tints) = (luxLevels, tints)
    func place(_ condition: ConditionFigures) -> (Int, Int, Double) {
      let tint = condition.tint.flatMap(tints.firstIndex(of:)) ?? tints.count
      let cct = condition.cct.map { $0.isFinite ? $0 : 0 } ?? 0
      return (lux.index(of: condition.lux) ?? lux.values.count, tint, cct)
    }
    return conditions.enumerated().map { ($0.offset, place($0.element), $0.element) }
      .sorted { ($0.1.0, $0.1.1, $0.1.2, $0.0) < ($1.1.0, $1.1.1, $1.1.2, $1.0) }.map(\.2)
  }

  /// The mean colour error of the patches of a kind at each level of illuminance.
  func errorByLux(of method: Method, _ kind: PairPatchKind, at levels: LightLevels) -> [Double?] {
    levels.values.indices.map { level in
      mean(conditions.filter { levels.index(of: $0.lux) == level }.compactMap { $0.error(of: method, kind) })
    }
  }

  /// What part of a method's variance the result has less, within one illuminance.
  func reductionByLux(against method: Method, at levels: LightLevels) -> [Double?] {
    levels.values.map { lux in
      guard let ours = methods[.result]?.variance(near: lux), let theirs = methods[method]?.variance(near: lux),
        theirs > 0
      else { return nil }
      return 1 - ours / theirs
    }
  }

  /// The pairs that came out worst, by the error of well-lit pixels, or of chart and skin where that is unknown.
  var worstConditions: [ConditionFigures] {
    let judged = conditions.enumerated().compactMap { index, condition -> (Double, Int, ConditionFigures)? in
      guard let error = condition.wellLitError ?? condition.error(of: .result), error.isFinite else { return nil }
      return (error, index, condition)
    }
    return judged.sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.2)
  }
}

extension MethodFigures {
  /// The variance within an illuminance.
  func variance(near lux: Double) -> Double? { Self.value(of: varianceByLux, near: lux) }
  /// The colour error of well-lit pixels at an illuminance.
  func wellLitError(near lux: Double) -> Double? { Self.value(of: wellLitErrorByLux, near: lux) }

  private static func value(of list: [(lux: Double, value: Double)], near lux: Double) -> Double? {
    list.filter { abs($0.lux - lux) <= 0.1 * lux + 1e-9 }.min { abs($0.lux - lux) < abs($1.lux - lux) }?.value
  }
}

extension PairPatchKind {
  /// What it is called where people read.
  var title: String {
    switch self {
    case .chart: "chart"
    case .skin: "skin"
    case .object: "objects"
    case .far: "far"
    }
  }
}
