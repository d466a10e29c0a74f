import GEGL
import GEGLOperation

/// The steps that several ambient frames need: each is aligned by itself, then they are averaged.
struct AmbientFrames {
  /// The alignments of all frames but the first, which is the development's own.
  private(set) var aligns: [Node]
  let average: Node
  private let sources: [Node]
  private(set) var isAveraged = false

  init(in graph: Graph, flash: Node, _ align: Node, more: [Node]) throws {
    sources = more
    aligns = try more.map { _ in try graph.add(Align.name) }
    average = try graph.add(AverageAmbient.name)
    try average.connect(from: flash)
    try average.connect("aux", from: align)
    for (index, (node, frame)) in zip(aligns, more).enumerated() {
      try node.connect(from: flash)
      try node.connect("aux", from: frame)
      try average.connect("aux\(index + 2)", from: node)
    }
  }

  /// The nodes that have settings.
  var adjustable: [Node] { isAveraged ? [] : aligns + [average] }

  /// Takes the steps out of their graph.
  mutating func remove(from graph: Graph) {
    graph.remove(average)
    for node in aligns + sources { graph.remove(node) }
    aligns = []
    isAveraged = true
  }
}

/// What became of one of several ambient frames.
public struct AmbientFrameOutcome: Sendable {
  /// Whether the frame is part of the average.
  public var isUsed: Bool
  /// What brings it to the exposure of the first frame used, for red, green and blue; nil for a frame that is not used.
  public var gain: [Double]?
  /// The part of it that contradicts the others, 0...1; nil for a frame that is not used.
  public var rejectedFraction: Double?
  /// The kind of transform, as `align` calls it, and its nine numbers; nil where nothing was found.
  public var model, homography: String?
  /// RMS in pixels; nil where it is not known.
  public var residual: Double?
  /// The part of the flash frame that the frame covers, 0...1.
  public var overlap: Double?
  /// How the transform came about; nil where that is not known.
  public var outcome: String?
  /// How well structure agrees under the transform, up to 1; nil where that is not known.
  public var agreement: Double?
  /// The longest local shift in pixels, and what resampling left of a pixel's noise variance.
  public var largestShift, noiseGain: Double?
  /// What is wrong with the frame, in words; nil where nothing is.
  public var problem: String?

  /// What a node that aligns has found; the frame counts as used.
  public init(_ align: Node) {
    isUsed = true
    (model, homography) = (align.text("found-model"), align.text("found-homography"))
    (residual, overlap) = (align.number("found-residual"), align.number("found-overlap"))
    (outcome, agreement) = (align.text("found-outcome"), align.number("found-agreement"))
    (largestShift, noiseGain) = (align.number("found-largest-shift"), align.number("found-noise-gain"))
    problem = align.text("found-problem")
  }
}

extension DevelopGraph {
  /// Whether there are several ambient frames.
  public var averages: Bool { frames != nil }

  /// Averages the ambient frames, after ``measureAlignment()``, and lets go of the single ones.
  ///
  /// - Returns: what became of each frame; empty for a single one.
  /// - Throws: ``RenderingCancelled`` when cancelled meanwhile.
  public mutating func measureAverage() throws -> [AmbientFrameOutcome] {
    guard let frames, !frames.isAveraged else { return [] }
    try evaluate(frames.average)
    var outcomes = ([align] + frames.aligns).map { AmbientFrameOutcome($0) }
    func numbers(_ name: String) -> [Double] { frames.average.text(name)?.numbers ?? [] }
    let (used, gains, rejected) = (numbers("found-used"), numbers("found-gains"), numbers("found-rejected"))
    for index in outcomes.indices {
      outcomes[index].isUsed = used.indices.contains(index) && used[index] > 0
      guard outcomes[index].isUsed, gains.count >= 3 * index + 3, rejected.count > index else { continue }
      outcomes[index].gain = Array(gains[3 * index..<3 * index + 3])
      outcomes[index].rejectedFraction = rejected[index]
    }
    let residuals = outcomes.filter(\.isUsed).compactMap(\.residual)
    if !residuals.isEmpty {
      try setResidual((residuals.reduce(0) { $0 + $1 * $1 } / Double(residuals.count)).squareRoot())
    }
    try keep(frames.average)
    self.frames?.remove(from: frames.average.graph)
    return outcomes
  }

  /// Lets go of the ambient frame as it was taken, after ``measureAlignment()``: from here on only the aligned one is needed.
  public mutating func releaseAmbient() throws {
    if frames == nil, aligned == align { try keep(align) }
  }

  /// Keeps what `last` gives as the aligned frame, and nothing that it was made from: a frame is four floats a pixel.
  private mutating func keep(_ last: Node) throws {
    let graph = last.graph
    let picture = try graph.add(last.buffer())
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    try match.connect("aux", from: picture)
    try whiteBalance.connect(from: picture)
    aligned = picture
    let moved = align.producer("aux")
    for pad in ["input", "aux"] { align.disconnect(pad) }
    if let moved { graph.remove(moved) }
  }
}
