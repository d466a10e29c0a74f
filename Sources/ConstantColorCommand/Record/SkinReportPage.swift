import SkinRecord
import TextOutput
import Validation

/// One site over time, as a page that needs nothing beside it.
struct SkinReportPage {
  private let history: SeriesHistory
  private let seriesCount: Int

  /// - Parameter seriesCount: how many series the site has.
  init(_ history: SeriesHistory, seriesCount: Int) { (self.history, self.seriesCount) = (history, seriesCount) }

  var html: String {
    let first = history.records.first
    let title = "\(first?.subject ?? ""), \(first?.site ?? "")"
    return WebPage.html(title: title) { body in
      body.element("header") { header in
        header.element("h1", text: title)
        header.element("p", ["class": "muted"], text: headline)
        for line in remarks { header.element("p", text: line) }
      }
      body.element("main") { main in
        for (index, region) in history.regions.enumerated() { section(region, index, &main) }
        notes(&main)
      }
    }
  }

  private var headline: String {
    guard let first = history.records.first, let last = history.records.last else { return "" }
    let count = history.records.count
    return "Series \(first.series) of \(seriesCount): \(count) \(count == 1 ? "capture" : "captures"), "
      + (count == 1 ? first.taken : "\(first.taken) to \(last.taken)")
  }

  private var remarks: [String] {
    guard let identity = history.records.first?.identity else { return [] }
    let colors =
      identity.profile.map { "profile \($0.prefix(12)) (chart \(identity.chart ?? "unknown"))" }
      ?? "no profile: \(identity.source)"
    var lines = ["Colours by \(colors); exposure \(identity.exposure); lightness by \(identity.lightness)."]
    let weak = history.records.count(where: \.isBelowThreshold)
    if weak > 0 {
      lines.append(
        "\(weak) of the captures should have been taken again: their confidence is below the threshold. They "
          + "are hollow in the plots.")
    }
    return lines
  }

  private func section(_ region: String, _ index: Int, _ main: inout Markup) {
    main.element("section") { section in
      section.element("h2", text: region.prefix(1).uppercased() + region.dropFirst())
      for quantity in Self.order {
        guard let plot = SeriesPlot(history, region: region, quantity) else { continue }
        section.element("h3", text: quantity.title)
        section.element("figure") { figure in
          figure.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": quantity.title]) {
            $0.append(plot.svg("plot-\(index)-\(quantity.rawValue)"))
          }
        }
      }
      table(region, &section)
    }
  }

  /// What everybody has first.
  private static let order: [Quantity] = [.erythema, .a, .hue, .ita, .lightness, .b]

  private func table(_ region: String, _ section: inout Markup) {
    section.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "All numbers"]) {
      $0.element("table") { table in
        table.element("caption", text: "All numbers of \(region), ± at 95 %; in brackets ± within the series")
        table.element("thead") {
          $0.element("tr") { row in
            for head in ["Record", "Taken"] { row.element("th", ["scope": "col"], text: head) }
            for head in ["Confidence", "Trusted"] + Quantity.allCases.map(\.symbol) {
              row.element("th", ["scope": "col", "class": "n"], text: head)
            }
          }
        }
        table.element("tbody") { body in
          for record in history.records {
            guard let part = record.regions.first(where: { $0.name == region }) else { continue }
            body.element("tr") { row(record, part, &$0) }
          }
        }
      }
    }
    for reason in reasons(region) { section.element("p", ["class": "muted"], text: reason) }
  }

  private func row(_ record: SkinRecord, _ region: SkinRecord.Region, _ row: inout Markup) {
    row.element("th", ["scope": "row"], text: "\(record.id)")
    row.element("td", text: record.taken.replacing("T", with: " "))
    row.element("td", ["class": "n"], text: decimal(record.confidence, 2) + (record.isBelowThreshold ? " (low)" : ""))
    row.element("td", ["class": "n"], text: percent(Double(region.trusted) / Double(max(region.pixels, 1)), 0))
    for measurement in region.measurements {
      guard let value = measurement.value, let margin = history.margin(measurement, in: region.name) else {
        row.element("td", ["class": "n"], text: unknownText)
        continue
      }
      let words = "\(decimal(value, 1)) ± \(decimal(margin.total, 1)) (\(decimal(margin.series, 1)))"
      row.element("td", ["class": "n"], text: words)
    }
  }

  /// Why numbers are missing, each reason once.
  private func reasons(_ region: String) -> [String] {
    var lines: [String] = []
    for record in history.records {
      for measurement in record.regions.first(where: { $0.name == region })?.measurements ?? [] {
        guard let reason = measurement.reason else { continue }
        let line = "\(measurement.quantity.symbol) is missing: \(reason)."
        if !lines.contains(line) { lines.append(line) }
      }
    }
    return Array(lines.prefix(12))
  }

  private func notes(_ main: inout Markup) {
    main.element("section") { section in
      section.element("h2", text: "How to read this")
      section.element(
        "p",
        text: "Only pixels whose confidence reaches the threshold count. The thin line at each point is ± at 95 "
          + "% to the true value; "
          + "the box is ± at 95 % between captures of this series, which share the calibration. Two captures "
          + "differ for a reason "
          + "when they are further apart than 1.4 times the box's half height.")
      section.element(
        "p",
        text: "The erythema index is 100 log10(R/G) of linear sRGB under D65 (after Diffey, Oliver, Farr, Br. "
          + "J. Dermatol. 111, "
          + "1984). It is computed from colour, not from narrow-band reflectance: compare it within this "
          + "project, not with an "
          + "instrument's. ITA = atan((L* − 50) / b*) (Chardon, Cretois, Hourseau, Int. J. Cosmet. Sci. 13, 1991).")
      if history.records.contains(where: { !$0.knowsLightness }) {
        section.element(
          "p",
          text: "Where L* is not known, a* and b* are told at L* 60; they grow in proportion to L* + 16. Hue "
            + "and erythema index do not "
            + "depend on it.")
      }
    }
  }
}
