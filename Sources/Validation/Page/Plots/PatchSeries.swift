import ColorScience

/// One patch under all lights of a series.
struct PatchSeries {
  let name: String
  let kind: PairPatchKind
  let truth: XYZ
  /// The patch in the pairs that have it, from dim to bright.
  private(set) var figures: [PatchFigures]
  /// The level of illuminance of each.
  private var levels: [Int?]

  /// The patches of a series, in the set's order.
  static func all(_ series: SeriesFigures) -> [PatchSeries] {
    var result: [PatchSeries] = []
    var places: [String: Int] = [:]
    let lux = series.luxLevels
    for condition in series.conditionsByLight {
      let level = lux.index(of: condition.lux)
      for patch in condition.patches {
        let key = patch.kind.rawValue + " " + patch.name
        if let place = places[key] {
          result[place].figures.append(patch)
          result[place].levels.append(level)
        } else {
          places[key] = result.count
          result.append(
            PatchSeries(name: patch.name, kind: patch.kind, truth: patch.truth, figures: [patch], levels: [level]))
        }
      }
    }
    return result
  }

  /// What a method shows in each pair, at the truth's luminance: how bright a place is lit is not its colour.
  func shown(_ method: Method) -> [XYZ] { shownByLight(method).flatMap { $0 } }

  /// The same, the pairs of each illuminance for themselves.
  func shownByLight(_ method: Method) -> [[XYZ]] {
    var groups: [[XYZ]] = []
    var last: Int??
    for (patch, level) in zip(figures, levels) {
      guard let color = patch.shown[method], color.x.isFinite, color.y.isFinite, color.z.isFinite,
        color.y > 1e-6
      else { continue }
      if last != .some(level) { groups.append([]) }
      last = .some(level)
      groups[groups.count - 1].append(XYZ(truth.y / color.y * color.vector))
    }
    return groups
  }

  /// What it shows in the mean over the pairs.
  func meanShown(_ method: Method) -> XYZ? {
    let colors = shown(method)
    guard !colors.isEmpty else { return nil }
    return XYZ(colors.reduce(SIMD3<Double>.zero) { $0 + $1.vector } / Double(colors.count))
  }

  /// The mean colour error over the pairs.
  func error(of method: Method) -> Double? { mean(figures.compactMap { $0.colorError(of: method) }) }
}
