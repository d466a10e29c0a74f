import Calibration
import ColorScience
import ConstantColor
import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc
import Photo
import Raster

/// The development of one pair: loads it, measures once, and gives its pictures from one graph. Every program that develops
/// pairs does it by this.
public final class PairDevelopment {
  /// Told what is being done, and which part of it is done, 0...1; nil where that is not known.
  public typealias Progress = (_ step: String, _ fraction: Double?) -> Void

  /// The version of this project, of its reports, and of the files it writes.
  public static let version = "0.1.0"

  /// What was asked for.
  public let settings: DevelopmentSettings
  /// The frames.
  public private(set) var pair: LoadedPair
  /// The graph.
  public private(set) var steps: DevelopGraph
  /// What became of several ambient frames; empty for a single one.
  public private(set) var frames: [AmbientFrameOutcome] = []
  /// The time that each step took.
  public var stopwatch: Stopwatch
  /// What was found.
  public internal(set) var report: Report
  /// The colour of the ambient light, once it is known.
  public private(set) var ambientBalance: AmbientWhiteBalance?
  /// What the user should know although the development went well.
  public private(set) var notes: [String] = []
  /// What is wrong with the pair, the worst first.
  public internal(set) var findings: [Finding] = []
  /// Where the way from the picture's numbers to D65 came from.
  public internal(set) var color = DevelopmentColor.rendered(isWhiteKnown: false)
  /// How even what should be even is, with and without the flat field, and what that is.
  public var uniformity: FlatFieldUniformity?
  /// The calibration of the camera and its flash.
  public let profile: CalibrationProfile?
  private let graph: Graph
  private var reflectanceCheck: Node?

  /// Loads the pair and wires the graph. Throws ``InputError`` for files that cannot be used.
  public convenience init(flash: String, ambients: [String], _ settings: DevelopmentSettings) throws {
    let stopwatch = Stopwatch()
    try self.init(LoadedPair(flash: flash, ambients: ambients, linear: settings.isLinear), settings, stopwatch)
  }

  /// Wires the graph for a pair that is loaded. Throws ``InputError`` for a profile that cannot be used.
  ///
  /// - Parameter stopwatch: started before the pair was loaded.
  public init(_ pair: LoadedPair, _ settings: DevelopmentSettings, _ stopwatch: Stopwatch = Stopwatch()) throws {
    (self.settings, self.pair, self.stopwatch) = (settings, pair, stopwatch)
    profile =
      if let path = settings.profile {
        try Self.profile(path, for: pair.flash, isCamera: pair.isCameraRGB)
      } else { nil }
    self.stopwatch.lap("load")
    report = Report(
      version: Self.version, flash: Report.Frame(pair.flash), ambient: Report.Frame(pair.ambient))
    graph = try Graph()
    steps = try pair.steps(in: graph, exposureRatio: settings.exposureRatio)
    notes = pair.flash.notes + pair.ambients.flatMap(\.notes)
    try apply(settings)
    notes += flatFieldNotes
  }

  /// The frame with flash, and the first one without.
  public var flash: LoadedPicture { pair.flash }
  /// See ``flash``.
  public var ambient: LoadedPicture { pair.ambient }
  /// Whether the frames are linear values of a camera, whatever space they are tagged with.
  public var isCameraRGB: Bool { pair.isCameraRGB }
  /// The factor between the D65 picture and the result, after ``measure(progress:confidence:)``.
  public var gain: Double { exp2(steps.render.number("exposure-gain") ?? 0) }

  private func apply(_ settings: DevelopmentSettings) throws {
    try steps.set("align", .choice(settings.alignment.rawValue))
    try steps.set("tolerance", .double(settings.tolerance))
    try steps.set("space", .choice(settings.space.identifier))
    try steps.set(look: settings.look)
    switch settings.exposure {
    case .auto: try steps.set("exposure", "auto")
    case .fixed:
      try steps.set("exposure", "fixed")
      // The room's light has nothing to do with the flash's exposure: it is shown as the ambient frame has it.
      if let profile, settings.look == .flash {
        let relative = profile.relativeExposure(of: flash.metadata.flashExposure(profile.duration))
        try steps.set("exposure-gain", .double(min(max(-log2(relative), -20), 20)))
      }
    case .stops(let stops):
      try steps.set("exposure", "fixed")
      try steps.set("exposure-gain", .double(stops))
    }
    switch settings.flashWhite {
    case .chromaticity(let white):
      try steps.set("flash-x", .double(white.x))
      try steps.set("flash-y", .double(white.y))
    case .temperature(let temperature):
      try steps.set("flash-cct", .double(temperature.kelvin))
      try steps.set("flash-duv", .double(temperature.duv))
    case nil: break
    }
    if let profile = settings.profile { try steps.set("profile", .string(profile)) }
    if let matrix = settings.matrix { try steps.set("matrix", .string(matrix.map { "\($0)" }.joined(separator: " "))) }
    try steps.set("flat-field", .bool(settings.usesFlatField))
    try steps.set("orientation", .int(Int(flash.metadata.orientation.rawValue)))
    if let adaptation = settings.adaptation { try steps.set("adaptation", .choice(adaptation)) }
  }

  // MARK: measuring

  /// Finds everything that the result depends on, so that its pixels can be read from ``steps``.
  ///
  /// - Parameters:
  ///   - progress: told what is being done.
  ///   - confidence: reads the confidence, all of it once, with ``readConfidence(_:into:)``.
  /// - Throws: `RenderingCancelled` when stopped.
  public func measure(progress: Progress = { _, _ in }, confidence: () throws -> CenterWeighting) throws {
    progress("aligning", nil)
    try steps.measureAlignment()
    stopwatch.lap("align")
    if steps.averages {
      progress("averaging the ambient frames", nil)
      let average = try pair.averageAmbients(in: &steps, exposureRatio: settings.exposureRatio)
      frames = average.outcomes
      notes += average.notes
      stopwatch.lap("average")
    }
    if !settings.keepsAmbientFrames {
      try steps.releaseAmbient()
      try pair.releaseAmbients()
    }
    progress("matching exposure", nil)
    try steps.measureExposure()
    stopwatch.lap("matchExposure")
    progress("estimating the flash's light", nil)
    try steps.set(
      flashNoise: noise(of: flash), ambientNoise: steps.averages ? nil : noise(of: ambient),
      correlation: flash.noiseCorrelation)
    try measureColor()
    try steps.measureFlashOnly()
    stopwatch.lap("estimate")
    let means = try confidence()
    stopwatch.lap("confidence")
    if settings.look == .ambient {
      progress("balancing the ambient light", nil)
      try measureLights()
      if ambientBalance?.method == AmbientWhiteBalance.Method.none {
        notes.append("the ambient frame has no light to show the scene by; '--look flash' does")
      }
      try steps.measureLook()
      stopwatch.lap("look")
    }
    try steps.measureGain()
    stopwatch.lap("meter")
    fillReport(means)
    if let problem = (frames.first(where: \.isUsed) ?? AmbientFrameOutcome(steps.align)).problem {
      notes.append(problem)
    }
  }

  /// The node that tells how far each pixel can be trusted.
  public var trust: Node { reflectanceCheck ?? steps.confidence }

  /// Takes the confidence from what is lighter than any reflecting surface of its colour; before the confidence is read.
  ///
  /// - Parameter white: the luminance of a white surface in the picture under D65, before any gain.
  public func rejectUnmeasurable(white: Double) throws {
    guard white > 0, white.isFinite else { return }
    let check = try reflectanceCheck ?? graph.add("constant-color:reflectance-check")
    try check.set("white", .double(min(white, 1e6)))
    try check.connect(from: steps.confidence)
    try check.connect("aux", from: steps.adapt)
    reflectanceCheck = check
  }

  /// Confidence of some rows, 0...1, which also count in the means.
  public func readConfidence(_ rows: Rectangle, into means: inout CenterWeighting) throws -> [Float] {
    let format = try PixelFormat("Y float", space: trust.outputSpace)
    let values = try trust.read(rows, format: format, as: Float.self)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    means.add(rows, values.span)
    return values
  }

  /// Finds the colours of both lights, for the report; once.
  public func measureLights() throws {
    guard ambientBalance == nil else { return }
    ambientBalance = try steps.measureWhiteBalance(neutral: flashWhite?.neutral ?? SIMD3(repeating: 1))
    fillWhites()
  }

  /// What the file says of its noise, or the profile; nil where the frame itself must tell.
  private func noise(of picture: LoadedPicture) -> NoiseModel? {
    picture.noise ?? profile?.noise(atISO: picture.metadata.iso)
  }

  // MARK: profiles

  /// Reads a profile. Throws ``InputError``.
  public static func profile(_ path: String) throws -> CalibrationProfile {
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
    try check(profile, named: path, for: picture, isCamera: isCamera)
    return profile
  }

  /// Makes sure that a profile is for such pictures. Throws ``InputError``.
  public static func check(
    _ profile: CalibrationProfile, named path: String, for picture: LoadedPicture, isCamera: Bool
  ) throws {
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
  }
}
