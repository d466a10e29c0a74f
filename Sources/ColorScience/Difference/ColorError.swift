extension XYZ {
  /// The colour error as this project defines it: ΔE₀₀ under D65 to a true colour, once this one has the truth's luminance, so that it
  /// speaks of colour and not of brightness. 100 where nothing, or less, is shown.
  public func colorError(to truth: XYZ) -> Double {
    guard y > 1e-7 else { return 100 }
    return Lab(XYZ(truth.y / y * vector)).ciede2000(to: Lab(truth))
  }
}
