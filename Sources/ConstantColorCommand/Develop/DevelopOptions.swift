import ColorScience
import ConstantColor
import ConstantColorOperations
import Development
import Photo

/// What `develop` was asked to do: the command line, checked.
struct DevelopOptions {
  typealias Exposure = DevelopmentSettings.Exposure
  typealias FlashWhite = DevelopmentSettings.FlashWhite

  let flash: String
  let ambients: [String]
  let result, confidence, fallback: PictureDestination?
  let report: String?
  /// The result and its confidence next to each other, small.
  let preview: PictureDestination?
  let space: RGBSpace
  let floatTIFF: Bool
  let threshold: Double?
  let exposure: Exposure
  let look: LookChoice
  let alignment: AlignmentChoice
  let exposureRatio: Double?
  let tolerance: Double
  let flashWhite: FlashWhite?
  let profile: String?
  let matrix: [Double]?
  let adaptation: String?
  let isLinear, usesFlatField: Bool
  /// See ``DevelopmentSettings/keepsAmbientFrames``.
  let keepsAmbientFrames: Bool
  let running: RunningOptions

  static let specifications = own + OptionSpecification.running

  /// The chromatic adaptation transforms, as the operations call them.
  private static let adaptations = ["bradford", "cat02", "cat16", "von-kries"]

  private static let own = [
    OptionSpecification("--flash", "FILE", "The photograph with flash. Its geometry and metadata are the result's."),
    OptionSpecification(
      "--ambient", "FILE", isRepeatable: true,
      "The photograph of the same scene without flash; several are aligned and averaged, which leaves less noise."),
    OptionSpecification("--swap", nil, "The two files are the wrong way round: exchanges them."),
    OptionSpecification("--output", "FILE", "The result: .png or .tif (16 bit), .exr (float) or .jpg (8 bit)."),
    OptionSpecification(
      "--confidence", "FILE",
      "Writes the confidence map: one channel, linear, 16 bit (.png, .tif), float (.exr) or 8 bit (.jpg)."),
    OptionSpecification(
      "--fallback", "FILE", "Writes the fallback picture: the ambient frame with standard white balance."),
    OptionSpecification("--report", "FILE", "Writes a report as JSON; - is standard output."),
    OptionSpecification(
      "--preview", "FILE", "Writes a small picture: the result and its confidence next to each other."),
    OptionSpecification(
      "--space", "NAME", values: RGBSpace.all.map(\.identifier),
      "Colour space: p3 (default), srgb, rec2020, prophoto or linear-srgb."),
    OptionSpecification("--float", nil, "Writes .tif files with floats."),
    OptionSpecification(
      "--threshold", "T",
      "The centre-weighted mean confidence, 0 to 1, that counts as good; below it the exit status is 3."),
    OptionSpecification(
      "--exposure", "auto|fixed|EV",
      "auto (default) meters the trusted area; fixed makes a series comparable (white of the profile's chart is white; without "
        + "a profile no gain); a number is a gain in stops, -20 to 20."),
    OptionSpecification(
      "--align", "MODEL", values: ["auto", "none", "translation", "homography", "mesh"],
      "auto (default: the simplest that the pair gives evidence for), none, translation, homography, or mesh (auto, and local shifts for scenes with depth, where they measurably help)."
    ),
    OptionSpecification(
      "--exposure-ratio", "auto|N",
      "Flash exposure divided by ambient exposure, 1e-6 to 1e6; auto uses metadata and the pictures."),
    OptionSpecification(
      "--look", "flash|ambient",
      "The light of the result. flash (default): as in a dark room; ambient: the same true colours, with the room's light and "
        + "shade."),
    OptionSpecification(
      "--tolerance", "E", "The colour error (CIEDE2000) that confidence speaks of, 0.1 to 50; default 3."),
    OptionSpecification(
      "--flash-white", "X,Y|K[,DUV]",
      "How white looks in flash light, in the picture's own colours: CIE x,y or kelvin and Duv. Default: D65, the white of "
        + "sRGB pictures."),
    OptionSpecification(
      "--matrix", "9 NUMBERS",
      "From the picture's linear RGB to CIE XYZ under D65, row by row, instead of a flash white."),
    OptionSpecification(
      "--adaptation", "NAME", values: adaptations,
      "bradford (default), cat02, cat16 or von-kries."),
    OptionSpecification("--linear", nil, "The inputs are linear camera values, whatever their profile says."),
    OptionSpecification(
      "--profile", "FILE", "A calibration profile of this camera and flash, as 'constant-color calibrate' writes it."),
    OptionSpecification(
      "--no-flat-field", nil,
      "Leaves the profile's flat field out: for scenes with depth, or from another distance than the sheet's."),
  ]

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else {
      throw UsageError("'\(arguments.operands[0])' is not expected; name files with --flash, --ambient and --output")
    }
    let frames = try arguments.frames
    try self.init(
      arguments, flash: frames.flash, ambients: frames.ambients, output: arguments.file("--output"),
      report: arguments.value("--report"))
  }

  /// The development of a pair whose command line has these arguments.
  ///
  /// - Parameters:
  ///   - output, report: the result and its report; nil for none.
  ///   - threshold: where none is given.
  init(
    _ arguments: Arguments, flash: String, ambients: [String], output: String?, report: String?,
    threshold defaultThreshold: Double? = nil
  ) throws {
    (self.flash, self.ambients) = (flash, ambients)
    result = try output.map(Self.destination)
    confidence = try arguments.value("--confidence").map(Self.destination)
    fallback = try arguments.value("--fallback").map(Self.destination)
    preview = try arguments.value("--preview").map(Self.destination)
    self.report = report
    try checkWritable(report)
    try checkDistinct(
      inputs: [flash] + ambients + [arguments.value("--profile")].compactMap { $0 },
      outputs: [output, confidence?.path, fallback?.path, preview?.path, report].compactMap { $0 })

    let name = arguments.value("--space") ?? "p3"
    guard let space = RGBSpace.named(name) else {
      let all = RGBSpace.all.map(\.identifier)
      throw UsageError(
        "'--space' takes one of \(all.joined(separator: ", ")), not '\(name)'" + suggestion(for: name, among: all))
    }
    self.space = space
    floatTIFF = arguments.has("--float")
    threshold = try arguments.number("--threshold", in: 0...1) ?? defaultThreshold
    tolerance = try arguments.number("--tolerance", in: DevelopmentSettings.tolerances) ?? 3
    alignment = try arguments.choice("--align") ?? .auto
    exposure = try Self.exposure(arguments)
    look = try arguments.choice("--look") ?? .flash
    exposureRatio = try arguments.exposureRatio
    flashWhite = try arguments.value("--flash-white").map(Self.flashWhite)
    matrix = try arguments.value("--matrix").map(Self.matrix)
    profile = arguments.value("--profile")
    for option in ["--matrix", "--flash-white", "--adaptation"] where profile != nil && arguments.has(option) {
      throw UsageError("'--profile' replaces '\(option)'; give one of the two")
    }
    if matrix != nil, flashWhite != nil {
      throw UsageError("'--matrix' replaces '--flash-white'; give one of the two")
    }
    adaptation = try Self.adaptation(arguments)
    isLinear = arguments.has("--linear")
    usesFlatField = !arguments.has("--no-flat-field")
    keepsAmbientFrames = false
    running = try RunningOptions(arguments)
  }

  private static func destination(_ path: String) throws -> PictureDestination {
    try asInput { try PictureDestination(path) }
  }

  static func exposure(_ arguments: Arguments, default: Exposure = .auto) throws -> Exposure {
    guard let text = arguments.value("--exposure") else { return `default` }
    guard let exposure = Exposure(text) else {
      throw UsageError("'--exposure' takes auto, fixed, or a gain from -20 to 20 stops, not '\(text)'")
    }
    return exposure
  }

  private static func flashWhite(_ text: String) throws -> FlashWhite {
    guard let white = FlashWhite(text) else {
      throw UsageError("'--flash-white' takes CIE x,y (0.3127,0.3290) or kelvin (5600 or 5600,0.002), not '\(text)'")
    }
    return white
  }

  private static func matrix(_ text: String) throws -> [Double] {
    guard let numbers = numbers(text) else { throw UsageError("'--matrix' takes nine numbers, not '\(text)'") }
    do {
      _ = try D65Adaptation(inputToD65XYZ: numbers)
      return numbers
    } catch { throw UsageError("'--matrix': \(error)") }
  }

  private static func adaptation(_ arguments: Arguments) throws -> String? {
    guard let name = arguments.value("--adaptation") else { return nil }
    guard adaptations.contains(name) else {
      throw UsageError(
        "'--adaptation' takes one of \(adaptations.joined(separator: ", ")), not '\(name)'"
          + suggestion(for: name, among: adaptations))
    }
    return name
  }
}

extension DevelopOptions {
  /// What concerns the development itself.
  var settings: DevelopmentSettings {
    var settings = DevelopmentSettings()
    (settings.space, settings.threshold, settings.exposure, settings.look) = (space, threshold, exposure, look)
    (settings.alignment, settings.exposureRatio, settings.tolerance) = (alignment, exposureRatio, tolerance)
    (settings.flashWhite, settings.profile, settings.matrix) = (flashWhite, profile, matrix)
    (settings.adaptation, settings.isLinear, settings.usesFlatField) = (adaptation, isLinear, usesFlatField)
    settings.keepsAmbientFrames = keepsAmbientFrames
    return settings
  }

  /// Files that a development writes.
  struct Outputs {
    var result, confidence: PictureDestination
    var report: String
  }

  /// A development of one pair within another command, as `develop` does it without further options; the frames stay, to be
  /// judged, too.
  init(
    flash: String, ambient: String, profile: String?, exposure: Exposure, tolerance: Double, linear: Bool,
    exposureRatio: Double? = nil, outputs: Outputs? = nil
  ) {
    (self.flash, ambients) = (flash, [ambient])
    (result, confidence, fallback) = (outputs?.result, outputs?.confidence, nil)
    report = outputs?.report
    preview = nil
    space = .displayP3
    (floatTIFF, isLinear, usesFlatField, keepsAmbientFrames) = (false, linear, true, true)
    threshold = nil
    self.exposure = exposure
    look = .flash
    alignment = .auto
    self.exposureRatio = exposureRatio
    self.tolerance = tolerance
    (flashWhite, matrix, adaptation) = (nil, nil, nil)
    self.profile = profile
    running = .withinAnother
  }
}
