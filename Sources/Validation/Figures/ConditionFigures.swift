import ColorScience

/// One pair.
public struct ConditionFigures: Sendable {
  /// The name of the pair, with which its files begin: "E0200_T4500_green".
  public var id: String
  /// The room's light: its illuminance in lux, its correlated colour temperature in kelvin, its distance from the Planckian
  /// locus in CIE 1960 uv; nil where unknown.
  public var lux, cct, duv: Double?
  /// "planckian", "green", "magenta", or what else the light is called.
  public var tint: String?
  /// The mean colour error of the chart's and the skin's patches, by method.
  public var chartError, skinError: [Method: Double]
  /// The result's mean colour error of the pixels that the flash lit well (3 × 3 means).
  public var wellLitError: Double?
  /// The patches of the picture, in the set's order.
  public var patches: [PatchFigures]
  /// As the program reports them, 0...1.
  public var meanConfidence, centerWeightedMeanConfidence: Double?
  /// The share of pixels (of patches, where no truth is known for every pixel) whose colour error is within tolerance, 0...1.
  public var withinTolerance: Double?
  /// The area under the receiver operating characteristic of confidence against "within tolerance", 0...1; 0.5 is chance.
  public var auc: Double?
  /// How far the alignment lies from the true one: RMS over the frame and the largest at a corner, in pixels.
  public var alignmentRMS, alignmentCorner: Double?
  /// What is left of the ambient shadow's edge in the result; 1 = all of it, negative where it is overdone.
  public var shadowLeft: Double?
  /// The relative error of the exposure ratio; 0.01 = 1 % too large.
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
  /// What the patch is called: "dark skin".
  public var name: String
  /// What it belongs to.
  public var kind: PairPatchKind
  /// The truth under D65.
  public var truth: XYZ
  /// What each method shows, after the picture's one scale.
  public var shown: [Method: XYZ]
  /// The result's colour error at the truth's luminance, and with lightness.
  public var colorError, fullError: Double?
  /// The mean confidence of the patch, 0...1.
  public var confidence: Double?
  /// The flash's light on it, relative to that at the centre of the scene: with lightness, a perfect result shows the truth
  /// times this; nil where unknown.
  public var falloff: Double?

  /// A patch with nothing measured.
  public init(name: String, kind: PairPatchKind, truth: XYZ) {
    (self.name, self.kind, self.truth) = (name, kind, truth)
    shown = [:]
  }
}
