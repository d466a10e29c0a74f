import CGEGL
import GEGL
import GEGLOperation
import Raw

/// The whole chain as one operation.
struct Develop: MetaOperation {
  static let name = "constant-color:develop"
  static let words = Words(
    title: "Constant Color",
    description:
      "What the scene looks like lit by the flash alone, under D65: from a flash frame (input) and an ambient frame "
      + "of the same scene (aux). Aligns, subtracts the ambient light, cleans, adapts and renders.",
    aux: ("Ambient frame", "The same scene without flash"),
    keys: ["gimp:menu-path": "<Image>/Colors", "gimp:menu-label": "Constant Color..."])
  static let hasAux = true

  @Property("show", "What is shown", .result)
  var show: Show
  @Property(
    "exposure-ratio",
    "Flash exposure divided by ambient exposure (exposure is time · ISO / f-number²); 0: found from the pictures",
    0, in: 0...1e6, ui: 0...16, gamma: 2, digits: 3)
  var exposureRatio: Double
  @Property("align", "The most general transform to look for between the frames", .auto)
  var align: AlignChoice
  let accuracy = ToleranceProperties()
  let rendering = RenderProperties()
  @Property("look", "The light of the result", .flash)
  var look: LookChoice
  let colour = ColourProperties()
  let flatField = FlatFieldProperties()
  @Property(
    "ambient-path",
    "A file with the ambient frame, for hosts that give no second input; it replaces aux, and must lie the same "
      + "way round as the flash frame", isPath: true)
  var ambientPath: String

  @Found("found-homography", "The transform: nine numbers, row by row, from flash to ambient pixels")
  var foundHomography: String
  @Found("found-residual", "What is left of misregistration: root mean square, in pixels") var foundResidual: Double
  @Found("found-exposure-ratio", "The exposure ratio of green") var foundExposureRatio: Double
  @Found("found-gain", "The gain of the result, in stops") var foundGain: Double

  struct Nodes {
    let graph: Graph
    let aux: Node
    let develop: DevelopGraph
    let file: AmbientFile
  }

  static func attach(to graph: Graph) throws -> Nodes {
    let (flash, aux) = (try graph.input(), try graph.input("aux"))
    let develop = try DevelopGraph(in: graph, flash: flash, ambient: aux)
    // A host's layers may be transparent. (On the way alpha is what each step knows of a pixel.)
    for render in [develop.render, develop.renderFallback] { try render.connect("aux2", from: flash) }
    return Nodes(graph: graph, aux: aux, develop: develop, file: AmbientFile(in: graph))
  }

  func update(_ nodes: Nodes) throws {
    if !colour.profile.isEmpty { _ = try ProfileFile.load(colour.profile) }
    for (name, value) in properties where !Self.own.contains(name) {
      try nodes.develop.set(name, value)
    }
    // The flash-only picture is shown as a picture; only the confidence needs its quality.
    try nodes.develop.estimate.set("quality-in-alpha", .bool(show != .flashOnly))
    try nodes.develop.set(look: look)
    let shown = nodes.develop.node(showing: show)
    let output = try nodes.graph.output()
    if output.producer() != shown { try output.connect(from: shown) }
    let ambient = try nodes.file.node(for: ambientPath) ?? nodes.aux
    if nodes.develop.align.producer("aux") != ambient { try nodes.develop.align.connect("aux", from: ambient) }
  }

  /// The properties that no step has.
  private static let own: Set = ["show", "ambient-path", "look"]

  func found(_ name: String, in nodes: Nodes) -> Value? { nodes.develop.found(name) }
}

/// A node that reads the ambient frame from a file, made when a file is named.
final class AmbientFile {
  private let graph: Graph
  private var path = ""
  private var loader: Node?

  init(in graph: Graph) { self.graph = graph }

  /// The node for a path; nil for an empty one. Throws where there is no such file, or no loader for it.
  func node(for path: String) throws -> Node? {
    guard path != self.path else { return loader }
    if let loader { graph.remove(loader) }
    loader = nil
    self.path = path
    guard !path.isEmpty else { return nil }
    guard g_file_test(path, G_FILE_TEST_IS_REGULAR) != 0 else { throw GEGLError("'\(path)' is no file") }
    // Not through GEGL's own loader, which applies a white balance and a white level to each frame of its own.
    if RawFrame.isRaw(path) {
      loader = try graph.add(LoadRaw.name, ["path": .string(path)])
      return loader
    }
    let suffix = path.split(separator: ".", omittingEmptySubsequences: false).last.map { "." + $0.lowercased() } ?? ""
    guard let handler = gegl_operation_handlers_get_loader(suffix) else {
      throw GEGLError("GEGL cannot load '\(suffix)' files")
    }
    loader = try graph.add(String(cString: handler), ["path": .string(path)])
    return loader
  }
}
