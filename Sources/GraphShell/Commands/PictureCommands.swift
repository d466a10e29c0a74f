import GEGL
import Inspection
import JSONValue
import Raster

extension CommandTable {
  /// What results are like.
  static let pictureCommands = [
    CommandDescription(
      "probe", "probe NODE X Y [RADIUS]",
      "The values at a place: linear RGB, sRGB, XYZ, xy, Lab, CCT and Duv; with a radius the mean of a square.",
      details:
        "Before constant-color:adapt-to-d65 the numbers are those of the picture, and colours those of the values sent "
        + "through the graph's own adaptation.",
      example: "probe a 4 4\nprobe a 20 20 3", [.node, .free],
      action: { session, words in
        var words = words
        let node = try words.next("a node")
        let name = try session.nodeName(node)
        let (x, y) = (try words.whole("X"), try words.whole("Y"))
        let radius = try words.peek.map { _ in try words.whole("RADIUS", in: 0...1000) } ?? 0
        try words.finish()
        try session.at(node) {
          let reading = try session.reading(session.measurable(name), x: x, y: y, radius: radius)
          session.reply(reading.text, json: reading.json, csv: PixelReading.csvHeader + "\n" + reading.csvRow)
        }
      }),
    CommandDescription(
      "stats", "stats NODE [X Y W H]", "Per channel: least, percentiles, mean, greatest, counts of NaN and infinity.",
      details: "The values are linear light in the node's own primaries.", example: "stats b\nstats b 0 0 16 16",
      [.node, .free],
      action: { session, words in
        var words = words
        let node = try words.next("a node")
        let name = try session.nodeName(node)
        let area = try rectangle(&words)
        try words.finish()
        try session.at(node) {
          let ready = try session.measurable(name)
          let statistics = try session.statistics(ready, try session.inside(area, ready))
          session.reply(statistics.text, json: statistics.json, csv: statistics.csv)
        }
      }),
    CommandDescription(
      "hist", "hist NODE [X Y W H] [--log] [--bins N]", "A histogram of each channel; --log: in stops.",
      example: "hist b\nhist b --log --bins 32", [.node, .free], action: histogram),
    CommandDescription(
      "compare", "compare A B [--gain | --luminance]",
      "How far the colours of two nodes differ: CIEDE2000, mean, median, 95th percentile, greatest.",
      details: "--gain: after one factor for all pixels; --luminance: after each pixel has the other's luminance.",
      example: "compare a b", [.node],
      action: { session, words in
        var words = words
        let scaling: ColorDifference.Scaling =
          words.flag("--luminance") ? .luminance : words.flag("--gain") ? .gain : .none
        let first = try words.next("a node")
        let (one, two) = (try session.nodeName(first), try words.node(session))
        try words.finish()
        let comparison = try session.at(first) {
          do { return try session.comparison(one, two, scaling: scaling) } catch let error as ComparisonError {
            throw GEGLError("\(error)")
          }
        }
        let notes = try [one, two].compactMap { try session.adaptationNote($0) }
        session.reply(([comparison.text] + notes).joined(separator: "\n"), json: comparison.json, csv: comparison.csv)
      }),
    CommandDescription(
      "view", "view NODE [NODE] [X Y W H] [--stops EV|auto] [--actual]",
      "Shows a picture on the terminal, or two beside each other, as the terminal can.",
      details: "With a place only that part; --actual shows pixels as they are, as many as there is room for. --stops "
        + "brightens: auto makes the brightest parts nearly white. Nothing is drawn into pipes and files. 'set terminal' chooses "
        + "between kitty, iterm, sixel and blocks.",
      example: "view a\nview a b 0 0 32 32 --stops 1", [.node, .node, .free], action: view),
    CommandDescription(
      "time", "time NODE", "What each node takes: of its own, with all before it, and megapixels a second.",
      details: "Every node is computed anew, its inputs being in memory. 'kept': the shell has its result.",
      example: "time b", [.node],
      action: { session, words in
        var words = words
        let node = try words.next("a node")
        let name = try session.nodeName(node)
        try words.finish()
        let timings = try session.at(node) { try session.timings(name) }
        var table = ReplyTable(["node", "operation", "own s", "with inputs s", "Mpix/s", "kept"])
        for timing in timings {
          table.rows.append([
            .string(timing.name), .string(timing.operation), .number(rounded(timing.own)),
            .number(rounded(timing.cumulative)), JSON(timing.megapixelsPerSecond.map { rounded($0) }),
            .bool(session.results.contains(session.key(timing.name))),
          ])
        }
        let nodes = timings.map { timing -> JSON in
          [
            "node": .string(timing.name), "operation": .string(timing.operation), "own": .number(timing.own),
            "cumulative": .number(timing.cumulative), "megapixelsPerSecond": JSON(timing.megapixelsPerSecond),
            "kept": .bool(session.results.contains(session.key(timing.name))),
          ]
        }
        session.reply(table, "nodes", json: .array(nodes))
      }),
  ]

  private static func rounded(_ number: Double) -> Double { (number * 1e4).rounded() / 1e4 }

  @Sendable private static func view(_ session: Session, _ words: Words) throws {
    var words = words
    let isActual = words.flag("--actual")
    let stops = try words.option("--stops")
    if let stops, stops.text != "auto", Double(stops.text).map({ (-40...40).contains($0) }) != true {
      throw Diagnostic(stops.range.lowerBound, "--stops takes a number from -40 to 40, or auto, not '\(stops.text)'")
    }
    let first = try words.next("a node")
    var names = [try session.nodeName(first)]
    if let word = words.peek, session.document[word.text] != nil || Double(word.text) == nil {
      names.append(try words.node(session))
    }
    let area = try rectangle(&words)
    try words.finish()
    try session.at(first) { try session.view(names, area, stops: stops?.text, isActual: isActual) }
  }

  static func rectangle(_ words: inout Words) throws -> Rectangle? {
    guard let first = words.peek, !first.text.hasPrefix("--") else { return nil }
    let (x, y) = (try words.whole("X"), try words.whole("Y"))
    let (width, height) = (try words.whole("W", in: 1...1 << 20), try words.whole("H", in: 1...1 << 20))
    return Rectangle(x: x, y: y, width: width, height: height)
  }

  @Sendable private static func histogram(_ session: Session, _ words: Words) throws {
    var words = words
    let isLogarithmic = words.flag("--log")
    let bins = try words.option("--bins").map { word -> Int in
      guard let bins = Int(word.text), (1...4096).contains(bins) else {
        throw Diagnostic(word.range.lowerBound, "--bins takes a whole number from 1 to 4096, not '\(word.text)'")
      }
      return bins
    }
    let node = try words.next("a node")
    let name = try session.nodeName(node)
    let area = try rectangle(&words)
    try words.finish()
    try session.at(node) {
      let ready = try session.measurable(name)
      let source = try session.result(ready)
      guard
        let histogram = Histogram.measure(
          source, in: try session.inside(area, ready), channels: ready.isGrey ? .grey : .rgb,
          axis: isLogarithmic ? .log : .linear, bins: bins ?? 64, execution: session.environment.execution)
      else { throw RenderingCancelled() }
      session.reply(
        histogram.text(width: session.environment.width()), json: histogram.json, csv: histogram.csv)
    }
  }
}

extension Session {
  /// The part of an area that a node has pixels in. Throws where there is none.
  func inside(_ area: Rectangle?, _ ready: ReadyNode) throws -> Rectangle? {
    guard let area else { return nil }
    let part = area.intersection(ready.bounds)
    guard !part.isEmpty else {
      let box = ready.bounds
      throw GEGLError(
        "the area is outside of '\(ready.name)', which is \(box.width) × \(box.height) pixels at (\(box.x), \(box.y))")
    }
    return part
  }
}
