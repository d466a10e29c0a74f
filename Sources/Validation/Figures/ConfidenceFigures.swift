/// How far the confidence tells the truth.
public struct ConfidenceFigures: Sendable {
  /// What was judged: pixels, or patches where no truth is known for every pixel.
  public var samples = Samples.pixels
  /// Ten equal bins of confidence.
  public var bins: [Bin]
  /// The largest distance between mean confidence and share within tolerance, of bins with 1000 pixels and more.
  public var reliabilityGap: Double?
  /// The Brier skill score: the Brier score's gain on saying the overall share everywhere (G. W. Brier, Monthly Weather
  /// Review 78, 1950); 1 is perfect, 0 no gain; not a number where all are within tolerance, or none.
  public var brierSkill: Double
  /// The area under the receiver operating characteristic of confidence against "within tolerance", 0...1; 0.5 is chance.
  public var auc: Double
  /// Pixels of confidence 0.9 and more: their share of all, and how many of them are within tolerance.
  public var sureShare: Double
  /// See ``sureShare``; nil where there are none.
  public var sureWithinTolerance: Double?
  /// Mean confidence and share within tolerance of parts of the picture: "clipped", "far", "well lit", "flash shadow",
  /// "ambient shadow", "moving"; each the mean over the pairs that have it.
  public var regions: [(name: String, confidence: Double, withinTolerance: Double)]

  /// What confidences were told of.
  public enum Samples: String, Sendable {
    case pixels, patches
  }

  /// A bin of confidence.
  public struct Bin: Sendable {
    /// How many pixels.
    public var count: Int
    /// Means over the bin's pixels; not numbers in an empty one.
    public var confidence, withinTolerance: Double

    /// A bin from its means.
    public init(count: Int, confidence: Double, withinTolerance: Double) {
      (self.count, self.confidence, self.withinTolerance) = (count, confidence, withinTolerance)
    }
  }

  /// Figures from their parts.
  public init(
    bins: [Bin], reliabilityGap: Double?, brierSkill: Double, auc: Double, sureShare: Double,
    sureWithinTolerance: Double?, regions: [(name: String, confidence: Double, withinTolerance: Double)]
  ) {
    self.bins = bins
    self.reliabilityGap = reliabilityGap
    self.brierSkill = brierSkill
    self.auc = auc
    self.sureShare = sureShare
    self.sureWithinTolerance = sureWithinTolerance
    self.regions = regions
  }
}
