import ColorScience

/// Everything that a validation has measured. Whoever shows figures (table, CSV, JSON, page, document) reads them from here.
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

/// The pictures that are compared.
public enum Method: String, CaseIterable, Sendable {
  /// What this program makes of the pair.
  case result
  /// The ambient frame with the white balance that the camera chose, through its own matrices: the standard picture.
  case ambient
  /// The flash frame, in the same way.
  case flash

  /// What it is called where people read.
  public var title: String {
    switch self {
    case .result: "constant colour"
    case .ambient: "standard ambient picture"
    case .flash: "flash picture"
    }
  }
}

/// A mean and the value that 95 % stay below.
public struct Spread: Equatable, Sendable {
  public var mean, p95: Double
  /// How many values.
  public var count: Int

  /// The spread of values; nil where there are none.
  public init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    count = values.count
    mean = values.reduce(0, +) / Double(values.count)
    p95 = percentile(values, 95)
  }
}

/// The value below which a percentage of the values lie, between neighbours by a straight line; not a number where there
/// are none.
public func percentile(_ values: [Double], _ percent: Double) -> Double {
  let sorted = values.sorted()
  guard let last = sorted.last else { return .nan }
  let place = min(max(percent / 100, 0), 1) * Double(sorted.count - 1)
  let index = min(Int(place), sorted.count - 1)
  guard index + 1 < sorted.count else { return last }
  return sorted[index] + (place - Double(index)) * (sorted[index + 1] - sorted[index])
}

/// The figures of one series of pairs: one scene under many lights.
public struct SeriesFigures: Sendable {
  public var name: String
  public var conditions: [ConditionFigures]
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
    guard let ours = methods[.result]?.variance, let theirs = methods[method]?.variance, theirs > 0, ours.isFinite else { return nil }
    return 1 - ours / theirs
  }
}

/// One method over all conditions of a series.
public struct MethodFigures: Sendable {
  /// The mean over patches of chart and skin of the trace of CIELAB's covariance over the conditions, after one scale per picture
  /// that fits the luminance of the neutral patches.
  public var variance: Double
  /// The same of the chart and of skin alone, of a* and b* alone, and without the scale.
  public var chartVariance, skinVariance, chromaVariance, unscaledVariance: Double?
  /// The same within one illuminance (lux).
  public var varianceByLux: [(lux: Double, value: Double)]
  /// ΔE₀₀ to the truth at the truth's luminance (the contract's colour error), by kind of patch.
  public var colorError: [PairPatchKind: Spread]
  /// ΔE₀₀ with lightness, after one scale per picture.
  public var fullError: [PairPatchKind: Spread]
  /// The mean colour error of the pixels that the flash lit well (3 × 3 means), overall and by illuminance.
  public var wellLitError: Double?
  public var wellLitErrorByLux: [(lux: Double, value: Double)]
  /// What is left of the ambient shadow's edge, mean of absolute values, 1 = all.
  public var shadowLeft: Double?
  /// In the far background: the share of pixels with colours that are not there.
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

/// Kinds of patches, as figures tell them apart.
public enum PairPatchKind: String, CaseIterable, Sendable {
  case chart, skin, object, far
}

/// One pair.
public struct ConditionFigures: Sendable {
  public var id: String
  /// The light; nil where unknown.
  public var lux, cct, duv: Double?
  /// "planckian", "green", "magenta", or what else the light is called.
  public var tint: String?
  /// The mean colour error of the chart's and the skin's patches, by method.
  public var chartError, skinError: [Method: Double]
  public var wellLitError: Double?
  /// The patches of the picture, in the set's order.
  public var patches: [PatchFigures]
  public var meanConfidence, centerWeightedMeanConfidence: Double?
  /// The share of pixels within tolerance.
  public var withinTolerance: Double?
  /// The area under the curve of confidence against "within tolerance".
  public var auc: Double?
  /// RMS over the frame and the largest at a corner, in pixels.
  public var alignmentRMS, alignmentCorner: Double?
  /// Signed; 1 = all of the shadow.
  public var shadowLeft: Double?
  /// The relative error of the exposure ratio.
  public var exposureRatioError: Double?
  /// Seconds of development.
  public var seconds: Double?

  /// A pair with nothing measured.
  public init(id: String) {
    self.id = id
    (chartError, skinError) = ([:], [:])
    patches = []
  }
}

/// One patch of one pair.
public struct PatchFigures: Sendable {
  public var name: String
  public var kind: PairPatchKind
  /// The truth under D65.
  public var truth: XYZ
  /// What each method shows, after the picture's one scale.
  public var shown: [Method: XYZ]
  /// The result's colour error at the truth's luminance, and with lightness.
  public var colorError, fullError: Double?
  public var confidence: Double?
  /// The flash's light on it: a perfect result shows the truth times this; nil where unknown.
  public var falloff: Double?

  /// A patch with nothing measured.
  public init(name: String, kind: PairPatchKind, truth: XYZ) {
    (self.name, self.kind, self.truth) = (name, kind, truth)
    shown = [:]
  }
}

/// How far the confidence tells the truth.
public struct ConfidenceFigures: Sendable {
  /// Ten equal bins of confidence.
  public var bins: [Bin]
  /// The largest distance between mean confidence and share within tolerance, of bins with 1000 pixels and more.
  public var reliabilityGap: Double?
  /// The Brier score's gain on saying the overall share everywhere.
  public var brierSkill: Double
  public var auc: Double
  /// Pixels of confidence 0.9 and more: their share of all, and how many of them are within tolerance.
  public var sureShare: Double
  public var sureWithinTolerance: Double?
  /// Mean confidence and share within tolerance of parts of the picture: "clipped", "far", "well lit", "flash shadow",
  /// "ambient shadow", "moving"; each the mean over the pairs that have it.
  public var regions: [(name: String, confidence: Double, withinTolerance: Double)]

  /// A bin of confidence.
  public struct Bin: Sendable {
    public var count: Int
    /// Means over the bin's pixels; not numbers in an empty one.
    public var confidence, withinTolerance: Double

    public init(count: Int, confidence: Double, withinTolerance: Double) {
      (self.count, self.confidence, self.withinTolerance) = (count, confidence, withinTolerance)
    }
  }

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

/// A pair that came out badly, to look at.
public struct WorstCase: Sendable {
  /// The pair, and why it is here: "E0800_T3000_green", "largest mean error of well-lit pixels: 4.2".
  public var id, reason: String
  /// What to look at, in order: ("result", …), ("truth", …), ("colour error", …), ("confidence", …).
  public var pictures: [(title: String, picture: SmallPicture)]

  public init(id: String, reason: String, pictures: [(title: String, picture: SmallPicture)]) {
    (self.id, self.reason, self.pictures) = (id, reason, pictures)
  }
}

/// An 8-bit sRGB picture for a page, rows of R, G, B.
public struct SmallPicture: Sendable {
  public var width, height: Int
  /// 3 × width × height.
  public var bytes: [UInt8]

  public init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}
