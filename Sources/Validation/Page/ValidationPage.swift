import TextOutput

/// The figures as one page (HTML that is also well-formed XML) that needs nothing beside it and no script.
public struct ValidationPage {
  private let figures: ValidationFigures

  /// A page of figures.
  public init(_ figures: ValidationFigures) { self.figures = figures }

  /// The document, the same for the same figures.
  public var html: String {
    WebPage.html(title: "Validation of constant-color \(figures.version)") { body in
      header(&body)
      body.element("main") { main in
        if figures.series.isEmpty { main.element("p", text: "Nothing was measured.") }
        for (index, series) in figures.series.enumerated() {
          SeriesSection(series, tolerance: figures.tolerance, identifier: "s\(index + 1)").write(to: &main)
        }
        settings(&main)
        definitions(&main)
      }
    }
  }

  private func header(_ body: inout Markup) {
    body.element("header") { header in
      header.element("h1", text: "How constant are the colours?")
      header.element(
        "p", ["class": "muted"],
        text: "Results of constant-color \(figures.version), judged by the truth. Every figure here also stands in "
          + "figures.json, conditions.csv and patches.csv.")
      header.element("nav", ["aria-label": "On this page"]) {
        $0.element("ul") { list in
          let series = figures.series.enumerated().map { ("s\($0.offset + 1)", "Series: \($0.element.name)") }
          for (target, name) in series + [("settings", "Settings"), ("definitions", "What the figures are")] {
            list.element("li") { $0.element("a", ["href": "#" + target], text: name) }
          }
        }
      }
    }
  }

  private func settings(_ main: inout Markup) {
    main.element("section", ["aria-labelledby": "settings"]) { section in
      section.element("h2", ["id": "settings"], text: "Settings")
      let rows = [["version", figures.version], ["tolerance", "\(short(figures.tolerance)) ΔE00"]]
      let more = figures.settings.map { [$0.name, $0.value] }
      section.append(
        PageTable(FigureTable("What was judged", words: ["setting", "value"], numbers: [], rows: rows + more)).markup)
    }
  }

  private func definitions(_ main: inout Markup) {
    main.element("section", ["aria-labelledby": "definitions"]) { section in
      section.element("h2", ["id": "definitions"], text: "What the figures are")
      section.element("dl") { list in
        for definition in Definition.all(tolerance: figures.tolerance) {
          list.element("dt") { term in
            term.write(definition.term)
            if !definition.unit.isEmpty { term.element("span", ["class": "unit"], text: " (\(definition.unit))") }
          }
          list.element("dd") { text in
            text.write(definition.text)
            if !definition.source.isEmpty { text.element("span", ["class": "muted"], text: " " + definition.source) }
          }
        }
      }
    }
  }
}
