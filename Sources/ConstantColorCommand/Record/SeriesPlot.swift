import SkinRecord
import TextOutput

/// One quantity of one region over time, with its margins (SVG).
struct SeriesPlot {
  private struct Point {
    let time, value, total, series: Double
    let isTrusted: Bool
    let hint: String
  }

  private let title, unit: String
  private let points: [Point]
  private let times, values: ClosedRange<Double>
  private let days: Bool

  private static let (width, height, left, right, top, bottom) = (640.0, 220.0, 58.0, 14.0, 12.0, 34.0)

  /// Nil where the region has no such number in any record.
  init?(_ history: SeriesHistory, region: String, _ quantity: Quantity) {
    var first: Double?
    var points: [Point] = []
    for record in history.records {
      guard let part = record.regions.first(where: { $0.name == region }), let measurement = part[quantity],
        let value = measurement.value, let margin = history.margin(measurement, in: region),
        let time = Timestamp.seconds(record.taken)
      else { continue }
      // Hues go round: the curve does not.
      let shown = first.map { $0 + quantity.difference(value, $0) } ?? value
      first = first ?? value
      points.append(
        Point(
          time: time, value: shown, total: margin.total, series: margin.series, isTrusted: !record.isBelowThreshold,
          hint: "\(record.taken): \(decimal(value, 1)) ± \(decimal(margin.total, 1))"))
    }
    guard let begin = points.map(\.time).min(), let end = points.map(\.time).max() else { return nil }
    self.points = points
    title = quantity.title
    unit = quantity.unit
    let room = end > begin ? (end - begin) * 0.04 : 30
    times = (begin - room)...(end + room)
    days = end - begin >= 2 * 86400
    let low = points.map { $0.value - $0.total }.min() ?? 0
    let high = points.map { $0.value + $0.total }.max() ?? 1
    values = low...max(high, low + 1)
  }

  /// The drawing.
  func svg(_ identifier: String) -> Markup {
    var svg = Markup()
    let (width, height) = (Self.width, Self.height)
    svg.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(Int(width)) \(Int(height))", "width": "\(Int(width))",
        "height": "\(Int(height))", "role": "img", "aria-labelledby": "\(identifier)-title \(identifier)-desc",
        "style": "min-width:400px",
      ]
    ) { svg in
      svg.element("title", ["id": identifier + "-title"], text: title)
      svg.element(
        "desc", ["id": identifier + "-desc"],
        text: "\(points.count) captures over time; the table below has the same numbers.")
      grid(&svg)
      curve(&svg)
      for point in points { draw(point, &svg) }
    }
    return svg
  }

  private func x(_ time: Double) -> Double {
    let part = (time - times.lowerBound) / (times.upperBound - times.lowerBound)
    return Self.left + part * (Self.width - Self.left - Self.right)
  }

  private func y(_ value: Double) -> Double {
    let part = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
    return Self.height - Self.bottom - part * (Self.height - Self.top - Self.bottom)
  }

  private func grid(_ svg: inout Markup) {
    let step = Self.step((values.upperBound - values.lowerBound) / 6)
    var tick = (values.lowerBound / step).rounded(.up) * step
    while tick <= values.upperBound {
      line(Self.left, y(tick), Self.width - Self.right, y(tick), "grid", &svg)
      text(Self.left - 6, y(tick) + 4, "end", decimal(tick, step < 1 ? 1 : 0) + unit, &svg)
      tick += step
    }
    line(Self.left, Self.height - Self.bottom, Self.width - Self.right, Self.height - Self.bottom, "axis", &svg)
    guard let first = points.first, let last = points.last else { return }
    let places = first.time == last.time ? [(first.time, "start")] : [(first.time, "start"), (last.time, "end")]
    for (time, anchor) in places {
      let label = Timestamp.text(time)
      text(x(time), Self.height - 12, anchor, days ? String(label.prefix(10)) : label.replacing("T", with: " "), &svg)
    }
  }

  private func curve(_ svg: inout Markup) {
    guard points.count > 1 else { return }
    let places = points.map { "\(decimal(x($0.time), 1)),\(decimal(y($0.value), 1))" }
    svg.empty("polyline", ["class": "curve", "points": places.joined(separator: " ")])
  }

  private func draw(_ point: Point, _ svg: inout Markup) {
    let place = x(point.time)
    line(place, y(point.value - point.total), place, y(point.value + point.total), "axis", &svg)
    let (low, high) = (y(point.value - point.series), y(point.value + point.series))
    svg.empty(
      "rect",
      [
        "class": "band", "x": decimal(place - 5, 1), "y": decimal(high, 1), "width": "10",
        "height": decimal(max(low - high, 1), 1),
      ])
    let kind = point.isTrusted ? "dot" : "hollow"
    svg.element("circle", ["class": kind, "cx": decimal(place, 1), "cy": decimal(y(point.value), 1), "r": "4"]) {
      $0.element("title", text: point.hint)
    }
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String, _ svg: inout Markup
  ) {
    svg.empty(
      "line",
      ["class": kind, "x1": decimal(x1, 1), "y1": decimal(y1, 1), "x2": decimal(x2, 1), "y2": decimal(y2, 1)])
  }

  private func text(_ x: Double, _ y: Double, _ anchor: String, _ words: String, _ svg: inout Markup) {
    svg.element(
      "text", ["class": "small", "x": decimal(x, 1), "y": decimal(y, 1), "text-anchor": anchor], text: words)
  }

  /// The next of 1, 2, 5 times a power of ten.
  private static func step(_ rough: Double) -> Double {
    var unit = 0.1
    while unit * 10 <= rough, unit < 1e9 { unit *= 10 }
    return [1.0, 2, 5, 10].map { $0 * unit }.first { $0 >= rough } ?? 10 * unit
  }
}
