import TextOutput

/// A graph as an SVG document: boxes in layers, pads as ports, times as hints; nothing but SVG is needed to see it.
struct GraphSVG {
  private let layout: GraphLayout
  private let boxes: [GraphBox]
  /// The top of each layer, and the height of all.
  private let tops: [Int]
  private let height: Int

  private static let (letter, line, padding, gap, channel, margin) = (7, 17, 10, 28, 54, 16)
  private static let room = 1100

  init(_ graph: GraphDescription) {
    let plain = PlainGraph(graph)
    let boxes = plain.nodes.indices.map { GraphBox(plain, $0, room: 80) }
    let widths = boxes.map { box in
      let pads = box.pads.reduce(0) { $0 + max(1, $1.count) * Self.letter + 12 }
      return max((box.lines.map(\.count).max() ?? 0) * Self.letter + 2 * Self.padding, pads + 2 * Self.padding, 80)
    }
    let layout = GraphLayout(plain, widths: widths, gap: Self.gap, wire: 4, room: Self.room)
    (self.layout, self.boxes) = (layout, boxes)
    var y = Self.margin
    var tops: [Int] = []
    for layer in layout.layers {
      tops.append(y)
      y += (layer.map { Self.height($0.item, boxes) }.max() ?? 0) + Self.channel
    }
    self.tops = tops
    height = max(y - Self.channel, 0) + Self.margin
  }

  private static func height(_ item: LayerItem, _ boxes: [GraphBox]) -> Int {
    guard case .node(let node) = item else { return 0 }
    return boxes[node].lines.count * line + 2 * padding
  }

  var text: String {
    let width = layout.width + 2 * Self.margin
    var svg = Markup()
    svg.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": "\(width)", "height": "\(height)",
        "viewBox": "0 0 \(width) \(height)", "font-family": "DejaVu Sans Mono, monospace", "font-size": "11",
      ]
    ) { svg in
      svg.element("title", text: "A graph of \(layout.graph.nodes.count) operations")
      svg.empty("rect", ["width": "100%", "height": "100%", "fill": "#ffffff"])
      svg.element("g", ["fill": "none", "stroke": "#6b7680", "stroke-width": "1.5"]) { wires(in: &$0) }
      for (index, layer) in layout.layers.enumerated() {
        for place in layer {
          if case .node(let node) = place.item { box(node, place, tops[index], in: &svg) }
        }
      }
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg.text + "\n"
  }

  private func box(_ node: Int, _ place: GraphLayout.Place, _ top: Int, in svg: inout Markup) {
    let (x, box) = (place.x + Self.margin, boxes[node])
    let description = layout.graph.nodes[node]
    let height = Self.height(place.item, boxes)
    svg.element("g") { svg in
      let hint = ["\(description.name) = \(description.operation)", GraphBox.timing(description)]
      svg.element("title", text: hint.compactMap(\.self).joined(separator: ": "))
      svg.empty(
        "rect",
        [
          "x": "\(x)", "y": "\(top)", "width": "\(place.width)", "height": "\(height)", "rx": "5", "fill": "#f6f6f3",
          "stroke": "#55606a",
        ])
      for (row, line) in box.lines.enumerated() {
        svg.element(
          "text",
          [
            "x": "\(x + Self.padding)", "y": "\(top + Self.padding + row * Self.line + 12)",
            "font-weight": row == 0 ? "bold" : "", "fill": row == 0 ? "#1d2429" : "#46505a",
          ], text: line)
      }
      for pad in box.pads.indices {
        let port = portX(node, place, pad)
        svg.empty("circle", ["cx": "\(port)", "cy": "\(top)", "r": "3", "fill": "#55606a"])
        if !box.pads[pad].isEmpty {
          svg.element(
            "text", ["x": "\(port + 6)", "y": "\(top - 4)", "font-size": "10", "fill": "#46505a"], text: box.pads[pad])
        }
      }
      svg.empty(
        "circle", ["cx": "\(x + place.width / 2)", "cy": "\(top + height)", "r": "3", "fill": "#55606a"])
    }
  }

  private func portX(_ node: Int, _ place: GraphLayout.Place, _ pad: Int) -> Int {
    let count = max(1, boxes[node].pads.count)
    return place.x + Self.margin + place.width * (2 * pad + 1) / (2 * count)
  }

  /// Each link is a curve that leaves and arrives straight down; through a layer it passes straight.
  private func wires(in svg: inout Markup) {
    for (index, links) in layout.links.enumerated() {
      let end = tops[index] + (layout.layers[index].map { Self.height($0.item, boxes) }.max() ?? 0)
      for place in layout.layers[index] {
        let x = place.x + place.width / 2 + Self.margin
        let top = tops[index] + Self.height(place.item, boxes)
        // Beside higher boxes the way is straight.
        if top < end, links.contains(where: { layout.layers[index][$0.upper].x == place.x }) {
          svg.empty("path", ["d": "M \(x) \(top) L \(x) \(end)"])
        }
      }
      for link in links {
        let (upper, lower) = (layout.layers[index][link.upper], layout.layers[index + 1][link.lower])
        let x1 = upper.x + upper.width / 2 + Self.margin
        var x2 = lower.x + lower.width / 2 + Self.margin
        if let pad = link.pad, case .node(let node) = lower.item { x2 = portX(node, lower, pad) }
        let bottom = tops[index + 1]
        let middle = (end + bottom) / 2
        svg.empty("path", ["d": "M \(x1) \(end) C \(x1) \(middle) \(x2) \(middle) \(x2) \(bottom)"])
      }
    }
  }
}
