import GEGL
import GEGLOperation

/// The whole chain, wired into any graph: the one path that the `develop` operation and the command
/// share.
public struct DevelopGraph {
  /// The steps, in the order in which light flows.
  public let align, match, subtract, estimate, flatField, adapt, confidence, render: Node
  /// The fallback picture: the ambient frame with its own white balance.
  public let whiteBalance, adaptFallback, renderFallback: Node
  /// The result's colours with the ambient light's shading.
  public let ambientLook: Node
  /// The result with low confidence marked.
  public let marked: Node
  /// The ambient frame in the flash frame's geometry: what `align` gives, or the average of several.
  public internal(set) var aligned: Node
  /// What several ambient frames need beside all this.
  var frames: AmbientFrames?

  /// Adds the steps to a graph and connects them to the two frames; further ambient frames are averaged with the first.
  public init(in graph: Graph, flash: Node, ambient: Node, more: [Node] = []) throws {
    align = try graph.add(Align.name)
    match = try graph.add(MatchExposure.name)
    subtract = try graph.add(SubtractAmbient.name)
    estimate = try graph.add(EstimateFlashOnly.name, ["quality-in-alpha": true])
    flatField = try graph.add(FlatFieldOperation.name)
    adapt = try graph.add(AdaptToD65.name)
    confidence = try graph.add(ConfidenceOperation.name)
    render = try graph.add(RenderOutput.name)
    whiteBalance = try graph.add(WhiteBalanceAmbient.name)
    adaptFallback = try graph.add(AdaptToD65.name)
    renderFallback = try graph.add(RenderOutput.name)
    ambientLook = try graph.add(AmbientLookOperation.name)
    marked = try graph.add(MarkLowConfidence.name)

    try align.connect(from: flash)
    try align.connect("aux", from: ambient)
    frames = more.isEmpty ? nil : try AmbientFrames(in: graph, flash: flash, align, more: more)
    aligned = frames?.average ?? align
    try match.connect(from: flash)
    try match.connect("aux", from: aligned)
    try subtract.connect(from: flash)
    try subtract.connect("aux", from: match)
    try estimate.connect(from: subtract)
    try estimate.connect("aux", from: flash)
    try estimate.connect("aux2", from: match)
    try flatField.connect(from: estimate)
    try adapt.connect(from: flatField)
    try confidence.connect(from: flash)
    try confidence.connect("aux", from: match)
    try confidence.connect("aux2", from: estimate)
    try render.connect(from: adapt)
    try render.connect("aux", from: confidence)

    try whiteBalance.connect(from: aligned)
    try whiteBalance.connect("aux", from: estimate)
    try whiteBalance.connect("aux2", from: match)
    try adaptFallback.connect(from: whiteBalance)
    try renderFallback.connect(from: adaptFallback)

    try ambientLook.connect(from: adapt)
    try ambientLook.connect("aux", from: adaptFallback)
    try ambientLook.connect("aux2", from: confidence)

    try marked.connect(from: render)
    try marked.connect("aux", from: confidence)
  }

  /// The nodes that have settings. Not `subtract`: the ambient frame it receives is matched already.
  private var adjustable: [Node] {
    [
      align, match, estimate, flatField, adapt, confidence, render, whiteBalance, adaptFallback, renderFallback,
      ambientLook,
    ] + (frames?.adjustable ?? [])
  }

  /// Chooses the light of the result.
  public func set(look: LookChoice) throws {
    let picture = look == .ambient ? ambientLook : adapt
    if render.producer() != picture { try render.connect(from: picture) }
  }

  /// The result under D65, before it is rendered.
  public var developed: Node { render.producer() ?? adapt }

  /// Sets a property on every step that has it: a number that holds for a frame has the same name
  /// everywhere. Throws where no step has it, or one refuses the value.
  public func set(_ name: String, _ value: Value) throws {
    let nodes = adjustable.filter { $0.has(name) }
    guard !nodes.isEmpty else { throw GEGLError("no step of the development has a property '\(name)'") }
    for node in nodes { try node.set(name, value) }
  }

  /// A result by its name, such as "found-gain", from the first step that has it; nil where it is not known yet.
  public func found(_ name: String) -> Value? {
    for node in adjustable where node.has(name) {
      guard let value = try? node.value(name) else { continue }
      if case .double(let number) = value, !number.isFinite { return nil }
      if case .string("") = value { return nil }
      return value
    }
    return nil
  }

  /// The node that gives what is to be shown.
  func node(showing show: Show) -> Node {
    switch show {
    case .result: render
    case .confidence: confidence
    case .flashOnly: estimate
    case .fallback: renderFallback
    case .overlay: marked
    }
  }
}

/// The light of the result.
public enum LookChoice: String, PropertyChoice {
  case flash, ambient

  /// How GEGL's type is called.
  public static let typeName = "ConstantColorLookChoice"

  /// What hosts show.
  public var label: String {
    switch self {
    case .flash: "The flash's: as in a dark room"
    case .ambient: "The room's: true colours, with the ambient light's shading"
    }
  }
}

/// What `develop` gives.
enum Show: String, PropertyChoice {
  case result, confidence
  case flashOnly = "flash-only"
  case fallback, overlay

  static let typeName = "ConstantColorShowChoice"

  var label: String {
    switch self {
    case .result: "The result"
    case .confidence: "Confidence"
    case .flashOnly: "Flash-only light, before D65"
    case .fallback: "Fallback: the ambient frame, white-balanced"
    case .overlay: "The result, low confidence marked"
    }
  }
}
