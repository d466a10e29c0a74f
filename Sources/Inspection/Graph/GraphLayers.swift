/// A graph by numbers, with only such edges as can be drawn: both ends known, no circle.
struct PlainGraph {
  /// An edge into a pad, both by their index.
  struct Edge: Equatable {
    let source, target, pad: Int
  }

  let nodes: [GraphDescription.Node]
  let edges: [Edge]
  /// The edges into each node.
  let arriving: [[Edge]]
  /// The input pads of each node: those that it lists, and those that edges name.
  let pads: [[String]]

  init(_ graph: GraphDescription) {
    nodes = graph.nodes
    var indices: [String: Int] = [:]
    for (index, node) in graph.nodes.enumerated() where indices[node.name] == nil { indices[node.name] = index }
    var pads = graph.nodes.map(\.pads)
    var edges: [Edge] = []
    for edge in graph.edges {
      guard let source = indices[edge.source], let target = indices[edge.target], source != target else { continue }
      if !pads[target].contains(edge.pad) { pads[target].append(edge.pad) }
      guard let pad = pads[target].firstIndex(of: edge.pad) else { continue }
      let known = Edge(source: source, target: target, pad: pad)
      if !edges.contains(known) { edges.append(known) }
    }
    self.pads = pads
    self.edges = Self.withoutCircles(edges, count: graph.nodes.count)
    var arriving = [[Edge]](repeating: [], count: graph.nodes.count)
    for edge in self.edges { arriving[edge.target].append(edge) }
    self.arriving = arriving
  }

  /// Leaves out the edges that close a circle, which no graph of operations has.
  private static func withoutCircles(_ edges: [Edge], count: Int) -> [Edge] {
    var waiting = [Int](repeating: 0, count: count)
    var leaving = [[Int]](repeating: [], count: count)
    for (index, edge) in edges.enumerated() {
      waiting[edge.target] += 1
      leaving[edge.source].append(index)
    }
    var ready = (0..<count).filter { waiting[$0] == 0 }
    var isDone = [Bool](repeating: false, count: count)
    var kept = [Bool](repeating: false, count: edges.count)
    var next = 0
    while isDone.contains(false) {
      guard
        let node = ready.popLast()
          ?? {
            while next < count, isDone[next] { next += 1 }
            return next < count ? next : nil
          }()
      else { break }
      if isDone[node] { continue }
      isDone[node] = true
      for index in leaving[node] where !isDone[edges[index].target] {
        kept[index] = true
        waiting[edges[index].target] -= 1
        if waiting[edges[index].target] == 0 { ready.append(edges[index].target) }
      }
    }
    return edges.indices.filter { kept[$0] }.map { edges[$0] }
  }
}

/// What stands in a layer: a node, or the wire of a node's output that passes by.
enum LayerItem: Equatable {
  case node(Int)
  /// The node whose output it is.
  case wire(Int)
}

/// The layers of a graph, from the top: every edge leads down, each node stands as low as it can, and no layer is wider
/// than there is room for, as far as that is possible (list scheduling, as for instructions of a processor).
struct GraphLayers {
  private(set) var layers: [[LayerItem]] = []

  /// - Parameters:
  ///   - widths: of the nodes.
  ///   - gap: between neighbours.
  ///   - wire: the width of a wire.
  ///   - room: the width of a layer; nil where it does not matter.
  init(_ graph: PlainGraph, widths: [Int], gap: Int, wire: Int, room: Int?) {
    let count = graph.nodes.count
    var waiting = [Int](repeating: 0, count: count)
    var sources = [[Int]](repeating: [], count: count)
    for edge in graph.edges {
      waiting[edge.source] += 1
      sources[edge.target].append(edge.source)
    }
    let depths = Self.depths(count, sources, graph.edges)
    var isPlaced = [Bool](repeating: false, count: count)
    var open = Set<Int>()
    var left = count
    while left > 0 {
      // The longest way first; of equals the one that was written last, so that the first stands on top.
      let candidates = (0..<count).filter { !isPlaced[$0] && waiting[$0] == 0 }
        .sorted { (depths[$0], $0) > (depths[$1], $1) }
      var layer: [Int] = []
      var width = open.count * (wire + gap)
      for node in candidates {
        let more = widths[node] + gap - (open.contains(node) ? wire + gap : 0)
        if let room, !layer.isEmpty, width + more - gap > room { continue }
        layer.append(node)
        width += more
      }
      guard !layer.isEmpty else { break }
      for node in layer {
        isPlaced[node] = true
        left -= 1
        open.remove(node)
      }
      layers.append(layer.sorted().map { .node($0) } + open.sorted().map { .wire($0) })
      for source in layer.flatMap({ sources[$0] }) {
        waiting[source] -= 1
        open.insert(source)
      }
    }
    layers.reverse()
  }

  /// The length of the longest way to each node.
  private static func depths(_ count: Int, _ sources: [[Int]], _ edges: [PlainGraph.Edge]) -> [Int] {
    var targets = [[Int]](repeating: [], count: count)
    for edge in edges { targets[edge.source].append(edge.target) }
    var waiting = sources.map(\.count)
    var ready = (0..<count).filter { waiting[$0] == 0 }
    var depths = [Int](repeating: 0, count: count)
    while let node = ready.popLast() {
      for target in targets[node] {
        depths[target] = max(depths[target], depths[node] + 1)
        waiting[target] -= 1
        if waiting[target] == 0 { ready.append(target) }
      }
    }
    return depths
  }
}
