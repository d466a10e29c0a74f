import Calibration
import ColorScience
import ConstantColor
import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc
import JSONValue
import Photo
import Raster

/// The development of one pair: loads it, measures once, and writes what was asked for from one graph.
final class Development {
  let options: DevelopOptions
  let bar: ProgressBar
  private let pair: LoadedPair
  let flash, ambient: LoadedPicture
  private let graph: Graph
  private(set) var steps: DevelopGraph
  /// What became of several ambient frames; empty for a single one.
  private(set) var frames: [AmbientFrameOutcome] = []
  private var stopwatch = Stopwatch()
  var report: Report
  var ambientBalance: AmbientWhiteBalance?
  /// What the user should know although the development went well.
  private(set) var notes: [String] = []
  /// What is wrong with the pair, the worst first.
  private(set) var findings: [Finding] = []
  /// Where the way from the picture's numbers to D65 came from.
  var color = DevelopmentColor.rendered(isWhiteKnown: false)
  /// The calibration of the camera and its flash.
  let profile: CalibrationProfile?
  /// What rendering did to the result's pixels.
  private var census = RenderingCensus()
  private var preview: DevelopmentPreview?

  /// Loads the pair and wires the graph. Throws ``InputError`` for files that cannot be used.
  init(_ options: DevelopOptions, _ bar: ProgressBar) throws {
    self.options = options
    self.bar = bar
    bar.show("loading")
    pair = try LoadedPair(flash: options.flash, ambients: options.ambients, linear: options.isLinear)
    (flash, ambient) = (pair.flash, pair.ambient)
    profile =
      if let path = options.profile {
        try Self.profile(path, for: flash, isCamera: pair.isCameraRGB)
      } else { nil }
    stopwatch.lap("load")
    report = Report(version: version, flash: Report.Frame(flash), ambient: Report.Frame(ambient))
    graph = try Graph()
    steps = try pair.steps(in: graph, exposureRatio: options.exposureRatio)
    notes = flash.notes + pair.ambients.flatMap(\.notes)
    try applyOptions()
  }

  private func applyOptions() throws {
    try steps.set("align", .choice(options.alignment.rawValue))
    try steps.set("tolerance", .double(options.tolerance))
    try steps.set("space", .choice(options.space.identifier))
    try steps.set(look: options.look)
    switch options.exposure {
    case .auto: try steps.set("exposure", "auto")
    case .fixed:
      try steps.set("exposure", "fixed")
      // The room's light has nothing to do with the flash's exposure: it is shown as the ambient frame has it.
      if let profile, options.look == .flash {
        let relative = profile.relativeExposure(of: flash.metadata.flashExposure(profile.duration))
        try steps.set("exposure-gain", .double(min(max(-log2(relative), -20), 20)))
      }
    case .stops(let stops):
      try steps.set("exposure", "fixed")
      try steps.set("exposure-gain", .double(stops))
    }
    switch options.flashWhite {
    case .chromaticity(let white):
      try steps.set("flash-x", .double(white.x))
      try steps.set("flash-y", .double(white.y))
    case .temperature(let temperature):
      try steps.set("flash-cct", .double(temperature.kelvin))
      try steps.set("flash-duv", .double(temperature.duv))
    case nil: break
    }
    if let profile = options.profile { try steps.set("profile", .string(profile)) }
    if let matrix = options.matrix { try steps.set("matrix", .string(matrix.map { "\($0)" }.joined(separator: " "))) }
    if let adaptation = options.adaptation { try steps.set("adaptation", .choice(adaptation)) }
  }

  /// Reads a profile. Throws ``InputError``.
  static func profile(_ path: String) throws -> CalibrationProfile {
    do {
      return try CalibrationProfile(parsing: Array(TextFile.read(path, as: "a calibration profile").utf8))
    } catch let error as ProfileError {
      throw InputError("\(path): \(error)")
    } catch { throw InputError(error) }
  }

  /// Reads the profile, and makes sure that it is for such pictures.
  private static func profile(
    _ path: String, for picture: LoadedPicture, isCamera: Bool
  ) throws -> CalibrationProfile {
    let profile = try profile(path)
    guard (profile.input == .camera) == isCamera else {
      throw InputError(
        profile.input == .camera
          ? "\(path): is for RAW files; develop those, or calibrate with pictures like \(picture.file.path)"
          : "\(path): is for developed pictures; calibrate with RAW files like \(picture.file.path)")
    }
    if let ours = profile.model, let theirs = picture.metadata.model, ours != theirs {
      throw InputError(
        "\(path): is for the camera \(ours), and \(picture.file.path) is from \(theirs); calibrate that one")
    }
    return profile
  }

  /// Whether the frames are linear values of a camera, whatever space they are tagged with.
  var isCameraRGB: Bool { pair.isCameraRGB }

  // MARK: running

  /// Develops and writes. Throws ``RenderingCancelled`` when stopped.
  func run() throws -> ExitStatus {
    try measure()
    return try write()
  }

  /// Finds everything that the result depends on, so that its pixels can be read from ``steps``. Only the confidence map
  /// is written, on the way. Throws ``RenderingCancelled`` when stopped.
  func measure() throws {
    bar.show("aligning")
    try steps.measureAlignment()
    stopwatch.lap("align")
    if steps.averages {
      bar.show("averaging the ambient frames")
      let average = try pair.averageAmbients(in: &steps, exposureRatio: options.exposureRatio)
      frames = average.outcomes
      notes += average.notes
      stopwatch.lap("average")
    }
    bar.show("matching exposure")
    try steps.measureExposure()
    stopwatch.lap("matchExposure")
    bar.show("estimating the flash's light")
    try steps.measureFlashOnly(
      flashNoise: flash.noise, ambientNoise: steps.averages ? nil : ambient.noise, correlation: flash.noiseCorrelation)
    try measureColor()
    stopwatch.lap("estimate")
    if options.preview != nil { preview = DevelopmentPreview(steps.confidence.boundingBox) }
    let confidence = try measureConfidence()
    stopwatch.lap("confidence")
    if options.look == .ambient {
      bar.show("balancing the ambient light")
      try measureLights()
      if ambientBalance?.method == AmbientWhiteBalance.Method.none {
        notes.append("the ambient frame has no light to show the scene by; '--look flash' does")
      }
      try steps.measureLook()
      stopwatch.lap("look")
    }
    try steps.measureGain()
    stopwatch.lap("meter")
    fillReport(confidence)
  }

  /// Writes what was asked for, after ``measure()``.
  func write() throws -> ExitStatus {
    if let result = options.result {
      let rendering = OutputRendering(gain: gain, space: options.space)
      let linear = try PixelFormat("RGBA float", space: steps.developed.outputSpace)
      try write(steps.render, to: result, "writing the result") { band in
        let pixels = try self.steps.developed.read(band, format: linear, as: Pixel.self)
        self.census += pixels.withUnsafeBytes { rendering.census(Pixels($0.baseAddress, count: pixels.count)) }
        guard self.preview != nil else { return }
        self.preview?.result.add(
          try self.steps.render.read(band, format: PixelFormat("RGBA float"), as: Pixel.self), band)
      }
      if let destination = options.preview { try preview?.write(to: destination) }
    }
    stopwatch.lap("write")
    if ambientBalance == nil { try measureLights() }
    stopwatch.lap("whiteBalance")
    if let fallback = options.fallback {
      try steps.measureFallback()
      try write(steps.renderFallback, to: fallback, "writing the fallback")
      stopwatch.lap("fallback")
    }
    return try finishReport()
  }

  /// Finds the colours of both lights, for the report.
  func measureLights() throws {
    ambientBalance = try steps.measureWhiteBalance(neutral: flashWhite?.neutral ?? SIMD3(repeating: 1))
    fillWhites()
  }

  /// The factor between the D65 picture and the result, after ``measure()``.
  var gain: Double { exp2(steps.render.number("exposure-gain") ?? 0) }

  /// Seconds since the beginning.
  var elapsed: Double { stopwatch.total }

  /// The confidence's means; its map is written on the way where that was asked for.
  private func measureConfidence() throws -> CenterWeighting {
    let box = steps.confidence.boundingBox
    var means = CenterWeighting(box)
    let format = try PixelFormat("Y float", space: steps.confidence.outputSpace)
    func values(_ rows: Rectangle) throws -> [Float] {
      let values = try steps.confidence.read(rows, format: format, as: Float.self)
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      means.add(rows, values.span)
      preview?.confidence.add(values.map { Pixel($0, $0, $0, 1) }, rows)
      bar.show("judging confidence", Double(rows.maxY - box.y) / Double(box.height))
      return values
    }
    guard let map = options.confidence else {
      for band in box.bands(of: 256) { _ = try values(band) }
      return means
    }
    let sample = map.format.sample(float: options.floatTIFF)
    let layout = PictureLayout(width: box.width, height: box.height, channels: 1, sample: sample)
    let attachments = PictureAttachments(exif: exif(isSRGB: false))
    try map.write(layout, attachments, execution: Run.execution) { rows, bytes in
      let band = Rectangle(x: box.x, y: box.y + rows.lowerBound, width: box.width, height: rows.count)
      for (index, value) in try values(band).enumerated() {
        switch sample {
        case .uint8: bytes.storeBytes(of: UInt8(value * 255 + 0.5), toByteOffset: index, as: UInt8.self)
        case .uint16: bytes.storeBytes(of: UInt16(value * 65535 + 0.5), toByteOffset: index * 2, as: UInt16.self)
        case .float32: bytes.storeBytes(of: value, toByteOffset: index * 4, as: Float.self)
        }
      }
    }
    return means
  }

  /// Writes a rendered picture in its own colour space.
  private func write(
    _ node: Node, to destination: PictureDestination, _ step: String, alsoFor: (Rectangle) throws -> Void = { _ in }
  ) throws {
    let box = node.boundingBox
    let sample = destination.format.sample(float: options.floatTIFF)
    let encoding: String
    switch (destination.format, sample) {
    case (.openEXR, _): encoding = "RGB float"
    case (_, .uint8): encoding = "R'G'B' u8"
    case (_, .uint16): encoding = "R'G'B' u16"
    case (_, .float32): encoding = "R'G'B' float"
    }
    let format = try PixelFormat(encoding, space: node.outputSpace)
    let layout = PictureLayout(width: box.width, height: box.height, channels: 3, sample: sample)
    let attachments = PictureAttachments(
      icc: options.space.iccProfile, exif: exif(isSRGB: options.space == .sRGB),
      chromaticities: PictureChromaticities(options.space))
    try destination.write(layout, attachments, execution: Run.execution) { rows, bytes in
      let band = Rectangle(x: box.x, y: box.y + rows.lowerBound, width: box.width, height: rows.count)
      try node.read(band, format: format, into: bytes)
      try alsoFor(band)
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      bar.show(step, Double(rows.upperBound) / Double(box.height))
    }
  }

  /// The flash frame's metadata for a result.
  ///
  /// - Parameter size: the result's; nil for the flash frame's own.
  func exif(isSRGB: Bool, size: (width: Int, height: Int)? = nil) -> ExifBlock {
    (flash.metadata.exif ?? ExifBlock()).forResult(
      width: size?.width ?? flash.width, height: size?.height ?? flash.height, isSRGB: isSRGB, version: version)
  }

  // MARK: the report

  private func finishReport() throws -> ExitStatus {
    report.more += [
      JSON.Member("look", .string(options.look.rawValue)),
      JSON.Member("fallbackMethod", JSON(ambientBalance?.method.rawValue)),
      JSON.Member("colour", color.json),
      JSON.Member("gamutMappedFraction", JSON(census.gamutMappedFraction)),
      JSON.Member("highlightFraction", JSON(census.highlightFraction)),
    ]
    report.clippedFraction = try clippedFraction()
    report.total = stopwatch.total
    report.timings = stopwatch.laps
    if let path = options.report { try report.json.write(to: path) }
    return report.belowThreshold == true ? .retake : .done
  }

  private func fillReport(_ confidence: CenterWeighting) {
    report.centerWeightedMeanConfidence = confidence.centerWeightedMean
    report.meanConfidence = confidence.mean
    report.colorTolerance = options.tolerance
    report.belowThreshold = options.threshold.map { (confidence.centerWeightedMean ?? 0) < $0 } ?? false
    report.ambientFrames = frames.isEmpty ? 1 : frames.count(where: \.isUsed)
    fillExposureRatio()
    fillAlignment()
  }

  private func fillExposureRatio() {
    let green = steps.match.number("exposure-ratio")
    report.exposureRatio = green
    if let green {
      func channel(_ name: String) -> Double { steps.match.number(name).flatMap { $0 > 0 ? $0 : nil } ?? green }
      report.exposureRatios = [channel("red-ratio"), green, channel("blue-ratio")]
    }
    report.more.append(JSON.Member("flicker", flickerJSON))
    report.exposureRatioSource =
      options.exposureRatio != nil ? .given : text("found-ratio-source") == "prior" ? .exif : .estimated
    findings = PairCheck.findings(
      flash: report.flash, ambients: pair.ambients.map { Report.Frame($0) },
      medianGain: steps.match.number("found-median-gain"),
      measuredRatio: report.exposureRatioSource == .estimated ? green : nil)
    report.more.append(JSON.Member("findings", .array(findings.map(\.json))))
  }

  /// The wave of the ratio under a flickering lamp, null without one.
  private var flickerJSON: JSON {
    guard let text = text("found-flicker"), let flicker = Flicker(text) else { return .null }
    let amplitude = flicker.amplitude
    return .object([
      "direction": .string(flicker.isVertical ? "rows" : "columns"), "period": JSON(flicker.period),
      "amplitude": .array([JSON(amplitude.x), JSON(amplitude.y), JSON(amplitude.z)]),
    ])
  }

  private func fillAlignment() {
    let first = frames.first(where: \.isUsed) ?? AmbientFrameOutcome(steps.align)
    if let problem = first.problem { notes.append(problem) }
    report.alignment = Report.Alignment(first)
    guard !frames.isEmpty else { return }
    let details = zip(pair.ambients, frames).map { picture, frame -> JSON in
      .object([
        "path": .string(picture.file.path), "used": .bool(frame.isUsed), "gain": JSON(frame.gain),
        "rejectedFraction": JSON(frame.rejectedFraction), "alignment": Report.Alignment(frame)?.json ?? .null,
      ])
    }
    report.more.append(JSON.Member("ambientFrameDetails", .array(details)))
  }

  private func clippedFraction() throws -> Double? {
    let format = try PixelFormat("RGBA float", space: flash.buffer.format?.space)
    guard let frame = BufferSource(flash.buffer, format: format) else { return nil }
    let fraction = ClippedFraction.measure(flash: frame, ambient: try NodeSource(steps.aligned, format: format))
    return fraction.isFinite ? fraction : nil
  }

  private func text(_ name: String) -> String? {
    guard case .string(let text)? = steps.found(name) else { return nil }
    return text
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

extension Report.Alignment {
  /// How a frame was brought onto the flash frame; nil where that is not known.
  init?(_ frame: AmbientFrameOutcome) {
    guard let model = frame.model, let matrix = frame.homography else { return nil }
    self.init(
      model: model == "identity" ? "none" : model, matrix: matrix.split(separator: " ").compactMap { Double($0) },
      residual: frame.residual, overlap: frame.overlap)
    (outcome, agreement) = (frame.outcome, frame.agreement)
    (largestShift, noiseGain) = (frame.largestShift, frame.noiseGain)
  }
}

extension PictureChromaticities {
  init(_ space: RGBSpace) {
    func pair(_ point: Chromaticity) -> SIMD2<Float> { SIMD2(Float(point.x), Float(point.y)) }
    self.init(red: pair(space.red), green: pair(space.green), blue: pair(space.blue), white: pair(space.white))
  }
}
