/// Where nodes and wires stand: layers from the top, in each from the left, with few crossings and short ways.
///
/// After K. Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system structures",
/// IEEE Trans. SMC 11 (1981): layers, order by barycentres, then places.
struct GraphLayout {
  /// A place in a layer.
  struct Place {
    let item: LayerItem
    /// The left end, and the width.
    var x: Int
    let width: Int

    var center: Double { Double(x) + Double(width - 1) / 2 }
  }

  /// From an item of a layer to one of the next.
  struct Link {
    /// The node whose output it carries.
    let net: Int
    /// Places in the upper and in the lower layer.
    let upper, lower: Int
    /// The pad where it ends; nil where it goes on.
    let pad: Int?
  }

  let graph: PlainGraph
  private(set) var layers: [[Place]]
  /// The links below each layer, except the last.
  private(set) var links: [[Link]] = []

  /// The width of the widest layer.
  var width: Int { layers.compactMap(\.last).map { $0.x + $0.width }.max() ?? 0 }

  /// - Parameters: see ``GraphLayers``.
  init(_ graph: PlainGraph, widths: [Int], gap: Int, wire: Int, room: Int?) {
    self.graph = graph
    let items = GraphLayers(graph, widths: widths, gap: gap, wire: wire, room: room).layers
    layers = items.map { layer in
      layer.map { item in
        switch item {
        case .node(let node): Place(item: item, x: 0, width: widths[node])
        case .wire: Place(item: item, x: 0, width: wire)
        }
      }
    }
    order()
    place(gap: gap, room: room)
  }

  // MARK: order

  private mutating func order() {
    connect()
    guard layers.count > 1 else { return }
    var (best, fewest) = (layers, crossings)
    for sweep in 0..<12 where fewest > 0 {
      if sweep % 2 == 0 {
        for index in 1..<layers.count { sort(index, by: index - 1) }
      } else {
        for index in (0..<(layers.count - 1)).reversed() { sort(index, by: index + 1) }
      }
      let count = crossings
      if count < fewest { (best, fewest) = (layers, count) }
    }
    layers = best
    connect()
  }

  /// Sorts a layer by where its neighbours in another layer stand.
  private mutating func sort(_ index: Int, by other: Int) {
    let isBelow = other < index
    let between = links[min(index, other)]
    let keys = layers[index].indices.map { place in
      let ends = between.filter { (isBelow ? $0.lower : $0.upper) == place }.map { link in
        isBelow ? Double(link.upper) : Double(link.lower) + padPart(link, in: other)
      }
      guard !ends.isEmpty else { return Double(place) }
      // Seen in the width of this layer.
      let mean = ends.reduce(0, +) / Double(ends.count)
      return (mean + 0.5) / Double(layers[other].count) * Double(layers[index].count) - 0.5
    }
    let sorted = layers[index].indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    layers[index] = sorted.map { layers[index][$0] }
    connect()
  }

  /// Where on its node a pad is, -0.5...0.5.
  private func padPart(_ link: Link, in layer: Int) -> Double {
    guard let pad = link.pad, case .node(let node) = layers[layer][link.lower].item else { return 0 }
    return (Double(pad) + 0.5) / Double(max(1, graph.pads[node].count)) * 0.8 - 0.4
  }

  private var crossings: Int {
    links.indices.reduce(0) { total, layer in
      let ends = links[layer].prefix(400).map { (Double($0.upper), Double($0.lower) + padPart($0, in: layer + 1)) }
      var count = 0
      for (index, one) in ends.enumerated() {
        for two in ends[..<index] where (one.0 - two.0) * (one.1 - two.1) < 0 { count += 1 }
      }
      return total + count
    }
  }

  private mutating func connect() {
    links = (0..<max(0, layers.count - 1)).map { layer in
      var uppers: [Int: Int] = [:]
      for (index, place) in layers[layer].enumerated() {
        switch place.item {
        case .node(let node), .wire(let node): uppers[node] = index
        }
      }
      var found: [Link] = []
      for (lower, place) in layers[layer + 1].enumerated() {
        switch place.item {
        case .wire(let net):
          if let upper = uppers[net] { found.append(Link(net: net, upper: upper, lower: lower, pad: nil)) }
        case .node(let node):
          for edge in graph.arriving[node] {
            if let upper = uppers[edge.source] {
              found.append(Link(net: edge.source, upper: upper, lower: lower, pad: edge.pad))
            }
          }
        }
      }
      return found
    }
  }

  // MARK: places

  private mutating func place(gap: Int, room: Int?) {
    for index in layers.indices {
      var x = 0
      for place in layers[index].indices {
        layers[index][place].x = x
        x += layers[index][place].width + gap
      }
    }
    let space = max(width, 1)
    // In the middle first, so that what has no neighbours stands there.
    for index in layers.indices {
      let used = layers[index].last.map { $0.x + $0.width } ?? 0
      for place in layers[index].indices { layers[index][place].x += (space - used) / 2 }
    }
    for _ in 0..<4 {
      for index in layers.indices.dropFirst() { move(index, by: index - 1, gap: gap, space: space) }
      for index in layers.indices.dropLast().reversed() { move(index, by: index + 1, gap: gap, space: space) }
    }
    let left = layers.compactMap { $0.first?.x }.min() ?? 0
    for index in layers.indices {
      for place in layers[index].indices { layers[index][place].x -= left }
    }
  }

  /// Moves a layer's items to below (or above) their neighbours, as near as their order and the space allow: least squares
  /// under an order, by pooling adjacent violators.
  private mutating func move(_ index: Int, by other: Int, gap: Int, space: Int) {
    let isBelow = other < index
    let between = links[min(index, other)]
    var offset = 0
    var offsets: [Int] = []
    var blocks: [(sum: Double, weight: Double, count: Int)] = []
    for (number, place) in layers[index].enumerated() {
      let ends = between.filter { (isBelow ? $0.lower : $0.upper) == number }.map { link in
        layers[other][isBelow ? link.upper : link.lower].center
      }
      let isWire: Bool = if case .wire = place.item { true } else { false }
      let wanted = ends.isEmpty ? place.center : ends.reduce(0, +) / Double(ends.count)
      // A wire should be straight; what has no neighbours on this side goes where there is room.
      let weight = ends.isEmpty ? 0.1 : isWire ? 4 : 1
      let target = wanted - Double(place.width - 1) / 2 - Double(offset)
      blocks.append((target * weight, weight, 1))
      while blocks.count > 1 {
        let (last, before) = (blocks[blocks.count - 1], blocks[blocks.count - 2])
        guard before.sum / before.weight > last.sum / last.weight else { break }
        blocks.removeLast(2)
        blocks.append((before.sum + last.sum, before.weight + last.weight, before.count + last.count))
      }
      offsets.append(offset)
      offset += place.width + gap
    }
    let free = Double(max(0, space - (offset - gap)))
    let values = blocks.flatMap { block in
      [Double](repeating: min(max(block.sum / block.weight, 0), free), count: block.count)
    }
    for (number, value) in values.enumerated() { layers[index][number].x = Int(value.rounded()) + offsets[number] }
  }
}
