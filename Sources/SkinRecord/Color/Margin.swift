/// Half widths of intervals that hold the truth in 95 of 100 cases.
public struct Margin: Equatable, Sendable {
  /// To the true value.
  public var total: Double
  /// Between captures of one series, which share the calibration: two values differ for a reason when they are further apart
  /// than √2 of it.
  public var series: Double

  /// The margins of a measurement.
  ///
  /// - Parameters:
  ///   - capture, common: see ``Measurement``.
  ///   - spread: what captures that were repeated at once scattered by; it counts where it is more than `capture`.
  public init(capture: Double, common: Double, spread: Spread?) {
    let own = max(Self.normal * capture, spread.map(\.margin) ?? 0)
    series = own
    total = (own * own + Self.normal * Self.normal * common * common).squareRoot()
  }

  static let normal = 1.96

  /// The scatter of repeated captures.
  public struct Spread: Equatable, Sendable {
    /// The standard deviation, and its degrees of freedom.
    public var deviation: Double
    /// The same.
    public var freedom: Int

    /// The pooled scatter of groups of values; nil with fewer than two degrees of freedom, which say next to nothing.
    init?(_ groups: [[Double]], _ quantity: Quantity) {
      var sum = 0.0
      var freedom = 0
      for group in groups where group.count > 1 {
        guard let first = group.first else { continue }
        // Relative to the first, as hues go round.
        let steps = group.map { quantity.difference($0, first) }
        let mean = steps.reduce(0, +) / Double(steps.count)
        sum += steps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        freedom += group.count - 1
      }
      guard freedom >= 2 else { return nil }
      deviation = (sum / Double(freedom)).squareRoot()
      self.freedom = freedom
    }

    /// By Student's t.
    var margin: Double {
      let quantiles = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13]
      let t = freedom <= quantiles.count ? quantiles[max(freedom, 1) - 1] : Margin.normal + 2.5 / Double(freedom)
      return t * deviation
    }
  }
}
