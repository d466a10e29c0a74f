import ColorScience

/// One patch under all lights of a series.
struct PatchSeries {
  let name: String
  let kind: PairPatchKind
  let truth: XYZ
  /// The patch in the pairs that have it, from dim to bright.
  private(set) var figures: [PatchFigures]

  /// The patches of a series, in the set's order.
  static func all(_ series: SeriesFigures) -> [PatchSeries] {
    var result: [PatchSeries] = []
    var places: [String: Int] = [:]
    for condition in series.conditionsByLight {
      for patch in condition.patches {
        let key = patch.kind.rawValue + " " + patch.name
        if let place = places[key] {
          result[place].figures.append(patch)
        } else {
          places[key] = result.count
          result.append(PatchSeries(name: patch.name, kind: patch.kind, truth: patch.truth, figures: [patch]))
        }
      }
    }
    return result
  }

  /// What a method shows in each pair.
  func shown(_ method: Method) -> [XYZ] {
    figures.compactMap { $0.shown[method] }.filter { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }
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
