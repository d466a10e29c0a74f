/// Everything that a validation has measured. Whoever shows figures (table, CSV, JSON, page, document) reads them from
/// here.
///
/// A colour is XYZ under D65 (2° observer, white Y = 1), a colour error is CIEDE2000 (CIE 142:2001). Unknown is nil,
/// never 0.
public struct ValidationFigures: Sendable {
  /// The version of the program whose results were judged.
  public var version: String
  /// What was judged, in words and in the order in which to tell it: ("camera", "…"), ("seed", "…").
  public var settings: [(name: String, value: String)]
  /// The colour error (ΔE₀₀) that counts as within tolerance.
  public var tolerance: Double
  /// One for each way the pairs were taken: "steady", "hand-held"; or "captures".
  public var series: [SeriesFigures]

  /// Figures of a version.
  public init(
    version: String, settings: [(name: String, value: String)], tolerance: Double, series: [SeriesFigures] = []
  ) {
    self.version = version
    self.settings = settings
    self.tolerance = tolerance
    self.series = series
  }
}
