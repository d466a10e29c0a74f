import ConstantColor
import ConstantColorOperations
import Development
import GEGL
import GEGLOperation
import Photo
import Raster

/// `develop`: the development of one pair, with a progress bar and files.
final class Development {
  let options: DevelopOptions
  let bar: ProgressBar
  /// The work itself.
  let core: PairDevelopment
  /// What rendering did to the result's pixels.
  private var census = RenderingCensus()
  private var preview: DevelopmentPreview?

  /// Loads the pair and wires the graph. Throws ``InputError`` for files that cannot be used.
  ///
  /// - Parameter files: the pair's, where they are open already.
  init(_ options: DevelopOptions, _ bar: ProgressBar, files: OpenedPair? = nil) throws {
    self.options = options
    self.bar = bar
    bar.show("loading")
    let stopwatch = Stopwatch()
    let files = try files ?? OpenedPair(flash: options.flash, ambients: options.ambients)
    core = try PairDevelopment(LoadedPair(files, linear: options.isLinear), options.settings, stopwatch)
  }

  var flash: LoadedPicture { core.flash }
  var ambient: LoadedPicture { core.ambient }
  var isCameraRGB: Bool { core.isCameraRGB }
  var steps: DevelopGraph { core.steps }
  var report: Report { core.report }
  var notes: [String] { core.notes }
  var findings: [Finding] { core.findings }
  var gain: Double { core.gain }

  // MARK: running

  /// Develops and writes. Throws ``RenderingCancelled`` when stopped.
  func run() throws -> ExitStatus {
    try measure()
    return try write()
  }

  /// Finds everything that the result depends on, so that its pixels can be read from ``steps``. Only the confidence map
  /// is written, on the way. Throws ``RenderingCancelled`` when stopped.
  func measure() throws {
    try core.measure(progress: bar.show) { try measureConfidence() }
  }

  /// Writes what was asked for, after ``measure()``.
  func write() throws -> ExitStatus {
    if let result = options.result {
      let rendering = OutputRendering(gain: gain, space: options.space)
      let linear = try PixelFormat("RGBA float", space: steps.developed.outputSpace)
      // As `render` does it, which would compute every pixel twice: once for the census.
      try write(steps.render, to: result, "writing the result") { band, _, bytes in
        try self.steps.developed.read(band, format: linear, into: bytes)
        self.census += rendering.render(MutablePixels(bytes.baseAddress, count: band.count), Run.execution)
        guard self.preview != nil else { return }
        self.preview?.result.add(
          try self.steps.render.read(band, format: PixelFormat("RGBA float"), as: Pixel.self), band)
      }
      if let destination = options.preview { try preview?.write(to: destination) }
    }
    core.stopwatch.lap("write")
    try measureLights()
    core.stopwatch.lap("whiteBalance")
    if let fallback = options.fallback {
      try steps.measureFallback()
      try write(steps.renderFallback, to: fallback, "writing the fallback")
      core.stopwatch.lap("fallback")
    }
    try core.finishReport(census)
    if let path = options.report { try report.json.write(to: path) }
    return report.belowThreshold == true ? .retake : .done
  }

  /// Finds the colours of both lights, for the report.
  func measureLights() throws { try core.measureLights() }

  /// Seconds since the beginning.
  var elapsed: Double { core.stopwatch.total }

  /// The confidence's means; its map is written on the way where that was asked for.
  private func measureConfidence() throws -> CenterWeighting {
    let box = steps.confidence.boundingBox
    if options.preview != nil { preview = DevelopmentPreview(box) }
    var means = CenterWeighting(box)
    func values(_ rows: Rectangle) throws -> [Float] {
      let values = try core.readConfidence(rows, into: &means)
      preview?.confidence.add(values.map { Pixel($0, $0, $0, 1) }, rows)
      bar.show("judging confidence", Double(rows.maxY - box.y) / Double(box.height))
      return values
    }
    if let map = options.confidence {
      try map.writeMap(box, exif: flash.exifOfResult(isSRGB: false), float: options.floatTIFF, values: values)
    } else {
      for band in box.bands(of: 256) { _ = try values(band) }
    }
    return means
  }

  /// Writes a rendered picture in its own colour space; its pixels are the node's, or what `read` gives.
  private func write(
    _ node: Node, to destination: PictureDestination, _ step: String,
    read: ((Rectangle, PixelFormat, UnsafeMutableRawBufferPointer) throws -> Void)? = nil
  ) throws {
    let box = node.boundingBox
    try destination.writePicture(
      box, space: options.space, node.outputSpace, exif: flash.exifOfResult(isSRGB: options.space == .sRGB),
      float: options.floatTIFF
    ) { band, format, bytes in
      if let read { try read(band, format, bytes) } else { try node.read(band, format: format, into: bytes) }
      bar.show(step, Double(band.maxY - box.y) / Double(box.height))
    }
  }

  /// Prints what was found, for --verbose.
  func printSummary() {
    func number(_ value: Double?, _ digits: Int = 3) -> String {
      guard let value else { return "unknown" }
      let scale = [1.0, 10, 100, 1000, 10000][min(max(digits, 0), 4)]
      return "\((value * scale).rounded() / scale)"
    }
    printError("alignment: \(report.alignment?.model ?? "unknown"), residual \(number(report.alignment?.residual)) px")
    printError("exposure ratio: \(number(report.exposureRatio)) (\(report.exposureRatioSource?.rawValue ?? "unknown"))")
    printError(
      "confidence: \(number(report.centerWeightedMeanConfidence)) centre-weighted, \(number(report.meanConfidence)) mean"
    )
    if let white = report.ambientWhite {
      printError("ambient light: x \(number(white.x, 4)), y \(number(white.y, 4)), \(number(white.cct, 0)) K")
    }
    printError("time: " + report.timings.map { "\($0.step) \(number($0.seconds, 2)) s" }.joined(separator: ", "))
  }
}
