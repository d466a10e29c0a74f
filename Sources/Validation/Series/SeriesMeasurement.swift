import ColorScience
import Simulation

/// Gathers the pairs of a series, and makes its figures.
public struct SeriesMeasurement: Sendable {
  /// What the series is called.
  public let name: String
  private let tolerance: Double
  private var pairs: [PairMeasurement] = []
  private var samples = ConfidenceSamples()
  /// What looks worst so far.
  public private(set) var worst: [(error: Double, value: WorstCase)] = []

  /// How many of the worst are shown.
  private static let worstCount = 3

  /// A series without pairs.
  public init(name: String, tolerance: Double) { (self.name, self.tolerance) = (name, tolerance) }

  /// Whether any of its pairs is a condition.
  public var hasConditions: Bool { pairs.contains(where: \.isCondition) }

  /// Adds a pair.
  public mutating func add(_ pair: PairMeasurement) {
    samples.add(pair.samples)
    pairs.append(pair)
    // Kept once, in the pool.
    pairs[pairs.count - 1].pooled = pair.figures(tolerance: tolerance)
    pairs[pairs.count - 1].samples = ConfidenceSamples()
  }

  /// Adds the pairs of another series.
  public mutating func add(_ other: SeriesMeasurement) {
    samples.add(other.samples)
    pairs += other.pairs
  }

  /// Whether a pair with this error would be among the worst.
  public func isAmongWorst(_ error: Double) -> Bool {
    error.isFinite && (worst.count < Self.worstCount || (worst.last.map { error > $0.error } ?? true))
  }

  /// Adds what a pair looks like, if it is among the worst.
  public mutating func add(_ value: WorstCase, error: Double) {
    guard isAmongWorst(error) else { return }
    worst.append((error, value))
    worst.sort { $0.error > $1.error }
    if worst.count > Self.worstCount { worst.removeLast() }
  }

  /// The figures of the series.
  public var figures: SeriesFigures {
    var figures = SeriesFigures(name: name)
    let conditions = pairs.filter(\.isCondition)
    figures.conditions = conditions.compactMap(\.pooled)
    for method in Method.allCases {
      let shown = conditions.filter { $0.shown[method] != nil }
      if !shown.isEmpty { figures.methods[method] = methodFigures(method, shown) }
    }
    figures.confidence = samples.figures(tolerance: tolerance, regions: parts)
    if pairs.contains(where: { $0.samplesKind == .patches }) { figures.confidence?.samples = .patches }
    figures.worst = worst.map(\.value)
    return figures
  }

  private var parts: [(name: String, confidence: Double, withinTolerance: Double)] {
    PicturePart.allCases.compactMap { part in
      let found = pairs.compactMap { $0.parts.first { $0.part == part } }
      guard let confidence = mean(found.map(\.confidence)), let good = mean(found.map(\.withinTolerance)) else {
        return nil
      }
      return (part.rawValue, confidence, good)
    }
  }

  // MARK: one method

  private func methodFigures(_ method: Method, _ pairs: [PairMeasurement]) -> MethodFigures {
    func shown(_ pair: PairMeasurement) -> PairMeasurement.Shown? { pair.shown[method] }
    let judged: [PairTruth.Patch.Kind] = [.colorChecker, .skin]
    func variance(
      _ pairs: [PairMeasurement], of kinds: [PairTruth.Patch.Kind], scaled: Bool = true, chroma: Bool = false
    )
      -> Double?
    {
      let conditions = pairs.compactMap { pair -> [Lab]? in
        guard let patches = shown(pair)?.patches else { return nil }
        let colors = scaled ? patches.scaledLab : patches.lab
        return zip(pair.patches, colors).filter { kinds.contains($0.0.kind) }.map(\.1)
      }
      return LabVariance.mean(conditions, chromaOnly: chroma)
    }
    var figures = MethodFigures(variance: variance(pairs, of: judged) ?? .nan)
    figures.chartVariance = variance(pairs, of: [.colorChecker])
    figures.skinVariance = variance(pairs, of: [.skin])
    figures.chromaVariance = variance(pairs, of: judged, chroma: true)
    figures.unscaledVariance = variance(pairs, of: judged, scaled: false)
    for kind in [PairTruth.Patch.Kind.colorChecker, .skin, .object, .far] {
      func errors(_ errors: (PatchMeasurement) -> [Double]) -> [Double] {
        pairs.flatMap { pair -> [Double] in
          guard let patches = shown(pair)?.patches else { return [] }
          return zip(pair.patches, errors(patches)).filter { $0.0.kind == kind }.map(\.1)
        }
      }
      figures.colorError[PairPatchKind(kind)] = Spread(errors(\.colorErrors))
      figures.fullError[PairPatchKind(kind)] = Spread(errors(\.fullErrors))
    }
    figures.wellLitError = mean(pairs.compactMap { shown($0)?.wellLitError })
    figures.shadowLeft = mean(pairs.compactMap { shown($0)?.shadowLeft.map(abs) })
    figures.farWildShare = mean(pairs.compactMap { shown($0)?.farWildShare })
    for lux in Set(pairs.compactMap(\.lux)).sorted() {
      let same = pairs.filter { $0.lux == lux }
      if let value = variance(same, of: judged) { figures.varianceByLux.append((lux, value)) }
      if let value = mean(same.compactMap { shown($0)?.wellLitError }) {
        figures.wellLitErrorByLux.append((lux, value))
      }
    }
    return figures
  }
}
