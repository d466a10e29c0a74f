import GEGL
import Raster

/// What a node takes.
struct NodeTiming {
  var name: String
  var operation: String
  /// Seconds of its own, with its inputs in memory.
  var own: Double
  /// Seconds of its own and of all that feeds it, each once.
  var cumulative = 0.0
  /// Pixels of its result; nil where it has no bounds.
  var pixels: Int?

  /// Millions of pixels of its result a second.
  var megapixelsPerSecond: Double? { pixels.flatMap { own > 0 ? Double($0) / own / 1e6 : nil } }
}

extension Session {
  /// Measures each node that a node depends on by itself: anew, its inputs being in memory. What is without bounds is computed
  /// by those that use it.
  func timings(_ name: String) throws -> [NodeTiming] {
    let ready = try ready(name)
    let nodes = document.ordered(upTo: name)
    var buffers: [String: Buffer] = [:]
    var timings: [NodeTiming] = []
    for (index, definition) in nodes.enumerated() {
      var timing = NodeTiming(name: definition.name, operation: definition.operation, own: 0)
      if let live = live[definition.name], let picture = live.picture {
        timing.own = live.loadSeconds
        timing.pixels = picture.buffer.extent.count
        buffers[definition.name] = picture.buffer
      } else {
        let (seconds, buffer) = try ready.quietly { try measured(definition, buffers) }
        timing.own = seconds
        timing.pixels = buffer?.extent.count
        buffers[definition.name] = buffer
      }
      timings.append(timing)
      let later = nodes[(index + 1)...]
      for used in Array(buffers.keys) where !later.contains(where: { $0.isFed(by: used) }) { buffers[used] = nil }
    }
    let own = Dictionary(timings.map { ($0.name, $0.own) }) { first, _ in first }
    for index in timings.indices {
      timings[index].cumulative = document.ordered(upTo: timings[index].name).reduce(0) { $0 + (own[$1.name] ?? 0) }
    }
    return timings
  }

  private func measured(_ definition: NodeDefinition, _ buffers: [String: Buffer]) throws -> (Double, Buffer?) {
    let graph = try Graph()
    let node = try copy(definition.name, into: graph, buffers)
    let box = try listening { node.boundingBox }
    guard !box.isInfinite, !box.isEmpty, box.count <= 1 << 30, let format = node.outputFormat else { return (0, nil) }
    let buffer = try Buffer(box, format: format)
    let clock = ContinuousClock()
    var spent = Duration.zero
    environment.progress("timing \(definition.name)", 0)
    defer { environment.progress("", nil) }
    for band in box.bands(of: Self.bandRows(box.width)) {
      let start = clock.now
      let bytes = try listening { try node.read(band, format: format, as: UInt8.self) }
      spent += clock.now - start
      try buffer.write(bytes, to: band, format: format)
      environment.progress("timing \(definition.name)", Double(band.maxY - box.y) / Double(box.height))
    }
    return (spent.seconds, buffer)
  }

  /// A copy of a node in another graph; of its inputs those in memory are pictures, the others copies.
  private func copy(_ name: String, into graph: Graph, _ buffers: [String: Buffer]) throws -> Node {
    guard let definition = document[name] else { throw GEGLError("there is no node '\(name)'") }
    let node = try graph.add(definition.operation)
    for setting in definition.settings { try node.set(setting.name, setting.value) }
    for input in definition.inputs {
      let source = try buffers[input.source].map { try graph.add($0) } ?? copy(input.source, into: graph, buffers)
      try node.connect(input.pad, from: source)
    }
    return node
  }
}

extension NodeDefinition {
  /// Whether it is fed by a node.
  fileprivate func isFed(by name: String) -> Bool { inputs.contains { $0.source == name } }
}
