import Testing
import Validation

@Suite("Page") struct PageTests {
  @Test("The page is well-formed, and every name on it stands once")
  func wellFormed() throws {
    for figures in [SampleFigures.all()] + HostileFigures.all {
      let elements = try elements(ValidationPage(figures).html)
      let names = elements.compactMap(\.attributes["id"])
      #expect(Set(names).count == names.count)
      let targets = elements.compactMap(\.attributes["href"]).filter { $0.hasPrefix("#") }
      #expect(targets.allSatisfy { names.contains(String($0.dropFirst())) })
    }
  }

  @Test("Every drawing has a title and a description, every table heads, every picture words")
  func accessible() throws {
    let elements = try elements(ValidationPage(SampleFigures.all()).html)
    let names = Set(elements.compactMap(\.attributes["id"]))
    let drawings = elements.filter { $0.name == "svg" }
    #expect(drawings.count > 38)
    for drawing in drawings {
      let words = (drawing.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
      #expect(words.count == 2 && words.allSatisfy(names.contains))
    }
    func count(_ name: String) -> Int { elements.count { $0.name == name } }
    #expect(count("table") > 8 && count("caption") == count("table") && count("thead") == count("table"))
    #expect(elements.filter { $0.name == "th" }.allSatisfy { $0.attributes["scope"] != nil })
    let pictures = elements.filter { $0.name == "img" }.compactMap { $0.attributes["src"] }
    // The first bytes of PNG and JPEG.
    let beginnings = ["data:image/png;base64,iVBORw0KGgo", "data:image/jpeg;base64,/9j/"]
    #expect(pictures.count == 4 && pictures.allSatisfy { picture in beginnings.contains { picture.hasPrefix($0) } })
    #expect(elements.filter { $0.name == "img" }.allSatisfy { $0.attributes["alt"]?.isEmpty == false })
  }

  @Test("The page fetches nothing, runs nothing and is small")
  func selfContained() throws {
    let html = ValidationPage(SampleFigures.all()).html
    #expect(html.utf8.count < 1_500_000)
    let elements = try elements(html)
    #expect(!elements.contains { ["script", "link", "iframe", "object"].contains($0.name) })
    for element in elements {
      for key in ["src", "href"] {
        guard let address = element.attributes[key] else { continue }
        #expect(address.hasPrefix("data:image/") || address.hasPrefix("#"))
      }
    }
    #expect(!html.contains("url(") && !html.contains("@import"))
  }

  @Test("The same figures make the same page")
  func deterministic() {
    #expect(ValidationPage(SampleFigures.all()).html == ValidationPage(SampleFigures.all()).html)
  }

  @Test("Names are text, not markup")
  func escaping() {
    let html = ValidationPage(HostileFigures.broken).html
    #expect(!html.contains("a<b>") && html.contains("a&lt;b&gt;&amp;&quot;c&quot;"))
  }

  @Test("Nothing shows a number that is none")
  func numbers() {
    for figures in [SampleFigures.all()] + HostileFigures.all {
      let texts = [
        ValidationPage(figures).html, ValidationTable(figures).text(width: 100), ValidationSummary(figures).markdown,
        ValidationCSV.conditions(figures), ValidationCSV.patches(figures), ValidationJSON(figures).json.text(),
      ]
      for text in texts {
        // The bytes of pictures may spell anything.
        let words = text.replacing(/base64,[A-Za-z0-9+\/=]*/, with: "").split { !$0.isLetter }.map { $0.lowercased() }
        #expect(!words.contains { ["nan", "inf", "infinity"].contains($0) })
      }
    }
  }

  private struct Element {
    var name: String
    var attributes: [String: String]
  }

  private struct NotWellFormed: Error {
    var near: String
  }

  /// The elements of a page, if it is well-formed as XML.
  private func elements(_ html: String) throws -> [Element] {
    var elements: [Element] = []
    var open: [String] = []
    var rest = html[...]
    guard rest.hasPrefix("<!DOCTYPE html>\n") else { throw NotWellFormed(near: "the beginning") }
    rest = rest.dropFirst(16)
    while let start = rest.firstIndex(of: "<") {
      let text = rest[..<start]
      if text.contains(">"), open.last != "style" { throw NotWellFormed(near: String(text)) }
      guard let end = rest[start...].firstIndex(of: ">") else { throw NotWellFormed(near: String(rest[start...])) }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("/") {
        guard open.popLast() == String(tag.dropFirst()) else { throw NotWellFormed(near: String(tag)) }
        continue
      }
      guard let match = try /([a-z0-9]+)((?: [A-Za-z0-9\-]+="[^"<]*")*)(\/?)/.wholeMatch(in: tag) else {
        throw NotWellFormed(near: String(tag))
      }
      var attributes: [String: String] = [:]
      for pair in match.2.matches(of: /([A-Za-z0-9\-]+)="([^"]*)"/) {
        guard attributes.updateValue(String(pair.2), forKey: String(pair.1)) == nil else {
          throw NotWellFormed(near: String(tag))
        }
      }
      elements.append(Element(name: String(match.1), attributes: attributes))
      if match.3.isEmpty { open.append(String(match.1)) }
    }
    guard open.isEmpty else { throw NotWellFormed(near: open.joined(separator: " ")) }
    return elements
  }
}
