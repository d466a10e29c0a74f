import Calibration
import Development
import Photo
import Simulation

/// What `validate` was asked to do: the command line, checked.
struct ValidateOptions {
  /// Where the pairs are.
  enum Source {
    /// Pairs that are rendered first.
    case simulation(SimulationOptions)
    /// A simulated set.
    case set(String)
    /// A user's own pairs of a chart.
    case captures(String)
  }

  let source: Source
  let output, profile: String?
  /// Whether a profile is made where none is given.
  let makesProfile: Bool
  /// Where what the confidence is made of goes, for its calibration.
  let samples: String?
  let tolerance: Double
  let exposure: DevelopOptions.Exposure
  let keepsResults, isLinear: Bool
  let chart: ChartReference?
  let corners: ChartGeometry?
  /// Nil for auto.
  let exposureRatio: Double?
  let running: RunningOptions

  static let specifications =
    own + SimulationOptions.specifications.filter { $0.name != "--chart" } + OptionSpecification.running

  private static let own = [
    OptionSpecification("--set", "DIR", "Judges this simulated set instead of rendering pairs."),
    OptionSpecification("--captures", "DIR", "Judges your own pairs of one chart under several lights."),
    OptionSpecification(
      "--output", "DIR", "Writes a page (report.html), figures.json, conditions.csv, patches.csv and summary.md there."),
    OptionSpecification(
      "--profile", "FILE|none",
      "A calibration profile; default: made from the set's calibration pair, if that is RAW or linear; none for captures."
    ),
    OptionSpecification(
      "--tolerance", "E", "The colour error (CIEDE2000) that confidence speaks of, 0.1 to 50; default 3."),
    OptionSpecification(
      "--exposure", "fixed|auto|EV",
      "How results are exposed: fixed (default), so that they can be compared, or as in 'develop'."),
    OptionSpecification(
      "--exposure-ratio", "auto|N",
      "For --captures: the exposure of flash frames divided by that of ambient frames, as in 'develop'; default auto."),
    OptionSpecification("--linear", nil, "The frames hold linear camera values, whatever their profile says."),
    OptionSpecification(
      "--keep", nil,
      "Keeps the results, results/ID.png, ID_conf.png and ID.json, as 'develop' writes them, and the pairs that were "
        + "rendered (steady/ and hand-held/, as from 'simulate')."),
    OptionSpecification(
      "--samples", "FILE.npy",
      "Also writes what the confidence is made of at random pixels, with their colour errors: what Scripts/calibrate-confidence "
        + "learns from."),
    OptionSpecification(
      "--chart", "NAME|FILE.csv",
      "The chart's edition or a table of your own, as in 'calibrate'; default: what the set says, else colorchecker."),
    OptionSpecification(
      "--corners", "X1,Y1,X2,Y2,X3,Y3,X4,Y4",
      "For --captures: where the chart is in every flash frame, as in 'calibrate'; found when left out."),
  ]

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else {
      throw UsageError("'\(arguments.operands[0])' is not expected; name folders with --set, --captures and --output")
    }
    for name in ["--set", "--captures", "--output", "--profile", "--samples"] where arguments.value(name) == "" {
      throw UsageError("'\(name)' is missing; name a \(["--profile", "--samples"].contains(name) ? "file" : "folder")")
    }
    switch (arguments.value("--set"), arguments.value("--captures")) {
    case (let folder?, nil): source = .set(folder)
    case (nil, let folder?): source = .captures(folder)
    case (_?, _?): throw UsageError("'--set' and '--captures' exclude each other; give one of the two")
    case (nil, nil): source = .simulation(try SimulationOptions(arguments, seed: SeedRange.judging.lowerBound))
    }
    if arguments.has("--set") || arguments.has("--captures") {
      let names = SimulationOptions.specifications.map(\.name).filter { $0 != "--chart" }
      if let name = names.first(where: { arguments.has($0) }) {
        throw UsageError("'\(name)' is for pairs that are rendered; leave it out, or '--set' and '--captures'")
      }
    }
    for name in ["--corners", "--exposure-ratio"] where arguments.has(name) && !arguments.has("--captures") {
      throw UsageError("'\(name)' goes with '--captures'")
    }
    output = arguments.value("--output")
    samples = arguments.value("--samples")
    if samples != nil, arguments.has("--captures") {
      throw UsageError("'--samples' needs the truth of every pixel; leave out '--captures'")
    }
    makesProfile = arguments.value("--profile") != "none"
    profile = makesProfile ? arguments.value("--profile") : nil
    tolerance = try arguments.number("--tolerance", in: DevelopmentSettings.tolerances) ?? 3
    exposure = try DevelopOptions.exposure(arguments, default: .fixed)
    keepsResults = arguments.has("--keep")
    isLinear = arguments.has("--linear")
    if keepsResults, output == nil { throw UsageError("'--keep' needs '--output'; name a folder") }
    chart = try arguments.value("--chart").map { try ChartReference(option: $0) }
    corners = try arguments.value("--corners").map(CalibrateOptions.corners)
    exposureRatio = try arguments.exposureRatio
    running = try RunningOptions(arguments)
  }

  /// The folder in which the results of pairs that were not rendered are kept; nil where they are not.
  var results: String? { keepsResults ? output : nil }

  /// Where a pair's results go in a folder, as `develop` writes them; nil where they are not kept.
  static func outputs(of id: String, in folder: String?) throws -> DevelopOptions.Outputs? {
    guard let folder else { return nil }
    let base = "\(folder)/results/\(id)"
    return DevelopOptions.Outputs(
      result: try PictureDestination(base + ".png"), confidence: try PictureDestination(base + "_conf.png"),
      report: base + ".json")
  }
}
