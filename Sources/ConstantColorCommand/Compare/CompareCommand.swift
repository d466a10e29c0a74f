import Development
import GEGL
import GEGLOperation
import Inspection
import JSONValue
import Photo
import Raster

/// `constant-color compare A B`: how far the colours of two pictures differ.
enum CompareCommand: Command {
  static let name = "compare"
  static let summary =
    "Tells how far the colours of two pictures of one size differ: CIEDE2000 under D65, of the unbounded linear pixels."
  static let operands = "A B"
  static let operandKind = OperandKind.files
  static let options =
    [
      OptionSpecification(
        "--map", "FILE",
        "Writes the difference of each pixel: .exr and .tif hold ΔE00 as floats, .png and .jpg show it as colours from "
          + "light yellow (0.5 and less) to dark blue (20 and more), grey where nothing can be compared."),
      OptionSpecification("--report", "FILE|json", "Writes the figures as JSON; json or - is standard output."),
      OptionSpecification(
        "--scale", "none|gain|luminance",
        "What is done with brightness: none (default), it counts; gain, B is multiplied by one factor so that both have the "
          + "same mean luminance; luminance, each pixel of B is scaled to the luminance of A's, so that colours alone count."
      ),
      OptionSpecification(
        "--radius", "R", "Compares means over squares of 2R + 1 pixels a side, 0 to 16; default 0, single pixels."),
      OptionSpecification(
        "--linear", nil, "The files hold linear values with sRGB primaries, whatever their profiles say."),
    ] + OptionSpecification.running
  static let footer = """
    example: constant-color compare result.png truth.exr --scale luminance --radius 1

    Pictures are read with their profiles and turned upright. Pixels that are transparent, or not finite, are left out and
    counted. The share of pixels within 1, 3 and 5 is told beside mean, median, 95th percentile and largest difference.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    guard arguments.operands.count == 2, !arguments.operands.contains("") else {
      throw UsageError("'compare' takes two pictures, not \(arguments.operands.count): constant-color compare A B")
    }
    let report = arguments.value("--report").map { $0 == "json" ? "-" : $0 }
    let files = [arguments.value("--map"), report].compactMap(\.self)
    try checkDistinct(inputs: arguments.operands, outputs: files)
    let scaling: ColorDifference.Scaling = try arguments.choice("--scale") ?? .none
    let radius = try arguments.wholeNumber("--radius", in: 0...16) ?? 0
    let destination = try arguments.value("--map").map { path in try asInput { try PictureDestination(path) } }
    try checkWritable(report)
    let running = try RunningOptions(arguments)
    try running.startLibrary()
    let bar = ProgressBar(isWanted: running.progress)
    defer { bar.clear() }

    let pictures = try arguments.operands.map { path in
      bar.show("loading")
      return try ComparedPicture(path, linear: arguments.has("--linear"))
    }
    let difference = try self.difference(pictures, scaling, radius)
    let figures = try compare(difference, destination, bar)
    bar.clear()
    if !running.isQuiet { for note in pictures.flatMap(\.notes) { printError("note: \(note)") } }
    let json = self.json(figures, pictures, scaling, radius)
    if let report {
      if report == "-" {
        printLine(json.text())
      } else {
        try ByteFile.write(Array((json.text() + "\n").utf8), to: report)
      }
    }
    if report != "-", !running.isQuiet { printLine(figures.text) }
    return .done
  }

  private static func difference(
    _ pictures: [ComparedPicture], _ scaling: ColorDifference.Scaling, _ radius: Int
  ) throws -> ColorDifference {
    let (a, b) = (pictures[0], pictures[1])
    let (one, other) = (a.source.bounds, b.source.bounds)
    guard one.width == other.width, one.height == other.height else {
      let isTurned = one.width == other.height && one.height == other.width
      throw InputError(
        "\(b.path): has \(other.width) × \(other.height) pixels, and \(a.path) has \(one.width) × \(one.height); "
          + (isTurned ? "turn one of them by a quarter" : "scale or crop one of them to the other's size"))
    }
    return try asInput { try ColorDifference(a.source, b.source, scaling: scaling, radius: radius) }
  }

  private static func compare(
    _ difference: ColorDifference, _ destination: PictureDestination?, _ bar: ProgressBar
  ) throws -> PictureComparison {
    guard let destination else {
      let figures = PictureComparison.measure(difference, execution: Run.execution) { bar.show("comparing", $0) }
      guard let figures else { throw RenderingCancelled() }
      return figures
    }
    guard var running = RunningComparison(difference, execution: Run.execution) else { throw RenderingCancelled() }
    let map = DifferenceMap(difference.bounds, destination.format)
    try destination.write(map.layout, execution: Run.execution) { rows, samples in
      guard let errors = running.errors(inRows: rows) else { throw RenderingCancelled() }
      map.write(errors, to: samples)
      bar.show("comparing", Double(rows.upperBound) / Double(difference.bounds.height))
    }
    return running.comparison
  }

  private static func json(
    _ figures: PictureComparison, _ pictures: [ComparedPicture], _ scaling: ColorDifference.Scaling, _ radius: Int
  ) -> JSON {
    let head: [JSON.Member] = [
      JSON.Member("version", .string(version)), JSON.Member("first", .string(pictures[0].path)),
      JSON.Member("second", .string(pictures[1].path)), JSON.Member("scale", .string(scaling.rawValue)),
      JSON.Member("radius", .integer(radius)),
    ]
    guard case .object(let members) = figures.json else { return .object(head) }
    return .object(head + members)
  }
}

/// A picture whose colours are known.
private struct ComparedPicture {
  let path: String
  let source: BufferSource
  let notes: [String]

  /// Loads a picture. Throws ``InputError``.
  init(_ path: String, linear: Bool) throws {
    let picture: LoadedPicture
    let format: PixelFormat
    do {
      picture = try PictureLoader.load(path, linear: linear)
      format = try PixelFormat("RGBA float")
    } catch { throw InputError(error) }
    guard !picture.isCameraRGB else {
      throw InputError(
        "\(path): is a RAW file, whose numbers are the camera's and no colours; develop it, and compare the result")
    }
    guard let source = BufferSource(picture.buffer, format: format) else {
      throw InputError("\(path): cannot be read as RGB; save it as PNG or TIFF")
    }
    (self.path, self.source) = (path, source)
    notes = picture.notes.map { "\(path): \($0)" }
  }
}

/// How differences are written: as numbers, or as colours.
private struct DifferenceMap {
  let layout: PictureLayout
  private let scale = ErrorScale([20])

  init(_ bounds: Rectangle, _ format: PictureFormat) {
    let isNumbers = format == .openEXR || format == .tiff
    layout = PictureLayout(
      width: bounds.width, height: bounds.height, channels: isNumbers ? 1 : 3, sample: isNumbers ? .float32 : .uint8)
  }

  func write(_ errors: [Float], to samples: UnsafeMutableRawBufferPointer) {
    if layout.sample == .float32 {
      errors.withUnsafeBytes { samples.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(samples.count))) }
      return
    }
    for (index, error) in errors.prefix(samples.count / 3).enumerated() {
      let color = error.isNaN ? ScreenColor(red: 128, green: 128, blue: 128) : scale.color(Double(error))
      samples[3 * index] = color.red
      samples[3 * index + 1] = color.green
      samples[3 * index + 2] = color.blue
    }
  }
}
