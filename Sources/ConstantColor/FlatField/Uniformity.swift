/// How uneven light is over a surface that should be even.
public enum Uniformity {
  /// The 95th percentile less the 5th, relative to the median: 0 for even light. Nil for none, or for a median that is not
  /// above 0.
  public static func spread(_ luminances: [Double]) -> Double? {
    let order = luminances.filter(\.isFinite).sorted()
    guard !order.isEmpty else { return nil }
    func percentile(_ part: Double) -> Double { order[Int(part * Double(order.count - 1))] }
    let median = percentile(0.5)
    return median > 0 ? (percentile(0.95) - percentile(0.05)) / median : nil
  }
}
