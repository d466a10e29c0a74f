/// A graph of operations, as far as it is drawn: nodes and what flows from where to where.
public struct GraphDescription: Equatable, Sendable {
  /// One node.
  public struct Node: Equatable, Sendable {
    /// The name by which edges refer to it; names differ.
    public var name: String
    /// The operation, such as `gegl:saturation`.
    public var operation: String
    /// Properties that are not at their defaults, in order.
    public var properties: [Property]
    /// Its own time in seconds; nil where it was not measured.
    public var seconds: Double?
    /// Megapixels per second of that time; nil where it was not measured.
    public var megapixelsPerSecond: Double?
    /// The input pads that it has, connected or not, in order. Pads that only edges name are added.
    public var pads: [String]

    /// A node.
    public init(
      _ name: String, operation: String, properties: [Property] = [], seconds: Double? = nil,
      megapixelsPerSecond: Double? = nil, pads: [String] = []
    ) {
      self.name = name
      self.operation = operation
      self.properties = properties
      self.seconds = seconds
      self.megapixelsPerSecond = megapixelsPerSecond
      self.pads = pads
    }
  }

  /// A property and its value as text.
  public struct Property: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Its value, as people write it.
    public var value: String

    /// A property.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// What flows from a node's output into another node's pad.
  public struct Edge: Equatable, Sendable {
    /// The name of the node that gives.
    public var source: String
    /// The name of the node that takes.
    public var target: String
    /// The pad of `target`, such as `input` or `aux`.
    public var pad: String

    /// An edge.
    public init(from source: String, to target: String, pad: String = "input") {
      self.source = source
      self.target = target
      self.pad = pad
    }
  }

  /// The nodes, in the order of the script.
  public var nodes: [Node]
  /// The edges; those that name an unknown node are not drawn.
  public var edges: [Edge]

  /// A graph.
  public init(nodes: [Node], edges: [Edge]) {
    self.nodes = nodes
    self.edges = edges
  }
}

/// The drawings of a graph.
public enum GraphDrawing {
  /// A drawing with the characters of a terminal: boxes in layers, results at the bottom.
  ///
  /// - Parameters:
  ///   - width: the columns that there are. Where the graph does not fit, it becomes a list that does.
  ///   - ascii: without box drawing characters.
  public static func text(_ graph: GraphDescription, width: Int = 80, ascii: Bool = false) -> String {
    GraphText(graph, width: max(20, width), ascii: ascii).text
  }

  /// A description for Graphviz: records with pads as ports, times as hints.
  public static func dot(_ graph: GraphDescription) -> String { GraphDOT(graph).text }

  /// A drawing as an SVG document.
  public static func svg(_ graph: GraphDescription) -> String { GraphSVG(graph).text }
}
