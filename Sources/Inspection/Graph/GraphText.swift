import TextOutput

/// A graph drawn with characters.
struct GraphText {
  let text: String

  init(_ graph: GraphDescription, width: Int, ascii: Bool) {
    let plain = PlainGraph(graph)
    let boxes = plain.nodes.indices.map { GraphBox(plain, $0, room: width) }
    let layout = GraphLayout(plain, widths: boxes.map(\.width), gap: 2, wire: 3, room: width)
    let isFitting = layout.width <= width && boxes.allSatisfy { $0.leastWidth <= width }
    let drawing = isFitting ? BoxDrawing(layout, boxes).canvas.text(ascii: ascii) : Self.list(plain, width)
    text = ascii ? Self.asciiOnly(drawing) : drawing
  }

  /// A node a line, for what is wider than the terminal.
  private static func list(_ graph: PlainGraph, _ width: Int) -> String {
    graph.nodes.indices.map { index in
      let node = graph.nodes[index]
      let inputs = graph.arriving[index].map { edge in
        let pad = graph.pads[index][edge.pad]
        return (pad == "input" ? "" : pad + "=") + graph.nodes[edge.source].name
      }
      let properties = node.properties.map { "\($0.name)=\($0.value)" }
      let words = [node.name, "=", node.operation] + inputs + properties + [GraphBox.timing(node)].compactMap(\.self)
      return elided(plainText(words.joined(separator: " ")), width)
    }.joined(separator: "\n")
  }

  /// What is not in ASCII is a question mark for each of its columns.
  private static func asciiOnly(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character.isASCII {
        result.append(character)
      } else if character == "…" {
        result.append(".")
      } else {
        result += String(repeating: "?", count: String(character).columns)
      }
    }
  }
}

/// The words in a node's box.
struct GraphBox {
  let lines: [String]
  /// What is written at the pads, beside their arrows; nothing at the main one.
  let pads: [String]
  let width: Int
  /// What its pads need.
  let leastWidth: Int
  var height: Int { lines.count + 2 }

  private static let widest = 44
  private static let mostProperties = 6

  init(_ graph: PlainGraph, _ index: Int, room: Int) {
    let node = graph.nodes[index]
    let space = max(8, min(Self.widest, room) - 4)
    let statement = "\(node.name) = \(node.operation)"
    var words = statement.columns <= space ? [statement] : [node.name, node.operation]
    words += node.properties.prefix(Self.mostProperties).map { "\($0.name)=\($0.value)" }
    let rest = node.properties.count - Self.mostProperties
    if rest > 0 { words.append("… \(rest) more") }
    if let timing = Self.timing(node) { words.append(timing) }
    let lines = words.map { elided(plainText($0), space) }
    let connected = graph.arriving[index].map(\.pad)
    let pads = graph.pads[index].enumerated().map { pad, name in
      name == "input" || !connected.contains(pad) ? "" : elided(plainText(name), 12)
    }
    (self.lines, self.pads) = (lines, pads)
    let arrows = connected.reduce(0) { $0 + pads[$1].columns + 2 }
    leastWidth = arrows + 2
    // Beside every arrow and its word a place more, where another wire may be in the way.
    let wanted = max((lines.map(\.columns).max() ?? 0) + 4, arrows + connected.count + 2)
    width = max(min(wanted, max(room, 12)), 12)
  }

  /// How long the node took; nil where that is not known.
  static func timing(_ node: GraphDescription.Node) -> String? {
    guard let seconds = node.seconds, seconds.isFinite else { return nil }
    let time = seconds < 1 ? significant(seconds * 1000, 3) + " ms" : significant(seconds, 3) + " s"
    guard let speed = node.megapixelsPerSecond, speed.isFinite else { return time }
    return "\(time), \(significant(speed, 3)) MP/s"
  }
}

/// A text of one line: what would break it is a blank.
func plainText(_ text: String) -> String {
  String(
    text.map { character in
      character.isNewline || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        ? " " : character
    })
}

/// A text cut to a number of columns, with an ellipsis where something is left out.
func elided(_ text: String, _ width: Int) -> String {
  guard text.columns > width else { return text }
  var short = text
  while short.columns > max(0, width - 1) { short.removeLast() }
  return short + "…"
}

/// Boxes and wires on a canvas.
private struct BoxDrawing {
  private(set) var canvas = CharacterCanvas()
  private let layout: GraphLayout
  private let boxes: [GraphBox]
  /// Where each item's wire is, layer by layer: the column of a wire, or of a box's output.
  private var columns: [[Int]] = []

  init(_ layout: GraphLayout, _ boxes: [GraphBox]) {
    self.layout = layout
    self.boxes = boxes
    var y = 0
    for index in layout.layers.indices {
      columns.append(layout.layers[index].map { $0.x + ($0.width - 1) / 2 })
      var arrows: [Int: [(column: Int, pad: Int)]] = [:]
      if index > 0 { y += channel(above: index, from: y, &arrows) }
      y += layer(index, y, arrows)
    }
  }

  /// Draws the boxes and wires of a layer; returns its height.
  private mutating func layer(_ index: Int, _ y: Int, _ arrows: [Int: [(column: Int, pad: Int)]]) -> Int {
    let layer = layout.layers[index]
    let height =
      layer.map { place in if case .node(let node) = place.item { boxes[node].height } else { 1 } }.max() ?? 0
    for (number, place) in layer.enumerated() {
      let column = columns[index][number]
      switch place.item {
      case .wire(let net): canvas.vertical(column, y, y + height, net)
      case .node(let node):
        let box = boxes[node]
        canvas.box(place.x, y, place.width, box.height, box.lines)
        for arrow in arrows[number] ?? [] { canvas.write("▼" + box.pads[arrow.pad], arrow.column, y) }
        let isUsed = index < layout.links.count && layout.links[index].contains { $0.upper == number }
        if isUsed {
          canvas.write("┬", column, y + box.height - 1)
          canvas.vertical(column, y + box.height, y + height, node)
        }
      }
    }
    return height
  }

  /// Draws the wires between two layers; returns how many lines they take, and tells where they meet boxes.
  private mutating func channel(above index: Int, from y: Int, _ arrows: inout [Int: [(column: Int, pad: Int)]]) -> Int
  {
    let links = layout.links[index - 1]
    guard !links.isEmpty else { return 1 }
    let starts = columns[index - 1]
    // A wire must not come down where another one begins: they would lie on each other.
    let taken = Dictionary(links.map { (starts[$0.upper], $0.net) }, uniquingKeysWith: { first, _ in first })
    var ends: [Int: (start: Int, ends: [Int])] = [:]
    for (number, place) in layout.layers[index].enumerated() {
      let arriving = links.filter { $0.lower == number }.sorted { starts[$0.upper] < starts[$1.upper] }
      switch place.item {
      case .wire(let net):
        let own = arriving.first.map { starts[$0.upper] }
        let free = (place.x..<(place.x + place.width)).filter { taken[$0] == nil || taken[$0] == net }
        let middle = columns[index][number]
        columns[index][number] = free.first { $0 == own } ?? free.min { abs($0 - middle) < abs($1 - middle) } ?? middle
        if let own { ends[net, default: (own, [])].ends.append(columns[index][number]) }
      case .node(let node):
        let box = boxes[node]
        var least = place.x + 1
        var later = arriving.reduce(0) { $0 + box.pads[$1.pad ?? 0].columns + 2 }
        for link in arriving {
          let length = box.pads[link.pad ?? 0].columns + 2
          let most = max(least, place.x + place.width - 1 - later)
          later -= length
          let wanted = min(
            max(
              arriving.count == 1 || least...most ~= starts[link.upper] ? starts[link.upper] : (least + most) / 2, least
            ), most)
          let free = (least...most).filter { taken[$0] == nil || taken[$0] == link.net }
          let column = free.min { (abs($0 - wanted), $0) < (abs($1 - wanted), $1) } ?? wanted
          arrows[number, default: []].append((column, link.pad ?? 0))
          ends[link.net, default: (starts[link.upper], [])].ends.append(column)
          least = column + length
        }
      }
    }
    return wires(ends, from: y)
  }

  /// Draws nets, each with a horizontal line of its own where it needs one, sharing lines where they do not touch.
  private mutating func wires(_ nets: [Int: (start: Int, ends: [Int])], from y: Int) -> Int {
    var tracks: [Int] = []
    var chosen: [Int: Int] = [:]
    let spans = nets.map { net, wire in
      (
        net: net, low: min(wire.start, wire.ends.min() ?? wire.start),
        high: max(wire.start, wire.ends.max() ?? wire.start)
      )
    }.sorted { ($0.low, $0.net) < ($1.low, $1.net) }
    for span in spans where span.low < span.high {
      if let track = tracks.indices.first(where: { tracks[$0] < span.low - 1 }) {
        (tracks[track], chosen[span.net]) = (span.high, track)
      } else {
        chosen[span.net] = tracks.count
        tracks.append(span.high)
      }
    }
    let height = tracks.count + (tracks.isEmpty ? 1 : 0)
    for (net, wire) in nets.sorted(by: { $0.key < $1.key }) {
      guard let track = chosen[net] else {
        canvas.vertical(wire.start, y, y + height, net)
        continue
      }
      canvas.net(net, start: wire.start, ends: wire.ends, top: y, track: y + track, bottom: y + height)
    }
    return height
  }
}
