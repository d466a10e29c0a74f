import TextOutput

/// Share of right pixels against confidence, and how often which confidence is told (A. H. Murphy, R. L. Winkler, Applied
/// Statistics 26 (1977)).
struct ReliabilityDiagram {
  private let bins: [ConfidenceFigures.Bin]
  private let tolerance: Double
  private let samples: String
  private let total: Double

  private static let (left, top, size, histogramTop, histogramHeight) = (54.0, 12.0, 330.0, 398.0, 86.0)
  /// Bins with fewer pixels say little.
  private static let enough = 1000
  private static let band = 0.05

  /// A diagram of bins; nil where they are empty.
  init?(_ figures: ConfidenceFigures, tolerance: Double) {
    bins = figures.bins.map { $0.count > 0 ? $0 : .init(count: 0, confidence: .nan, withinTolerance: .nan) }
    self.tolerance = tolerance
    samples = figures.samples.rawValue
    total = bins.reduce(0) { $0 + Double($1.count) }
    guard total > 0 else { return nil }
  }

  /// The drawing.
  func plot(_ identifier: String) -> Plot {
    var plot = Plot(
      identifier, width: 400, height: 530, title: "Reliability diagram", description: description)
    plot.narrowest = 300
    plane(in: &plot)
    var line = ""
    for bin in known {
      line += (line.isEmpty ? "M" : "L") + "\(Plot.text(x(bin.confidence))) \(Plot.text(y(bin.withinTolerance)))"
    }
    if !line.isEmpty { plot.path(line, kind: "curve result") }
    for bin in known {
      let isSure = bin.count >= Self.enough
      plot.circle(
        x(bin.confidence), y(bin.withinTolerance), radius: isSure ? 5 : 4,
        kind: isSure ? "dot result" : "hollow result",
        hint: "confidence \(decimal(bin.confidence, 3)): \(percent(bin.withinTolerance)) right, "
          + "\(grouped(bin.count)) \(samples)")
    }
    histogram(in: &plot)
    return plot
  }

  private var known: [ConfidenceFigures.Bin] {
    bins.filter { $0.confidence.isFinite && $0.withinTolerance.isFinite }
  }

  private var description: String {
    "For each bin of confidence, the share of \(samples) that are right: "
      + known.map {
        "\(decimal($0.confidence, 2)) told, \(decimal($0.withinTolerance, 2)) right, \(grouped($0.count)) \(samples)"
      }
      .joined(separator: "; ") + "."
  }

  private func x(_ value: Double) -> Double { Self.left + min(max(value, 0), 1) * Self.size }
  private func y(_ value: Double) -> Double { Self.top + (1 - min(max(value, 0), 1)) * Self.size }

  private func plane(in plot: inout Plot) {
    plot.rectangle(Self.left, Self.top, Self.size, Self.size, kind: "plane")
    let band = Self.band
    let corners = [(0, 0), (0, band), (1 - band, 1), (1, 1), (1, 1 - band), (band, 0)]
    let outline = corners.map { "\(Plot.text(x($0.0))) \(Plot.text(y($0.1)))" }
    plot.path("M" + outline.joined(separator: "L") + "Z", kind: "band")
    plot.line(x(0), y(0), x(1), y(1), kind: "diagonal")
    for step in 0...5 {
      let value = Double(step) / 5
      plot.line(x(value), y(0), x(value), y(0) + 4, kind: "axis")
      plot.line(x(0) - 4, y(value), x(0), y(value), kind: "axis")
      plot.write(decimal(value, 1), x(value), y(0) + 17, .middle, kind: "small")
      plot.write(decimal(value, 1), x(0) - 8, y(value) + 4, .end, kind: "small")
    }
    let middle = Self.top + Self.size / 2
    plot.write("share right (ΔE00 ≤ \(short(tolerance)))", 14, middle, .middle, kind: "small", turned: true)
    plot.write("±0.05", x(0.115), y(0.055), kind: "small")
  }

  private func histogram(in plot: inout Plot) {
    let base = Self.histogramTop + Self.histogramHeight
    let largest = bins.map { Double($0.count) }.max() ?? 1
    let step = Self.size / Double(max(bins.count, 1))
    plot.write("share of \(samples), %", Self.left, Self.histogramTop - 16, kind: "small")
    for (index, bin) in bins.enumerated() {
      let height = Double(bin.count) / largest * Self.histogramHeight
      let left = Self.left + Double(index) * step
      if bin.count > 0 {
        plot.rectangle(
          left + 2, base - max(height, 1), step - 4, max(height, 1), kind: "bar result",
          hint: "\(grouped(bin.count)) \(samples)")
      }
      let share = Double(bin.count) / total * 100
      let text = bin.count == 0 ? "0" : share < 0.95 ? decimal(share, 1) : decimal(share, 0)
      plot.write(text, left + step / 2, base - height - 4, .middle, kind: "tiny")
    }
    plot.line(Self.left, base, Self.left + Self.size, base, kind: "axis")
    for step in 0...5 {
      plot.write(decimal(Double(step) / 5, 1), x(Double(step) / 5), base + 16, .middle, kind: "small")
    }
    plot.write("confidence", Self.left + Self.size / 2, base + 36, .middle, kind: "small")
  }
}
