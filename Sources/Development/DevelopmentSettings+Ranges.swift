extension DevelopmentSettings {
  /// The colour errors (CIEDE2000) that confidence can be asked for.
  public static let tolerances = 0.1...50.0
  /// The exposure ratios that can be given.
  public static let exposureRatios = 1e-6...1e6
}
