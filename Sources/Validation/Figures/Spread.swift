/// A mean and the value that 95 % stay below.
public struct Spread: Equatable, Sendable {
  /// The mean, and the 95th percentile.
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
