import Calibration
import Photo

/// What `validate` was asked to do: the command line, checked.
struct ValidateOptions {
  /// Where the pairs are.
  enum Source: Equatable {
    /// A simulated set.
    case set(String)
    /// A user's own pairs of a chart.
    case captures(String)
  }

  let source: Source
  let output, profile: String?
  let tolerance: Double
  let exposure: DevelopOptions.Exposure
  let keepsResults: Bool
  let chart: ChartReference?
  let corners: ChartGeometry?
  let threads: Int?
  let memory: UInt64
  let isQuiet, isVerbose: Bool
  let progress: Bool?

  static let specifications = own + OptionSpecification.running

  private static let own = [
    OptionSpecification("--set", "DIR", "A simulated set, with its truth."),
    OptionSpecification("--captures", "DIR", "Your own pairs of one chart under several lights."),
    OptionSpecification(
      "--output", "DIR", "Writes a page (report.html), figures.json, conditions.csv and summary.md there."),
    OptionSpecification(
      "--profile", "FILE", "A calibration profile; default: made from the set's calibration pair, none for captures."),
    OptionSpecification(
      "--tolerance", "E", "The colour error (CIEDE2000) that confidence speaks of, 0.1 to 50; default 3."),
    OptionSpecification(
      "--exposure", "fixed|auto|EV",
      "How results are exposed: fixed (default), so that they can be compared, or as in 'develop'."),
    OptionSpecification(
      "--keep", nil, "Keeps the results: OUTPUT/results/ID.png, ID_conf.png and ID.json, as 'develop' writes them."),
    OptionSpecification(
      "--chart", "NAME|FILE.csv", "The chart's edition or a table of your own, as in 'calibrate'; default: what the set says, else colorchecker."),
    OptionSpecification(
      "--corners", "X1,Y1,X2,Y2,X3,Y3,X4,Y4",
      "For --captures: where the chart is in every flash frame, as in 'calibrate'; found when left out."),
  ]

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else {
      throw UsageError("'\(arguments.operands[0])' is not expected; name folders with --set, --captures and --output")
    }
    for name in ["--set", "--captures", "--output", "--profile"] where arguments.value(name) == "" {
      throw UsageError("'\(name)' is missing; name a \(name == "--profile" ? "file" : "folder")")
    }
    switch (arguments.value("--set"), arguments.value("--captures")) {
    case (let folder?, nil): source = .set(folder)
    case (nil, let folder?): source = .captures(folder)
    case (_?, _?): throw UsageError("'--set' and '--captures' exclude each other; give one of the two")
    case (nil, nil): throw UsageError("'--set' or '--captures' is missing; name a folder")
    }
    if arguments.has("--corners"), !arguments.has("--captures") {
      throw UsageError("'--corners' goes with '--captures'")
    }
    output = arguments.value("--output")
    profile = arguments.value("--profile")
    tolerance = try arguments.number("--tolerance", in: 0.1...50) ?? 3
    exposure = try DevelopOptions.exposure(arguments, default: .fixed)
    keepsResults = arguments.has("--keep")
    if keepsResults, output == nil { throw UsageError("'--keep' needs '--output'; name a folder") }
    chart = try arguments.value("--chart").map { try ChartReference(option: $0) }
    corners = try arguments.value("--corners").map(CalibrateOptions.corners)
    threads = try arguments.threads
    memory = try arguments.memory
    isQuiet = arguments.has("--quiet")
    isVerbose = arguments.has("--verbose") && !isQuiet
    progress = isQuiet ? false : arguments.has("--progress") ? true : nil
  }

  /// Where a pair's results go; nil where they are not kept.
  func outputs(of id: String) throws -> DevelopOptions.Outputs? {
    guard let output, keepsResults else { return nil }
    let base = "\(output)/results/\(id)"
    return DevelopOptions.Outputs(
      result: try PictureDestination(base + ".png"), confidence: try PictureDestination(base + "_conf.png"),
      report: base + ".json")
  }
}
