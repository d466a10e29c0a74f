import Calibration
import ConstantColor
import Development
import Photo

/// What `calibrate` was asked to do: the command line, checked.
struct CalibrateOptions {
  /// The photographs of the chart; nil where a profile gets a flat field.
  let pair: (flash: String, ambients: [String])?
  /// The profile that gets a flat field; nil where one is made from a chart.
  let profile: String?
  /// The photographs of a white sheet.
  let sheet: (flash: String, ambient: String)?
  let output: String
  let chart: ChartReference
  let corners: ChartGeometry?
  let alignment: AlignmentChoice
  let exposureRatio: Double?
  let duration: CalibrationProfile.FlashDuration?
  let isLinear: Bool
  let running: RunningOptions

  static let specifications = own + OptionSpecification.running

  private static let own = [
    OptionSpecification("--flash", "FILE", "The chart, photographed with flash."),
    OptionSpecification(
      "--ambient", "FILE", isRepeatable: true, "The same without flash, from the same place; several are averaged."),
    OptionSpecification("--swap", nil, "The two files are the wrong way round: exchanges them."),
    OptionSpecification("--output", "PROFILE.json", "The profile."),
    OptionSpecification(
      "--flat-field", "FILE FILE", wordCount: 2,
      "A white sheet that fills the frame, with flash and without: how the flash lights a flat surface goes into the profile."
    ),
    OptionSpecification(
      "--profile", "FILE", "A profile that gets the flat field, instead of --flash and --ambient."),
    OptionSpecification(
      "--chart", "NAME|FILE.csv",
      "The chart's edition: colorchecker (default; made before November 2014) or colorchecker-2014 (made since), or a "
        + "table of your own chart's 24 reflectances or colours."),
    OptionSpecification(
      "--corners", "X1,Y1,X2,Y2,X3,Y3,X4,Y4",
      "The centres of dark skin, bluish green, black and white in the flash frame, in pixels; found when left out."),
    OptionSpecification(
      "--align", "MODEL", values: ["auto", "none", "translation", "homography"],
      "auto (default), none, translation or homography."),
    OptionSpecification(
      "--exposure-ratio", "auto|N",
      "Flash exposure divided by ambient exposure, 1e-6 to 1e6; auto uses metadata and the pictures."),
    OptionSpecification(
      "--flash-duration", "strobe|continuous",
      "strobe: a flash tube; continuous: an LED that outlasts the exposure. Default: what cameras of this make have."),
    OptionSpecification("--linear", nil, "The inputs are linear camera values, whatever their profile says."),
  ]

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else {
      throw UsageError("'\(arguments.operands[0])' is not expected; name files with --flash, --ambient and --output")
    }
    let pages = arguments.all("--flat-field")
    sheet = pages.count == 2 ? (pages[0], pages[1]) : nil
    profile = arguments.value("--profile")
    if profile != nil {
      guard sheet != nil else {
        throw UsageError("'--profile' names a profile that gets a flat field; give '--flat-field', too")
      }
      for option in Self.aboutChart where arguments.has(option) {
        throw UsageError(
          "'\(option)' is about a chart, and '--profile' a profile that is made already; give one of the two")
      }
    }
    pair = profile == nil ? try arguments.frames : nil
    output = try arguments.file("--output")
    guard fileExtension(output) == "json" else { throw UsageError("\(output): a profile's name ends in .json") }
    try checkWritable(output)
    try checkDistinct(
      inputs: [pair?.flash].compactMap(\.self) + (pair?.ambients ?? []) + pages
        + [arguments.value("--chart")].compactMap(\.self), outputs: [output])
    chart = try ChartReference(option: arguments.value("--chart"))
    corners = try arguments.value("--corners").map(Self.corners)
    alignment = try arguments.choice("--align") ?? .auto
    if alignment == .mesh { throw UsageError("'--align mesh' makes no sense for a flat chart; use homography") }
    exposureRatio = try arguments.exposureRatio
    duration = try arguments.choice("--flash-duration")
    isLinear = arguments.has("--linear")
    running = try RunningOptions(arguments)
  }

  /// The options that make sense with a chart only.
  private static let aboutChart = [
    "--flash", "--ambient", "--swap", "--chart", "--corners", "--align", "--exposure-ratio", "--flash-duration",
  ]

  static func corners(_ text: String) throws -> ChartGeometry {
    guard let places = fourPlaces(text) else {
      throw UsageError(
        "'--corners' takes eight numbers: x,y of the centres of dark skin, bluish green, black and white, not '\(text)'"
      )
    }
    do { return try ChartGeometry(corners: places) } catch { throw UsageError("'--corners': \(error)") }
  }
}

extension ChartReference {
  /// The chart that `--chart` names; the default where it does not.
  init(option name: String?) throws {
    guard let name else {
      self = .colorChecker
      return
    }
    if let chart = ChartReference.named.first(where: { $0.name == name }) {
      self = chart
      return
    }
    guard name.contains(".") || name.contains("/") else {
      let all = ChartReference.named.map(\.name)
      throw UsageError(
        "'--chart' takes \(all.joined(separator: ", ")) or a .csv file, not '\(name)'"
          + suggestion(for: name, among: all))
    }
    do {
      self = try ChartFile.parse(TextFile.read(name), name: name)
    } catch let error as ChartFileError { throw InputError("\(name): \(error)") } catch { throw InputError(error) }
  }
}

extension CalibrateOptions {
  /// A calibration within another command, as `calibrate` does it without further options.
  init(
    flash: String, ambient: String, output: String, chart: ChartReference, corners: ChartGeometry?, linear: Bool
  ) {
    pair = (flash, [ambient])
    (profile, sheet) = (nil, nil)
    self.output = output
    (self.chart, self.corners) = (chart, corners)
    alignment = .auto
    (exposureRatio, duration) = (nil, nil)
    isLinear = linear
    running = .withinAnother
  }
}
