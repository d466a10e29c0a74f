/// The figures of one series of pairs: one scene under many lights.
public struct SeriesFigures: Sendable {
  /// What the series is called: "steady", "hand-held", "captures".
  public var name: String
  /// The pairs, in the set's order.
  public var conditions: [ConditionFigures]
  /// The figures over all pairs, of each picture that was made.
  public var methods: [Method: MethodFigures]
  /// Of all conditions' pixels; nil where no truth is known for every pixel.
  public var confidence: ConfidenceFigures?
  /// What looks worst, the worst first, with pictures.
  public var worst: [WorstCase]

  /// A series with nothing in it.
  public init(name: String) {
    self.name = name
    conditions = []
    methods = [:]
    worst = []
  }

  /// What part of a method's variance the result has less: 0.87 for 87 %; nil where either is unknown.
  public func reduction(against method: Method) -> Double? {
    guard let ours = methods[.result]?.variance, let theirs = methods[method]?.variance, ours.isFinite, theirs > 0 else {
      return nil
    }
    return 1 - ours / theirs
  }
}

/// One method over all conditions of a series.
public struct MethodFigures: Sendable {
  /// The variance under change of light, in CIELAB units squared: the mean over the patches of chart and skin of the
  /// trace of CIELAB's covariance over the conditions, after one scale per picture that fits the luminance of the neutral
  /// patches.
  public var variance: Double
  /// The same of the chart and of skin alone, of a* and b* alone, and without the scale.
  public var chartVariance, skinVariance, chromaVariance, unscaledVariance: Double?
  /// The same within one illuminance (lux).
  public var varianceByLux: [(lux: Double, value: Double)]
  /// ΔE₀₀ to the truth at the truth's luminance (the contract's colour error), by kind of patch.
  public var colorError: [PairPatchKind: Spread]
  /// ΔE₀₀ with lightness, after one scale per picture.
  public var fullError: [PairPatchKind: Spread]
  /// The mean colour error of the pixels that the flash lit well (3 × 3 means).
  public var wellLitError: Double?
  /// The same within one illuminance (lux).
  public var wellLitErrorByLux: [(lux: Double, value: Double)]
  /// What is left of the ambient shadow's edge, mean of absolute values; 1 = all of it, 0 = nothing.
  public var shadowLeft: Double?
  /// In the far background: the share of pixels with colours that are not there, 0...1.
  public var farWildShare: Double?

  /// Figures with nothing but a variance.
  public init(variance: Double) {
    self.variance = variance
    varianceByLux = []
    colorError = [:]
    fullError = [:]
    wellLitErrorByLux = []
  }
}
