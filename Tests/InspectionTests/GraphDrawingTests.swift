import Inspection
import Testing
import TextOutput

/// Graphs to be drawn.
enum SampleGraphs {
  typealias Node = GraphDescription.Node
  typealias Edge = GraphDescription.Edge

  static let one = GraphDescription(nodes: [Node("flash", operation: "gegl:load")], edges: [])

  static let three = GraphDescription(
    nodes: [
      Node("flash", operation: "gegl:load", properties: [.init("path", "\"lamp flash.dng\"")]),
      Node("soft", operation: "gegl:gaussian-blur", properties: [.init("std-dev-x", "3.0")]),
      Node("out", operation: "gegl:saturation"),
    ], edges: [Edge(from: "flash", to: "soft"), Edge(from: "soft", to: "out")])

  /// The steps of a development, which share their inputs.
  static let develop = GraphDescription(
    nodes: [
      Node("flash", operation: "load-raw", properties: [.init("path", "lamp_flash.dng")]),
      Node("ambient", operation: "load-raw", properties: [.init("path", "lamp_ambient.dng")]),
      Node("aligned", operation: "align", seconds: 1.25, megapixelsPerSecond: 9.6),
      Node("matched", operation: "match-exposure", properties: [.init("exposure-ratio", "1.5")], seconds: 0.08),
      Node("difference", operation: "subtract-ambient"), Node("estimate", operation: "estimate-flash-only"),
      Node("adapted", operation: "adapt-to-d65", properties: [.init("input-colour", "camera")]),
      Node("sure", operation: "confidence"), Node("result", operation: "render-output"),
      Node("fallback", operation: "white-balance-ambient"), Node("alone", operation: "gegl:color"),
      Node("shown", operation: "gegl:saturation", properties: [.init("scale", "1.1")]),
    ],
    edges: [
      Edge(from: "flash", to: "aligned"), Edge(from: "ambient", to: "aligned", pad: "aux"),
      Edge(from: "flash", to: "matched"), Edge(from: "aligned", to: "matched", pad: "aux"),
      Edge(from: "flash", to: "difference"), Edge(from: "matched", to: "difference", pad: "aux"),
      Edge(from: "difference", to: "estimate"), Edge(from: "flash", to: "estimate", pad: "aux"),
      Edge(from: "matched", to: "estimate", pad: "aux2"), Edge(from: "estimate", to: "adapted"),
      Edge(from: "flash", to: "sure"), Edge(from: "matched", to: "sure", pad: "aux"),
      Edge(from: "estimate", to: "sure", pad: "aux2"), Edge(from: "adapted", to: "result"),
      Edge(from: "sure", to: "result", pad: "aux"), Edge(from: "ambient", to: "fallback"),
      Edge(from: "estimate", to: "fallback", pad: "aux"), Edge(from: "result", to: "shown"),
    ])

  static let diamond = GraphDescription(
    nodes: ["a", "b", "c", "d"].map { Node($0, operation: "gegl:nop") },
    edges: [
      Edge(from: "a", to: "b"), Edge(from: "a", to: "c"), Edge(from: "b", to: "d"),
      Edge(from: "c", to: "d", pad: "aux"),
    ])

  /// Nodes that take from random earlier ones.
  static func random(_ count: Int, seed: UInt64) -> GraphDescription {
    var numbers = Numbers(seed)
    let nodes = (0..<count).map { Node("node\($0)", operation: "gegl:over", seconds: 0.01 * Double($0)) }
    let edges = (1..<max(2, count)).flatMap { index in
      ["input", "aux"].compactMap { pad -> Edge? in
        guard numbers.next() < 0.7 else { return nil }
        let back = 1 + Int(numbers.next() * numbers.next() * Double(index))
        return Edge(from: "node\(max(0, index - back))", to: "node\(index)", pad: pad)
      }
    }
    return GraphDescription(nodes: nodes, edges: edges)
  }

  static let names = "quotes \" and {braces} <b>|bars|</b> \\ back & amp; \u{1B}[31m\nline"
  static let hostile = GraphDescription(
    nodes: [
      Node(names, operation: names, properties: [.init(names, names)], seconds: .nan, megapixelsPerSecond: .infinity),
      Node("", operation: "", pads: ["", "input"]), Node("b", operation: "x", pads: [names]),
    ],
    edges: [
      Edge(from: names, to: "b", pad: names), Edge(from: "b", to: names), Edge(from: "b", to: "b"),
      Edge(from: "nobody", to: "b"), Edge(from: "", to: "b", pad: ""),
    ])

  /// One node of many, as `average-ambient` is.
  static let many = GraphDescription(
    nodes: (0..<16).map { Node("frame\($0)", operation: "gegl:load") } + [Node("mean", operation: "average-ambient")],
    edges: (0..<16).map { Edge(from: "frame\($0)", to: "mean", pad: $0 == 0 ? "input" : "aux\($0)") })

  static let wide = GraphDescription(
    nodes: [Node("花", operation: "gegl:load", properties: [.init("path", "写真/花の写真.png")]), Node("b", operation: "x")],
    edges: [Edge(from: "花", to: "b")])

  static let all = [one, many, wide, three, develop, diamond, random(12, seed: 1), random(40, seed: 2), hostile]
}

struct GraphDrawingTests {
  @Test func drawingsFitTheWidth() {
    for graph in SampleGraphs.all + (1...30).map({ SampleGraphs.random(25, seed: $0) }) {
      for width in [20, 40, 80, 132] {
        for ascii in [false, true] {
          let text = GraphDrawing.text(graph, width: width, ascii: ascii)
          #expect(text.split(separator: "\n").allSatisfy { String($0).columns <= width })
          #expect(!ascii || text.unicodeScalars.allSatisfy { $0.isASCII && ($0.value >= 32 || $0 == "\n") })
        }
      }
    }
    #expect(GraphDrawing.text(GraphDescription(nodes: [], edges: [])) == "")
  }

  @Test func everyNodeIsShownOnce() {
    for graph in [SampleGraphs.three, SampleGraphs.develop, SampleGraphs.random(40, seed: 2)] {
      let text = GraphDrawing.text(graph, width: 120)
      for node in graph.nodes {
        #expect(text.components(of: " \(node.name) = ") == 1)
      }
    }
    let text = GraphDrawing.text(SampleGraphs.develop, width: 100)
    for word in ["exposure-ratio=1.5", "1.25 s, 9.60 MP/s", "▼aux2", "80.0 ms"] { #expect(text.contains(word)) }
  }

  @Test func edgesLeadDownAndBoxesAreWhole() {
    for seed in 1...30 as ClosedRange<UInt64> {
      let graph = SampleGraphs.random(30, seed: seed)
      for width in [90, 200] {
        let lines = GraphDrawing.text(graph, width: width).split(separator: "\n").map { Array($0) }
        var rowOf: [String: Int] = [:]
        for node in graph.nodes {
          let words = Array("│ \(node.name) = \(node.operation) │")
          guard let row = lines.firstIndex(where: { !$0.ranges(of: words).isEmpty }) else {
            // A list, which fits where the boxes do not.
            #expect(lines.contains { String($0).hasPrefix("\(node.name) = ") })
            continue
          }
          rowOf[node.name] = row
        }
        for edge in graph.edges {
          if let upper = rowOf[edge.source], let lower = rowOf[edge.target] { #expect(upper < lower) }
        }
        #expect(width < 200 || rowOf.count == 30)
        // As many arrows as edges: none has lost its end.
        if rowOf.count == 30 { #expect(lines.joined().count { $0 == "▼" } == graph.edges.count) }
      }
    }
  }

  @Test func aChainIsDrawnStraight() {
    let text = GraphDrawing.text(SampleGraphs.three, width: 60)
    #expect(!text.contains("╭") && !text.contains("╯"))
    #expect(text.contains("flash = gegl:load") && text.contains("path=\"lamp flash.dng\""))
  }

  @Test func wideCharactersTakeTwoColumns() {
    let lines = GraphDrawing.text(SampleGraphs.wide, width: 60).split(separator: "\n").map { String($0) }
    #expect(lines.prefix(4).allSatisfy { $0.columns == lines[0].columns })
    #expect(lines[2].contains("path=写真/花の写真.png"))
    #expect(GraphDrawing.text(SampleGraphs.many, width: 160).components(of: "▼") == 16)
    #expect(GraphDrawing.text(SampleGraphs.many, width: 60).contains("mean = average-ambient frame0 aux1=frame1"))
  }

  @Test func circlesAreLeftOut() {
    #expect(GraphDrawing.dot(SampleGraphs.hostile).components(of: " -> ") == 2)
    let circle = GraphDescription(
      nodes: ["a", "b", "c"].map { .init($0, operation: "x") },
      edges: [.init(from: "a", to: "b"), .init(from: "b", to: "c"), .init(from: "c", to: "a")])
    #expect(GraphDrawing.dot(circle).components(of: " -> ") == 2)
    #expect(GraphDrawing.text(circle).components(of: "▼") == 2)
  }

  @Test func dotIsEscaped() {
    let dot = GraphDrawing.dot(SampleGraphs.hostile)
    #expect(dot.contains("quotes\\ \\\"\\ and\\ \\{braces\\}\\ \\<b\\>\\|bars\\|"))
    #expect(dot.contains("n0:output:s -> n2:p0:n;"))
    #expect(dot.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" })
    let plain = GraphDrawing.dot(SampleGraphs.develop)
    #expect(plain.contains("tooltip=\"aligned = align: 1.25 s, 9.60 MP/s\""))
    #expect(plain.contains("<p1>\\ aux") || plain.contains("<p1> aux"))
  }

  @Test func svgIsWellFormed() {
    for graph in SampleGraphs.all {
      let svg = GraphDrawing.svg(graph)
      #expect(svg.hasPrefix("<?xml") && svg.contains("viewBox=\"0 0 "))
      #expect(svg.components(of: "<g>") == graph.nodes.count)
      #expect(!svg.contains("<b>") && !svg.contains("\u{1B}"))
    }
  }
}

extension String {
  /// How often a text stands in this one.
  func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let first = part.first, let start = rest.firstIndex(of: first) {
      if rest[start...].hasPrefix(part) { count += 1 }
      rest = rest[rest.index(after: start)...]
    }
    return count
  }
}
