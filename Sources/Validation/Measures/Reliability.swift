/// Confidences, and the errors of what they were given to.
public struct ConfidenceSamples: Sendable {
  /// 0...1.
  public private(set) var confidences: [Float] = []
  /// ΔE₀₀.
  public private(set) var errors: [Float] = []

  /// No samples yet.
  public init() {}

  /// Adds a sample; a confidence that is no number is none.
  public mutating func add(confidence: Float, error: Float) {
    confidences.append(confidence.isNaN ? 0 : min(max(confidence, 0), 1))
    errors.append(error)
  }

  /// Adds others.
  public mutating func add(_ others: ConfidenceSamples) {
    confidences += others.confidences
    errors += others.errors
  }

  /// The share within a tolerance; nil without samples.
  public func withinTolerance(_ tolerance: Double) -> Double? {
    errors.isEmpty ? nil : Double(errors.count { Double($0) <= tolerance }) / Double(errors.count)
  }

  /// See ``areaUnderCurve(_:isGood:)``.
  public func areaUnderCurve(_ tolerance: Double) -> Double? {
    Validation.areaUnderCurve(confidences, isGood: errors.map { Double($0) <= tolerance })
  }

  private static let binCount = 10
  /// Bins with fewer samples say nothing about reliability.
  private static let fewestInBin = 1000

  /// How far the confidences tell which errors are within a tolerance; nil without samples.
  public func figures(
    tolerance: Double, regions: [(name: String, confidence: Double, withinTolerance: Double)]
  ) -> ConfidenceFigures? {
    guard !confidences.isEmpty else { return nil }
    var sums = [(count: Int, confidence: Double, good: Int)](repeating: (0, 0, 0), count: Self.binCount)
    var (squares, good, sure, sureGood) = (0.0, 0, 0, 0)
    for (confidence, error) in zip(confidences, errors) {
      let (confidence, isGood) = (Double(confidence), Double(error) <= tolerance)
      let bin = min(max(Int(confidence * Double(Self.binCount)), 0), Self.binCount - 1)
      sums[bin].count += 1
      sums[bin].confidence += confidence
      let miss = confidence - (isGood ? 1 : 0)
      squares += miss * miss
      if isGood {
        sums[bin].good += 1
        good += 1
      }
      guard confidence >= 0.9 else { continue }
      sure += 1
      if isGood { sureGood += 1 }
    }
    let bins = sums.map { bin in
      ConfidenceFigures.Bin(
        count: bin.count, confidence: bin.confidence / Double(bin.count),
        withinTolerance: Double(bin.good) / Double(bin.count))
    }
    let gaps = bins.filter { $0.count >= Self.fewestInBin }.map { abs($0.withinTolerance - $0.confidence) }
    let count = Double(confidences.count)
    let base = Double(good) / count
    // Where all are right, or none, there is nothing to gain on saying so everywhere.
    let skill = good > 0 && good < confidences.count ? 1 - squares / count / (base * (1 - base)) : .nan
    return ConfidenceFigures(
      bins: bins, reliabilityGap: gaps.max(), brierSkill: skill, auc: areaUnderCurve(tolerance) ?? .nan,
      sureShare: Double(sure) / count,
      sureWithinTolerance: sure > 0 ? Double(sureGood) / Double(sure) : nil, regions: regions)
  }
}
