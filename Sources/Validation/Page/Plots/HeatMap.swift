import Inspection
import TextOutput

/// The colour error over illuminance and colour temperature: a panel for each picture and tint, one scale for all.
struct HeatMap {
  private let series: SeriesFigures
  private let lux, cct: LightLevels
  private let tints: [String]
  private let methods: [Method]
  private let scale: ErrorScale

  private static let (left, top, panelWidth, gap, rowHeight) = (62.0, 30.0, 252.0, 20.0, 30.0)
  private static let largest = 12
  private static let barLength = 420.0

  /// A map of a series; nil where too little is known of its lights.
  init?(_ series: SeriesFigures) {
    self.series = series
    (lux, cct) = (series.luxLevels, series.cctLevels)
    let conditions = series.conditions
    // A light that only a few pairs have is no plane to look at.
    tints = Array(series.tints.filter { tint in conditions.count { $0.tint == tint } > 2 }.prefix(4))
    methods = [.ambient, .flash, .result].filter { method in conditions.contains { $0.error(of: method) != nil } }
    scale = ErrorScale(methods.flatMap { method in conditions.compactMap { $0.error(of: method) } })
    let sizes = [lux.values.count, cct.values.count]
    guard !tints.isEmpty, !methods.isEmpty, sizes.allSatisfy({ (1...Self.largest).contains($0) }), sizes.max() ?? 0 > 1
    else { return nil }
  }

  private var blockHeight: Double { Self.rowHeight * Double(cct.values.count) + 58 }

  /// The drawing.
  func plot(_ identifier: String) -> Plot {
    let panels = Self.left + Double(tints.count) * (Self.panelWidth + Self.gap)
    // The scale and its words are wider than a panel or two.
    let width = max(panels, Self.left + Self.barLength + 190)
    let height = Self.top + Double(methods.count) * blockHeight + 56
    var plot = Plot(
      identifier, width: width, height: height, title: "Colour error by illuminance, colour temperature and tint",
      description: description)
    plot.narrowest = min(width, 700)
    for (column, tint) in tints.enumerated() {
      plot.write(tintTitle(tint), panelX(column) + Self.panelWidth / 2, 16, .middle, kind: "strong")
    }
    for (row, method) in methods.enumerated() {
      let y = Self.top + Double(row) * blockHeight
      plot.write(method.title, Self.left, y + 14, kind: method.rawValue + " strong")
      for (column, tint) in tints.enumerated() { panel(method, tint, panelX(column), y + 22, in: &plot) }
      axes(y + 22, in: &plot)
    }
    bar(height - 44, in: &plot)
    return plot
  }

  private var description: String {
    let parts = methods.map { method in
      let errors = series.conditions.compactMap { $0.error(of: method) }
      return "\(method.title) from \(decimal(errors.min(), 1)) to \(decimal(errors.max(), 1))"
    }
    return "Mean ΔE00 of the patches of chart and skin in each pair: " + parts.joined(separator: "; ") + "."
  }

  private func tintTitle(_ tint: String) -> String {
    let values = series.conditions.filter { $0.tint == tint }.compactMap(\.duv)
    guard let duv = mean(values), tint == "planckian" || tint == "green" || tint == "magenta" else { return tint }
    let name = tint == "planckian" ? "Planckian" : tint
    return name + ", Duv " + (duv > 0.0005 ? "+" : "") + decimal(duv, 3)
  }

  private func panelX(_ column: Int) -> Double { Self.left + Double(column) * (Self.panelWidth + Self.gap) }

  private var cellWidth: Double { Self.panelWidth / Double(max(lux.values.count, 1)) }

  private func panel(_ method: Method, _ tint: String, _ x: Double, _ y: Double, in plot: inout Plot) {
    for row in cct.values.indices {
      for column in lux.values.indices {
        let here = series.conditions.filter {
          $0.tint == tint && lux.index(of: $0.lux) == column && cct.index(of: $0.cct) == row
        }
        let error = mean(here.compactMap { $0.error(of: method) })
        let (left, up) = (x + Double(column) * cellWidth, y + Double(row) * Self.rowHeight)
        cell(error, here.first?.id, left, up, in: &plot)
      }
    }
  }

  private func cell(_ error: Double?, _ id: String?, _ x: Double, _ y: Double, in plot: inout Plot) {
    let color = error.map(scale.color)
    plot.rectangle(
      x, y, cellWidth - 1.5, Self.rowHeight - 1.5, fill: color?.css ?? "", kind: color == nil ? "hole" : "",
      hint: id.map { "\($0): \(decimal(error, 2))" })
    let text = decimal(error, (error ?? 0) < 9.95 ? 1 : 0)
    plot.write(
      text, x + (cellWidth - 1.5) / 2, y + Self.rowHeight / 2 + 4, .middle, fill: color?.ink ?? "", kind: "cell")
  }

  private func axes(_ y: Double, in plot: inout Plot) {
    for (row, value) in cct.values.enumerated() {
      let text = decimal((value / 50).rounded() * 50, 0) + " K"
      plot.write(text, Self.left - 7, y + (Double(row) + 0.5) * Self.rowHeight + 4, .end, kind: "small")
    }
    for panel in tints.indices {
      for (column, value) in lux.values.enumerated() {
        let x = panelX(panel) + (Double(column) + 0.5) * cellWidth
        plot.write(short(value.rounded()) + " lx", x, y + blockHeight - 58 + 14, .middle, kind: "small")
      }
    }
  }

  /// The scale: small to large, with numbers.
  private func bar(_ y: Double, in plot: inout Plot) {
    let (length, steps) = (Self.barLength, 105)
    for step in 0..<steps {
      let color = ErrorScale.color(at: Double(step) / Double(steps - 1))
      plot.rectangle(
        Self.left + Double(step) * length / Double(steps), y, length / Double(steps) + 0.4, 12, fill: color.css)
    }
    for mark in scale.marks {
      let x = Self.left + scale.place(mark) * length
      plot.line(x, y + 12, x, y + 16, kind: "axis")
      plot.write((mark == scale.lowest ? "≤ " : "") + short(mark), x, y + 29, .middle, kind: "small")
    }
    plot.write("mean ΔE00 of chart and skin", Self.left + length + 16, y + 11, kind: "small")
  }
}
