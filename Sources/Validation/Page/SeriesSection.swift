import TextOutput

/// The part of the page that tells one series.
struct SeriesSection {
  private let series: SeriesFigures
  private let tables: SeriesTables
  private let tolerance: Double
  private let identifier: String
  /// More patches than these make no page.
  private static let mostPatches = 120

  init(_ series: SeriesFigures, tolerance: Double, identifier: String) {
    (self.series, self.tolerance, self.identifier) = (series, tolerance, identifier)
    tables = SeriesTables(series, tolerance: tolerance)
  }

  func write(to page: inout Markup) {
    page.element("section", ["aria-labelledby": identifier]) { section in
      section.element("h2", ["id": identifier], text: "Series: " + series.name)
      section.element("p", ["class": "muted"], text: sentence)
      section.append(tiles)
      variance(&section)
      colorError(&section)
      let patches = Array(PatchSeries.all(series).prefix(Self.mostPatches))
      self.patches(patches, &section)
      chroma(patches, &section)
      confidence(&section)
      others(&section)
      worst(&section)
      allPairs(&section)
    }
  }

  private var sentence: String {
    let count = series.conditions.count
    var parts = ["\(count) \(count == 1 ? "pair" : "pairs")"]
    let (lux, cct) = (series.luxLevels.values, series.cctLevels.values)
    if let low = lux.first, let high = lux.last {
      parts.append(low == high ? "\(short(low)) lux" : "\(short(low)) to \(short(high)) lux")
    }
    if let low = cct.first, let high = cct.last {
      func kelvin(_ value: Double) -> String { decimal((value / 50).rounded() * 50, 0) }
      parts.append(low == high ? "\(kelvin(low)) K" : "\(kelvin(low)) to \(kelvin(high)) K")
    }
    if series.tints.count > 1 { parts.append(series.tints.prefix(6).joined(separator: ", ")) }
    return parts.joined(separator: " · ")
  }

  /// The main figures.
  private var tiles: Markup {
    var list: [(number: String, words: String)] = []
    if let reduction = series.reduction(against: .ambient), reduction.isFinite {
      list.append(
        (
          percent(abs(reduction)),
          "\(reduction >= 0 ? "less" : "more") ambient-induced variance than the standard picture; Apple’s figure is 87 % less"
        ))
    }
    let methods = series.methods
    for kind in [PairPatchKind.skin, .chart] {
      guard let ours = methods[.result]?.colorError[kind] else { continue }
      let theirs = methods[.ambient]?.colorError[kind].map { "; standard picture \(decimal($0.mean, 1))" } ?? ""
      list.append((decimal(ours.mean, 1) + " ΔE00", "mean colour error of \(kind.title) patches" + theirs))
    }
    if let error = methods[.result]?.wellLitError {
      list.append((decimal(error, 1) + " ΔE00", "mean colour error of all well-lit pixels"))
    }
    if let confidence = series.confidence {
      if let right = confidence.sureWithinTolerance {
        list.append(
          (percent(right), "of the \(confidence.samples.rawValue) with a confidence of 0.9 and more are right"))
      }
      list.append((decimal(confidence.auc, 2), "AUC of confidence: 0.5 is chance, 1 perfect"))
    }
    var markup = Markup()
    guard !list.isEmpty else { return markup }
    markup.element("ul", ["class": "tiles"]) { tiles in
      for (number, words) in list {
        tiles.element("li") {
          $0.element("span", ["class": "number"], text: number)
          $0.element("span", ["class": "words"], text: words)
        }
      }
    }
    return markup
  }

  private func variance(_ section: inout Markup) {
    let bars = VarianceBars(series)
    let tables = [tables.variance, tables.varianceByLux].compactMap { $0 }
    guard bars != nil || !tables.isEmpty else { return }
    section.element("h3", text: "Do colours stay when the light changes?")
    if let bars {
      section.append(
        figure(
          bars.plot(identifier + "-variance"),
          "Variance of a patch's colour over all lights, mean over chart and skin (ΔE*ab²): the shorter, the more constant."
        ))
    }
    for table in tables { section.append(PageTable(table).markup) }
  }

  private func colorError(_ section: inout Markup) {
    let map = HeatMap(series)
    let tables = [tables.colorError, tables.lightnessError].compactMap { $0 }
    guard map != nil || !tables.isEmpty else { return }
    section.element("h3", text: "Are they the true colours?")
    if let map {
      section.append(
        figure(
          map.plot(identifier + "-map"),
          "Mean colour error of the patches of chart and skin in each pair. One scale for all panels, logarithmic."))
    }
    for table in tables { section.append(PageTable(table).markup) }
  }

  private func patches(_ patches: [PatchSeries], _ section: inout Markup) {
    guard !patches.isEmpty else { return }
    section.element("h3", text: "How it looks")
    section.element(
      "p", ["class": "muted"],
      text:
        "Each frame is a patch in its true colour under D65; what cannot be told from the frame is right. All at the truth's luminance. Beneath the name: "
        + "mean ΔE00. sRGB; colours outside are clipped.")
    for kind in PairPatchKind.allCases {
      let members = patches.enumerated().filter { $0.element.kind == kind }
      guard !members.isEmpty else { continue }
      section.element("h4", text: kind.title.prefix(1).uppercased() + kind.title.dropFirst())
      section.element("ul", ["class": "patches"]) { list in
        if kind == patches.first?.kind {
          item(PatchStrip.key(identifier + "-key"), "how to read", "frame: the truth", &list)
        }
        for (index, patch) in members {
          let errors =
            "result \(decimal(patch.error(of: .result), 1)) · ambient \(decimal(patch.error(of: .ambient), 1))"
          item(PatchStrip(patch).plot("\(identifier)-patch\(index)"), patch.name, errors, &list)
        }
      }
    }
  }

  private func item(_ plot: Plot, _ name: String, _ words: String, _ list: inout Markup) {
    list.element("li") { item in
      item.append(plot.svg)
      item.element("span", ["class": "name"]) {
        $0.write(name)
        $0.element("span", ["class": "muted"], text: " " + words)
      }
    }
  }

  private func chroma(_ patches: [PatchSeries], _ section: inout Markup) {
    guard let plane = ChromaPlane(patches) else { return }
    section.element("h3", text: "Where the light pushes them")
    section.append(
      figure(
        plane.plot(identifier + "-chroma"),
        "Every dot is a patch in one pair, every cross the truth. Points outside the plane are drawn at its edge."))
  }

  private func confidence(_ section: inout Markup) {
    guard let figures = series.confidence else { return }
    section.element("h3", text: "Does confidence tell the truth?")
    section.element("div", ["class": "side"]) { side in
      if let diagram = ReliabilityDiagram(figures, tolerance: tolerance) {
        side.append(
          figure(
            diagram.plot(identifier + "-reliability"),
            "On the dashed line confidence is the share of right \(figures.samples.rawValue); above, it is too modest; "
              + "below, too sure. Hollow: fewer than 1000 \(figures.samples.rawValue)."))
      }
      side.element("div") { column in
        for table in [upright(tables.confidence), tables.regions].compactMap({ $0 }) {
          column.append(PageTable(table).markup)
        }
      }
    }
  }

  /// A table of one row as one of two columns, which fits beside a drawing.
  private func upright(_ table: FigureTable?) -> FigureTable? {
    guard let table, let row = table.rows.first else { return nil }
    let pairs = zip(table.columns, row).dropFirst(table.nameCount).map { [$0.head, $1] }
    return FigureTable(table.title, words: ["figure"], numbers: ["value"], rows: pairs)
  }

  private func others(_ section: inout Markup) {
    let tables = [tables.geometry, tables.background].compactMap { $0 }
    guard !tables.isEmpty else { return }
    section.element("h3", text: "Alignment, shadow, exposure ratio, time")
    for table in tables { section.append(PageTable(table).markup) }
  }

  private func worst(_ section: inout Markup) {
    guard tables.worst != nil || !series.worst.isEmpty else { return }
    section.element("h3", text: "What came out worst")
    if let table = tables.worst { section.append(PageTable(table).markup) }
    for item in series.worst {
      section.element("div", ["class": "worst"]) { block in
        block.element("h4", text: item.id)
        block.element("p", ["class": "muted"], text: item.reason)
        block.element("div", ["class": "pictures"]) { pictures in
          for (title, picture) in item.pictures { self.picture(picture, title, of: item.id, &pictures) }
        }
      }
    }
  }

  private func picture(_ picture: SmallPicture, _ title: String, of pair: String, _ pictures: inout Markup) {
    guard let address = picture.dataAddress else { return }
    pictures.element("figure") {
      $0.empty(
        "img",
        [
          "src": address, "width": String(picture.width), "height": String(picture.height), "alt": "\(pair): \(title)",
        ])
      $0.element("figcaption", text: title)
    }
  }

  private func allPairs(_ section: inout Markup) {
    guard !series.conditions.isEmpty else { return }
    section.element("details") {
      $0.element("summary", text: "All \(series.conditions.count) pairs")
      $0.append(PageTable(tables.pairs("All pairs (ΔE00 of the result)", series.conditionsByLight)).markup)
    }
  }

  private func figure(_ plot: Plot, _ words: String) -> Markup {
    var markup = Markup()
    markup.element("figure") {
      $0.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": words]) {
        $0.append(plot.svg)
      }
      $0.element("figcaption", text: words)
    }
    return markup
  }
}
