import Calibration
import ColorScience
import ConstantColor
import ConstantColorOperations
import Development
import GEGL
import GEGLOperation
import Photo
import Raster

/// Makes a profile from a pair of photographs of a chart.
final class Calibrator {
  let options: CalibrateOptions
  private let bar: ProgressBar
  let pair: LoadedPair
  let flash, ambient: LoadedPicture
  private let graph: Graph
  private(set) var steps: DevelopGraph
  private(set) var result: (profile: CalibrationProfile, characterisation: Characterisation, chart: MeasuredChart)?
  /// How the chart's place is known: found, given, or given in the stored frame.
  private(set) var cornersSource: String
  /// Whether the user or the files say how the exposures compare.
  private var isRatioKnown: Bool {
    options.exposureRatio != nil || ExposureRatioHint(flash: flash.metadata, ambient: ambient.metadata) != nil
  }
  /// What the user should know although a profile could be made.
  private(set) var notes: [String] = []
  /// What is wrong with the pair, as its files say; the worst first.
  let findings: [Finding]

  /// Loads the pair. Throws ``InputError`` for files that cannot be used.
  init(_ options: CalibrateOptions, _ bar: ProgressBar) throws {
    self.options = options
    self.bar = bar
    cornersSource = options.corners == nil ? "found" : "given"
    bar.show("loading")
    guard let chart = options.pair else { throw UsageError("'--flash' is missing; name a file") }
    pair = try LoadedPair(flash: chart.flash, ambients: chart.ambients, linear: options.isLinear)
    (flash, ambient) = (pair.flash, pair.ambient)
    findings = PairCheck.findings(flash: Report.Frame(flash), ambients: pair.ambients.map { Report.Frame($0) })
    // A picture of one wrong pair can be thrown away; a wrong profile would spoil many.
    if let worst = findings.first, worst.severity == .error { throw InputError(worst.message) }
    graph = try Graph()
    steps = try pair.steps(in: graph, exposureRatio: options.exposureRatio)
    notes = flash.notes + pair.ambients.flatMap(\.notes)
    try steps.set("align", .choice(options.alignment.rawValue))
  }

  /// Measures, fits and writes. Throws ``RenderingCancelled`` when stopped, ``InputError`` where the photographs give no
  /// good profile.
  func run() throws {
    bar.show("aligning")
    try steps.measureAlignment()
    notes += try pair.averageAmbients(in: &steps, exposureRatio: options.exposureRatio).notes
    bar.show("matching exposure")
    try steps.measureExposure()
    bar.show("measuring the chart")
    if !isRatioKnown { try measureExposureOnChart() }
    let (chart, characterisation) = try characterise()
    var profile = makeProfile(characterisation)
    if let sheet = options.sheet {
      bar.show("measuring the white sheet")
      profile.flatField = try SheetMeasurement.flatField(
        flash: sheet.flash, ambient: sheet.ambient, for: profile, named: options.output, linear: options.isLinear)
    }
    result = (profile, characterisation, chart)
    let document = document(profile, characterisation, chart)
    try document.write(to: options.output)
  }

  // MARK: measuring

  /// Takes the exposure ratio from the chart, for files that do not tell exposures.
  private func measureExposureOnChart() throws {
    guard let guess = steps.match.number("exposure-ratio") else { return }
    for corners in [options.corners, storedCorners].compactMap(\.self) + (options.corners == nil ? [nil] : []) {
      let chart = try measureChart(at: corners)
      guard let ratio = ChartExposureRatio.estimate(chart, reference: options.chart, guess: guess) else { continue }
      for name in ["exposure-ratio", "red-ratio", "blue-ratio"] { try steps.match.set(name, .double(ratio)) }
      notes.append(
        "\(flash.file.path): says no exposure; the exposure ratio was found on the chart "
          + "(\((ratio * 1000).rounded() / 1000)), --exposure-ratio sets it")
      return
    }
  }

  /// Measures the chart and fits to it.
  ///
  /// Corners count in the upright picture. Other programs name them in the frame as it is stored: they are understood
  /// so where the chart is there and not here.
  private func characterise() throws -> (MeasuredChart, Characterisation) {
    let chart = try measureChart(at: options.corners)
    bar.show("fitting")
    do {
      return (chart, try Characterisation(chart.usable, reference: options.chart))
    } catch {
      if let corners = storedCorners {
        let other = try measureChart(at: corners)
        if let characterisation = try? Characterisation(other.usable, reference: options.chart) {
          cornersSource = "given, as stored"
          notes.append(
            "\(flash.file.path): the chart is not where --corners says in the upright picture, but in the frame as it is "
              + "stored, before its orientation is applied; the corners were taken so")
          return (other, characterisation)
        }
      }
      throw InputError("\(flash.file.path): \(error)")
    }
  }

  /// The given corners, if they are places in the stored frame; nil where that makes no difference.
  private var storedCorners: ChartGeometry? {
    let orientation = flash.metadata.orientation
    guard let corners = options.corners?.corners, orientation != .upright else { return nil }
    let (width, height) = orientation.swapsSides ? (flash.height, flash.width) : (flash.width, flash.height)
    return try? ChartGeometry(
      corners: corners.map { orientation.uprightPlace(ofStored: $0, width: width, height: height) })
  }

  private func measureChart(at corners: ChartGeometry?) throws -> MeasuredChart {
    let difference = try NodeSource(steps.subtract, format: pair.measuredFormat())
    let frame = try flash.frame()
    let aligned = try NodeSource(steps.aligned, format: PixelFormat("RGBA float", space: flash.buffer.format?.space))
    let geometry = try corners ?? flash.findChart(in: difference)
    let chart = MeasuredChart(
      geometry: geometry, light: ChartSampling.sample(difference, geometry: geometry, execution: Run.execution),
      flash: ChartSampling.sample(frame, geometry: geometry, execution: Run.execution),
      ambient: ChartSampling.sample(aligned, geometry: geometry, execution: Run.execution))
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return chart
  }

  private var isCamera: Bool { pair.isCameraRGB }

  // MARK: the profile

  private func makeProfile(_ characterisation: Characterisation) -> CalibrationProfile {
    let metadata = flash.metadata
    let duration: CalibrationProfile.FlashDuration =
      options.duration ?? (metadata.likelyFlash == .led ? .continuous : .strobe)
    let frame = try? flash.frame()
    let extra = options.chart.extraUncertainty?.chart ?? 0
    let error = characterisation.chosen.leaveOneOut.mean
    return CalibrationProfile(
      input: isCamera ? .camera : .linearSRGB, make: metadata.make, model: metadata.model,
      transform: characterisation.transform, exposure: metadata.flashExposure(duration), duration: duration,
      noise: flash.noise ?? frame.map { NoiseEstimation.estimate($0, execution: Run.execution) },
      expectedError: (error * error + extra * extra).squareRoot(),
      colorErrors: characterisation.colorErrors(adding: extra))
  }
}
