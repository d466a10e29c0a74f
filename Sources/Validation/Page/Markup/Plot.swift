import TextOutput

/// A drawing (SVG) with words for those who do not see it. Lengths are CSS pixels at full size.
struct Plot {
  /// Where a text stands by its place.
  enum Anchor: String {
    case start, middle, end
  }

  let width, height: Double
  private let identifier, title, description: String
  /// The narrowest that it may be shown: below, the page scrolls it instead of making its words too small.
  var narrowest: Double?
  var body = Markup()

  /// An empty drawing.
  ///
  /// - Parameter identifier: a name that is no other's on the page.
  init(_ identifier: String, width: Double, height: Double, title: String, description: String) {
    (self.identifier, self.width, self.height) = (identifier, width, height)
    (self.title, self.description) = (title, description)
  }

  /// The drawing as an element of a page.
  var svg: Markup {
    var markup = Markup()
    let style = narrowest.map { "min-width:\(Self.text($0))px" } ?? ""
    markup.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(Self.text(width)) \(Self.text(height))",
        "width": Self.text(width), "height": Self.text(height), "role": "img", "style": style,
        "aria-labelledby": "\(identifier)-title \(identifier)-desc",
      ]
    ) {
      $0.element("title", ["id": identifier + "-title"], text: title)
      $0.element("desc", ["id": identifier + "-desc"], text: description)
      $0.append(body)
    }
    return markup
  }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String = "", kind: String = "",
    hint: String? = nil
  ) {
    let attributes: Markup.Attributes = [
      "x": Self.text(x), "y": Self.text(y), "width": Self.text(max(width, 0)), "height": Self.text(max(height, 0)),
      "fill": fill, "class": kind,
    ]
    guard let hint else { return body.empty("rect", attributes) }
    body.element("rect", attributes) { $0.element("title", text: hint) }
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, kind: String) {
    body.empty(
      "line", ["x1": Self.text(x1), "y1": Self.text(y1), "x2": Self.text(x2), "y2": Self.text(y2), "class": kind])
  }

  mutating func circle(_ x: Double, _ y: Double, radius: Double, kind: String, hint: String) {
    body.element("circle", ["cx": Self.text(x), "cy": Self.text(y), "r": Self.text(radius), "class": kind]) {
      $0.element("title", text: hint)
    }
  }

  mutating func path(_ commands: String, stroke: String = "", kind: String) {
    body.empty("path", ["d": commands, "stroke": stroke, "class": kind])
  }

  mutating func write(
    _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, fill: String = "", kind: String = "",
    turned: Bool = false
  ) {
    let place = "\(Self.text(x)) \(Self.text(y))"
    body.element(
      "text",
      [
        "x": Self.text(x), "y": Self.text(y), "text-anchor": anchor == .start ? "" : anchor.rawValue, "fill": fill,
        "class": kind, "transform": turned ? "rotate(-90 \(place))" : "",
      ], text: text)
  }

  /// A length with a tenth at most.
  static func text(_ value: Double) -> String { value.isFinite ? short(value) : "0" }
}
