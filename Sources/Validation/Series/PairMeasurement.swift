import ColorScience
import Simulation

/// Everything that was measured of one pair.
public struct PairMeasurement: Sendable {
  /// One of the pictures that are compared.
  public struct Shown: Sendable {
    /// Its patches.
    public var patches: PatchMeasurement
    /// The mean colour error of the well-lit pixels.
    public var wellLitError: Double?
    /// See ``ShadowEdge``.
    public var shadowLeft: Double?
    /// See ``WildPixels``.
    public var farWildShare: Double?

    /// A picture of which only the patches are measured.
    public init(patches: PatchMeasurement) { self.patches = patches }
  }

  /// The pair's name.
  public var id: String
  /// The patches, with the truth.
  public var patches: [PairTruth.Patch]
  /// The room's light: its illuminance, temperature (K) and distance from the Planckian locus; nil where unknown.
  public var lux, cct, duv: Double?
  /// What the light is called.
  public var tint: String?
  /// Whether it is a condition of the series; other pairs only tell about confidence.
  public var isCondition = true
  /// By method.
  public var shown: [Method: Shown] = [:]
  /// The mean confidence of each patch; nil where it has no pixel.
  public var patchConfidence: [Double?] = []
  /// Pixels that stand for all, or the patches where only those are known: their confidences and the result's colour errors.
  public var samples = ConfidenceSamples()
  /// What the samples are.
  public private(set) var samplesKind = ConfidenceFigures.Samples.pixels
  /// Mean confidence, and share within tolerance, of the parts that the picture has.
  public var parts: [(part: PicturePart, confidence: Double, withinTolerance: Double)] = []
  /// As the report has them.
  public var meanConfidence, centerWeightedMeanConfidence: Double?
  /// See ``AlignmentError``.
  public var alignment: AlignmentError?
  /// The found exposure ratio by the true one, less 1.
  public var exposureRatioError: Double?
  /// Seconds of development.
  public var seconds: Double?
  /// The figures, made when the samples were still here.
  var pooled: ConditionFigures?

  /// A pair of which nothing is measured yet.
  public init(id: String, patches: [PairTruth.Patch], light: PairTruth.Light? = nil) {
    (self.id, self.patches) = (id, patches)
    (lux, cct, duv) = (light?.lux, light?.cct, light?.duv)
    tint = light.flatMap { $0.spectrum.split(separator: ":").last.map(String.init) }
  }

  /// Adds what the confidence says of the patches, where no truth is known of other pixels.
  public mutating func addPatchConfidences() {
    samplesKind = .patches
    guard let errors = shown[.result]?.patches.colorErrors else { return }
    for (confidence, error) in zip(patchConfidence, errors) {
      if let confidence { samples.add(confidence: Float(confidence), error: Float(error)) }
    }
  }

  /// Adds what a confidence map says, judged by the colour errors of the result's pixels.
  public mutating func add(
    confidence: [Float], errors: [Float], _ regions: [Region], _ reference: SceneReference, tolerance: Double
  ) {
    let count = reference.width * reference.height
    guard confidence.count == count, errors.count == count, regions.count == count else { return }
    for index in 0..<count where reference.isSample(index) {
      samples.add(confidence: confidence[index], error: errors[index])
    }
    let isGood = errors.map { Float(Double($0) <= tolerance ? 1 : 0) }
    for part in PicturePart.allCases {
      let pixels = part.pixels(regions, reference)
      guard let mean = mean(confidence, where: pixels), let good = Validation.mean(isGood, where: pixels) else {
        continue
      }
      parts.append((part, mean, good))
    }
  }

  /// The pair's figures.
  public func figures(tolerance: Double) -> ConditionFigures {
    var figures = ConditionFigures(id: id)
    (figures.lux, figures.cct, figures.duv, figures.tint) = (lux, cct, duv, tint)
    for (method, shown) in shown {
      figures.chartError[method] = meanError(.colorChecker, shown.patches)
      figures.skinError[method] = meanError(.skin, shown.patches)
    }
    let result = shown[.result]
    figures.wellLitError = result?.wellLitError
    figures.shadowLeft = result?.shadowLeft
    figures.patches = patches.indices.map(patchFigures)
    (figures.meanConfidence, figures.centerWeightedMeanConfidence) = (meanConfidence, centerWeightedMeanConfidence)
    figures.withinTolerance = samples.withinTolerance(tolerance)
    figures.auc = samples.areaUnderCurve(tolerance)
    (figures.alignmentRMS, figures.alignmentCorner) = (alignment?.rms, alignment?.corner)
    figures.exposureRatioError = exposureRatioError
    figures.seconds = seconds
    return figures
  }

  private func meanError(_ kind: PairTruth.Patch.Kind, _ measurement: PatchMeasurement) -> Double? {
    let errors = zip(patches, measurement.colorErrors).filter { $0.0.kind == kind }.map(\.1)
    return errors.isEmpty ? nil : errors.reduce(0, +) / Double(errors.count)
  }

  private func patchFigures(_ index: Int) -> PatchFigures {
    let patch = patches[index]
    var figures = PatchFigures(name: patch.name, kind: PairPatchKind(patch.kind), truth: patch.xyz)
    figures.falloff = patch.falloff
    for (method, shown) in shown {
      figures.shown[method] = XYZ(shown.patches.scale * shown.patches.shown[index].vector)
    }
    if let result = shown[.result]?.patches {
      (figures.colorError, figures.fullError) = (result.colorErrors[index], result.fullErrors[index])
    }
    figures.confidence = patchConfidence.indices.contains(index) ? patchConfidence[index] : nil
    return figures
  }
}

extension PairPatchKind {
  /// The kind by its name in a truth.
  init(_ kind: PairTruth.Patch.Kind) {
    switch kind {
    case .colorChecker: self = .chart
    case .skin: self = .skin
    case .object: self = .object
    case .far: self = .far
    }
  }
}
