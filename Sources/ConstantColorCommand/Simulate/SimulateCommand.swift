import ColorScience
import Development
import GEGL
import GEGLOperation
import Photo
import Raster
import Simulation

/// `constant-color simulate`: pairs from spectra, with truth.
enum SimulateCommand: Command {
  static let name = "simulate"
  static let summary = "Renders flash and no-flash pairs from spectra, and the truth about them."
  static let operands = "--output DIR"
  static let options =
    [
      OptionSpecification(
        "--output", "DIR", "The folder of the set, made where it is missing; inputs/ and truth/ go into it."),
      OptionSpecification(
        "--format", "LIST", values: FrameFormat.allCases.map(\.rawValue),
        "How frames are written: of dng (default), tiff (linear camera RGB) and jpeg (the camera's own picture)."),
      OptionSpecification(
        "--extras", nil,
        "More pairs: a dark room, two lights, a thing that moves, a fluorescent lamp, equal exposures, a flickering lamp, a "
          + "restless hand."),
      OptionSpecification(
        "--products", nil,
        "Another product before a white sheet in each pair, with a grey card and patches of the chart, and a pair of the sheet "
          + "alone; with --extras one that glows."),
      OptionSpecification(
        "--page", "FILE",
        "A page of paper instead of the usual scene, and no pair to calibrate from; the picture's darkness is its print."
      ),
      OptionSpecification(
        "--page-view", "VIEW", values: PageShot.View.allCases.map(\.rawValue),
        "From where the page is taken: straight, tilted (default) or close, so that it fills the frame."),
      OptionSpecification(
        "--page-chart", nil, "A colour chart in the lowest quarter of the page, which should be blank."),
      OptionSpecification("--page-gloss", nil, "Paper that mirrors the flash."),
      OptionSpecification("--only", "TEXT", "Only pairs whose name contains it, beside the one to calibrate from."),
    ] + SimulationOptions.specifications + OptionSpecification.running
  static let footer = """
    example: constant-color simulate --output pairs --lux 50,800 --cct 3000 --tint planckian --format dng,jpeg

    inputs/ holds what a photographer has: frames, and set.json, which names the pairs and the one to calibrate from.

    truth/ holds what nobody has: of each pair a .json (lights, exposure ratio, hand, patches) and a mask of regions; of
    each scene its colours pixel by pixel (.npz, for NumPy) and the picture that a perfect result shows (.png).

    The same options and seed give the same files.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    guard arguments.operands.isEmpty else {
      throw UsageError("'\(arguments.operands[0])' is not expected; name the folder with --output")
    }
    guard let folder = arguments.value("--output"), !folder.isEmpty else {
      throw UsageError("'--output' is missing; name a folder")
    }
    let options = try SimulationOptions(arguments, seed: 1)
    let formats = try formats(arguments)
    let running = try RunningOptions(arguments)
    try running.startLibrary()
    var simulator = options.simulator
    simulator.page = try page(arguments)
    var conditions = options.conditions()
    simulator.hasProducts = arguments.has("--products")
    if simulator.hasProducts, simulator.page != nil {
      throw UsageError("'--page' and '--products' are different scenes; give one of the two")
    }
    if simulator.hasProducts {
      if arguments.has("--extras") { conditions += [Condition.glowing(shake: options.shake)].compactMap(\.self) }
    } else if arguments.has("--extras") {
      conditions += Condition.extras(shake: options.shake)
    }
    let only = arguments.value("--only")
    guard conditions.contains(where: { condition in only.map { condition.id.contains($0) } ?? true }) else {
      throw UsageError("no pair is left to render; widen --lux, --cct, --tint or --only")
    }
    let bar = ProgressBar(isWanted: running.progress)
    let shots = simulator.page != nil ? [] : [Condition.calibration(), simulator.hasProducts ? .sheet() : nil]
    var writer = SetWriter(
      simulator, conditions: conditions + shots.compactMap(\.self),
      formats: formats,
      description: options.members)
    writer.only = only
    defer { bar.clear() }
    try asInput { try SetWriter.makeFolders(folder) }
    let set = try writer.write(to: folder, execution: Run.execution) { done, all in
      bar.show("rendering", Double(done) / Double(max(all, 1)))
    }
    guard let set else { throw RenderingCancelled() }
    bar.clear()
    let count = set.pairs.count
    let rest = set.calibration == nil ? "" : ", and one to calibrate from"
    if !running.isQuiet { printLine("\(folder): \(count) \(count == 1 ? "pair" : "pairs")\(rest)") }
    return .done
  }

  /// The page that is to be taken. Starts nothing.
  private static func page(_ arguments: Arguments) throws -> PageShot? {
    let view: PageShot.View? = try arguments.choice("--page-view")
    guard let path = arguments.value("--page") else {
      for option in ["--page-view", "--page-chart", "--page-gloss"] where arguments.has(option) {
        throw UsageError("'\(option)' is about a page; name its picture with --page")
      }
      return nil
    }
    do {
      let picture = try PictureLoader.load(path).buffer
      // The same numbers in every run, which are then rounded.
      try picture.fixDecoding()
      let format = try PixelFormat("RGBA float", space: picture.format?.space)
      let luminance = SIMD3<Float>(RGBSpace.linearSRGB.toXYZ.rows.1)
      let ink = try picture.read(picture.extent, format: format, as: Pixel.self).map { pixel in
        UInt8(255 * (1 - min(max(0, (pixel.rgb * luminance).sum()), 1)) + 0.5)
      }
      guard let print = PrintedPage(width: picture.extent.width, height: picture.extent.height, ink: ink) else {
        throw InputError("\(path): has no pixels")
      }
      var shot = PageShot(print)
      shot.view = view ?? shot.view
      shot.hasChart = arguments.has("--page-chart")
      shot.isGlossy = arguments.has("--page-gloss")
      return shot
    } catch { throw InputError(error) }
  }

  private static func formats(_ arguments: Arguments) throws -> Set<FrameFormat> {
    guard let words = try arguments.list("--format") else { return [.dng] }
    return Set(
      try words.map { word in
        guard let format = FrameFormat(rawValue: word) else {
          throw UsageError("'--format' takes dng, tiff and jpeg, not '\(word)'")
        }
        return format
      })
  }
}
