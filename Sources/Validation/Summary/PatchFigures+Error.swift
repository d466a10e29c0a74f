import ColorScience

extension PatchFigures {
  /// ΔE₀₀ of what a method shows to the truth, at the truth's luminance; nil where either has none.
  func colorError(of method: Method) -> Double? {
    if method == .result, let colorError { return colorError.isFinite ? colorError : nil }
    guard let shown = shown[method], shown.y > 0, truth.y > 0 else { return nil }
    let error = shown.colorError(to: truth)
    return error.isFinite ? error : nil
  }
}

extension ConditionFigures {
  /// The mean colour error of the patches of a kind.
  func error(of method: Method, _ kind: PairPatchKind) -> Double? {
    let stored =
      switch kind {
      case .chart: chartError[method]
      case .skin: skinError[method]
      case .object, .far: Double?.none
      }
    if let stored, stored.isFinite { return stored }
    return mean(patches.filter { $0.kind == kind }.compactMap { $0.colorError(of: method) })
  }

  /// The mean colour error of chart and skin, each counting half.
  func error(of method: Method) -> Double? {
    mean([PairPatchKind.chart, .skin].compactMap { error(of: method, $0) })
  }
}
