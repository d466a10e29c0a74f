import Photo
import TextOutput

/// A series at a glance: pages of small pictures with their confidence, what is to be taken again first. They need nothing
/// beside them, and no script.
struct ContactSheet {
  private let report: SeriesReport
  private let files: SeriesFiles

  /// More on a page make browsers slow.
  private static let most = 400

  init(_ report: SeriesReport, _ files: SeriesFiles) { (self.report, self.files) = (report, files) }

  /// Writes `index.html`, and `index-2.html` and so on where there are many pairs. Throws `PhotoError`.
  func write() throws {
    // The bad ones first: they are what the sheet is looked at for.
    let order = ["failed", "retake", "done", "pending"]
    let rows = report.rows.enumerated().sorted {
      let (one, other) = (order.firstIndex(of: $0.element.status) ?? 4, order.firstIndex(of: $1.element.status) ?? 4)
      return (one, $0.offset) < (other, $1.offset)
    }.map(\.element)
    let count = max(1, (rows.count + Self.most - 1) / Self.most)
    for page in 0..<count {
      let part = rows[(page * Self.most)..<min(rows.count, (page + 1) * Self.most)]
      let html = html(Array(part), page: page, of: count)
      try ByteFile.write(Array(html.utf8), to: "\(files.folder)/\(Self.name(page))")
    }
  }

  private static func name(_ page: Int) -> String { page == 0 ? "index.html" : "index-\(page + 1).html" }

  private func html(_ rows: [SeriesReport.Row], page: Int, of count: Int) -> String {
    WebPage.html(title: "Contact sheet", style: Self.style) { body in
      body.element("header") { header in
        header.element("h1", text: "Contact sheet")
        header.element("p", ["class": "muted"]) { line in
          line.write(
            report.summary + ". Each picture stands beside its confidence: white is sure. Every figure is in ")
          line.element("a", ["href": "report.csv"], text: "report.csv")
          line.write(" and ")
          line.element("a", ["href": "report.json"], text: "report.json")
          line.write(".")
        }
        if count > 1 { pages(&header, page, count) }
      }
      body.element("main") { main in
        main.element("ul", ["class": "sheet"]) { list in
          for row in rows { list.element("li", ["class": row.status]) { card(row, &$0) } }
        }
        if page == count - 1, !report.unpaired.isEmpty { unpaired(&main) }
      }
    }
  }

  private func pages(_ header: inout Markup, _ page: Int, _ count: Int) {
    header.element("nav", ["aria-label": "Pages"]) {
      $0.element("ul") { list in
        for other in 0..<count {
          list.element("li") { item in
            item.element(
              "a", ["href": Self.name(other), "aria-current": other == page ? "page" : ""], text: "Page \(other + 1)")
          }
        }
      }
    }
  }

  private func card(_ row: SeriesReport.Row, _ card: inout Markup) {
    let name = row.pair.name
    let isThere = row.report != .null
    if isThere, let picture = picture(name) {
      card.element("a", ["href": Self.address(files.result(name))]) {
        $0.empty("img", ["src": picture, "alt": "\(name): result and confidence", "loading": "lazy"])
      }
    }
    card.element("p", ["class": "head"]) { head in
      head.element("strong", text: name)
      head.element("span", ["class": "flag"], text: Self.words(row.status))
    }
    if let confidence = row.confidence {
      card.element("p", ["class": "muted"]) { line in
        line.element(
          "meter", ["min": "0", "max": "1", "value": decimal(confidence, 3), "aria-hidden": "true"], text: "")
        line.write(" confidence \(percent(confidence, 0))")
        if let ratio = row.report["exposureRatio"].double { line.write(" · ratio \(significant(ratio, 3))") }
        let model = row.report["alignment"]["model"].string
        if let model { line.write(model == "none" ? " · not moved" : " · \(model)") }
      }
    }
    for finding in row.findings {
      if let text = finding["message"].string { card.element("p", ["class": "finding"], text: text) }
    }
    if let message = row.outcome?.message { card.element("p", ["class": "finding"], text: message) }
    guard isThere else { return }
    card.element("p", ["class": "links"]) { links in
      for (text, file) in [
        ("result", files.result(name)), ("confidence", files.confidence(name)), ("report", files.report(name)),
      ] {
        links.element("a", ["href": Self.address(file)], text: text)
        links.write(" ")
      }
    }
  }

  private func unpaired(_ main: inout Markup) {
    main.element("section") { section in
      section.element("h2", text: "Files in no pair")
      section.element("dl") { list in
        for file in report.unpaired {
          list.element("dt", text: file.path)
          list.element("dd", text: "\(file.kind.rawValue): \(file.reason)")
        }
      }
    }
  }

  private func picture(_ name: String) -> String? {
    let path = "\(files.folder)/\(files.preview(name))"
    guard let bytes = try? ByteFile.read(path, as: "a preview", atMost: 1 << 22) else { return nil }
    return "data:image/jpeg;base64," + base64(bytes)
  }

  private static func words(_ status: String) -> String {
    switch status {
    case "retake": "take again"
    case "pending": "not begun"
    default: status
    }
  }

  /// A relative path as the address of a link (RFC 3986): never taken for another scheme.
  private static func address(_ path: String) -> String {
    var text = "./"
    for byte in path.utf8 {
      let isPlain =
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~/".utf8.contains(byte)
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return text
  }

  private static let style = """

    .sheet{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:1rem;margin:1.4rem 0;padding:0;
    list-style:none}
    .sheet li{background:var(--panel);border-radius:.6rem;padding:.7rem;break-inside:avoid;border-left:.35rem solid var(--rule);
    overflow-wrap:anywhere}
    .sheet img{display:block;width:100%;height:auto;border-radius:.3rem}
    .sheet p{margin:.4rem 0 0;font-size:.85rem;line-height:1.4}.sheet .head{display:flex;justify-content:space-between;gap:.6rem;
    font-size:1rem}
    .sheet .done{border-color:var(--result)}.sheet .retake{border-color:var(--ambient)}
    .sheet .failed{border-color:#c0392b}
    .flag{white-space:nowrap;font-weight:600}.done .flag,.pending .flag{font-weight:400;color:var(--muted)}
    .retake .flag{color:var(--ambient)}.failed .flag{color:#c0392b}
    """
}
