import Calibration
import ColorScience
import ConstantColor
import Development
import GEGL
import GEGLOperation
import JSONValue
import Photo
import Raster
import Simulation
import Validation

/// Develops the pairs of a simulated set and judges them by its truth.
final class SetValidation: PairValidation {
  private let set: SimulationSet
  private let options: ValidateOptions
  private let bar: ProgressBar
  private(set) var problems: [String] = []
  private(set) var notes: [String] = []
  /// What the confidence is made of, where that was asked for.
  private(set) var samples = TermSamples()
  private let results: String?
  /// The series, by what the truth says of the camera's shake.
  private var steady: SeriesMeasurement
  private var handHeld: SeriesMeasurement
  /// How many pairs are no conditions of a series and tell only about confidence.
  private var others = 0
  private var references: [String: SceneReference] = [:]
  /// For a profile that is not kept.
  private var scratch: ScratchFolder?
  private var profile: String?

  /// - Parameter results: the folder in which results are kept; nil where they are not.
  init(_ set: SimulationSet, _ options: ValidateOptions, _ bar: ProgressBar, results: String?) {
    self.set = set
    self.results = results
    self.options = options
    self.bar = bar
    steady = SeriesMeasurement(name: "steady", tolerance: options.tolerance)
    handHeld = SeriesMeasurement(name: "hand-held", tolerance: options.tolerance)
  }

  func run() throws {
    if let results { try makeFolder(results + "/results") }
    profile = options.makesProfile ? try options.profile ?? calibrate() : nil
    for (index, pair) in set.pairs.enumerated() {
      bar.show("judging \(pair.id)", Double(index) / Double(set.pairs.count))
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      do {
        try measure(pair)
      } catch let error as RenderingCancelled {
        throw error
      } catch { problems.append("\(pair.id): \(error)") }
    }
    // What tells only about confidence goes where the conditions are.
    if !steady.hasConditions { (handHeld, steady) = (joined(handHeld, steady), empty(steady)) }
    if !handHeld.hasConditions { (steady, handHeld) = (joined(steady, handHeld), empty(handHeld)) }
    guard steady.hasConditions || handHeld.hasConditions else {
      throw InputError("\(set.folder): no pair of it could be judged")
    }
  }

  private func joined(_ series: SeriesMeasurement, _ other: SeriesMeasurement) -> SeriesMeasurement {
    var series = series
    series.add(other)
    return series
  }

  private func empty(_ series: SeriesMeasurement) -> SeriesMeasurement {
    SeriesMeasurement(name: series.name, tolerance: options.tolerance)
  }

  // MARK: one pair

  private func calibrate() throws -> String? {
    guard let calibration = set.calibration else { return nil }
    // Cameras' own pictures have curves that a profile cannot undo.
    let pair = calibration.pair
    let truth: PairTruth
    do {
      let kind = try PictureFile.inspect(set.input(pair.flash)).kind
      guard kind == .raw || options.isLinear else { return nil }
      truth = try set.truth(of: pair)
    } catch { throw InputError(error) }
    bar.show("calibrating")
    if results == nil { scratch = try asInput { try ScratchFolder() } }
    let path = (results ?? scratch?.path ?? ".") + "/profile.json"
    let orientation = Orientation(tag: truth.orientation)
    let corners = calibration.corners.map {
      orientation.uprightPlace(ofStored: $0, width: truth.width, height: truth.height)
    }
    let geometry: ChartGeometry
    do { geometry = try ChartGeometry(corners: corners) } catch {
      throw InputError("\(set.input("set.json")): its 'chart_corners': \(error); make the set again")
    }
    let calibrator = try Calibrator(
      CalibrateOptions(
        flash: set.input(pair.flash), ambient: set.input(pair.ambient), output: path, chart: chart,
        corners: geometry, linear: options.isLinear), ProgressBar(isWanted: false))
    try calibrator.run()
    notes += calibrator.notes
    return path
  }

  /// The chart in the set: the one that was named, or that the set names, or the usual one.
  private var chart: ChartReference {
    if let chart = options.chart { return chart }
    let named = set.description.first { $0.key == "chart" }?.value.string
    return ChartReference.named.first { $0.name == named } ?? .colorChecker
  }

  private func measure(_ pair: SimulationSet.Pair) throws {
    let truth = try set.truth(of: pair)
    let reference = try reference(of: truth)
    let regions = try set.regions(of: truth)
    let development = try Development(
      DevelopOptions(
        flash: set.input(pair.flash), ambient: set.input(pair.ambient), profile: profile, exposure: options.exposure,
        tolerance: options.tolerance, linear: options.isLinear,
        outputs: try ValidateOptions.outputs(of: pair.id, in: results)),
      ProgressBar(isWanted: false))
    try development.measure()
    let seconds = development.elapsed

    var measured = PairMeasurement(id: pair.id, patches: truth.patches, light: truth.ambient)
    measured.isCondition = truth.ambient != nil && pair.id.hasPrefix("E")
    if !measured.isCondition { others += 1 }
    measured.seconds = seconds
    measured.meanConfidence = development.report.meanConfidence
    measured.centerWeightedMeanConfidence = development.report.centerWeightedMeanConfidence
    measured.exposureRatioError = development.report.exposureRatio.map { $0 / truth.exposureRatio - 1 }
    measured.alignment = alignmentError(development, truth)

    let orientation = development.flash.metadata.orientation
    let result = try development.judgedResult(orientation)
    guard result.width == truth.width, result.height == truth.height else {
      throw PhotoError(
        set.input(pair.flash),
        "is \(result.width) × \(result.height) pixels, and its truth \(truth.width) × \(truth.height); make the set again"
      )
    }
    let confidence = try development.judgedConfidence(orientation)
    let judge = PairJudge(truth: truth, regions: regions, reference: reference, execution: Run.execution)
    let errors = PixelErrors.measure(result, reference, execution: Run.execution)
    measured.shown[.result] = judge.shown(result, errors: errors)
    measured.patchConfidence = judge.areas.map { $0.mean(of: confidence) }
    measured.add(confidence: confidence, errors: errors, regions, reference, tolerance: options.tolerance)
    if let flash = try JudgedPicture.standard(development.flash, development, orientation) {
      measured.shown[.flash] = judge.shown(flash)
    }
    if let ambient = try JudgedPicture.standard(
      development.ambient, development, development.ambient.metadata.orientation)
    {
      measured.shown[.ambient] = try judge.shown(ambient: ambient)
    }
    if options.samples != nil {
      samples.add(
        terms: try development.confidenceTerms(orientation), confidence: confidence, errors: errors, regions: regions,
        reference: reference)
    }
    add(measured, truth, result, errors, confidence, reference)
    if results != nil { _ = try development.write() }
  }

  private func add(
    _ measured: PairMeasurement, _ truth: PairTruth, _ result: XYZPicture, _ errors: [Float], _ confidence: [Float],
    _ reference: SceneReference
  ) {
    func add(to series: inout SeriesMeasurement) {
      series.add(measured)
      guard measured.isCondition, let shown = measured.shown[.result], let error = shown.wellLitError,
        series.isAmongWorst(error)
      else { return }
      let (width, height) = (reference.width, reference.height)
      let lit = XYZPicture(width: width, height: height, pixels: reference.scene.lit)
      let pictures = [
        ("result", WorstPictures.small(result, gain: shown.patches.scale)),
        ("truth", WorstPictures.small(lit, gain: 1)),
        (
          "colour error",
          WorstPictures.small(errors: errors, width: width, height: height, tolerance: options.tolerance)
        ),
        ("confidence", WorstPictures.small(map: confidence, width: width, height: height)),
      ]
      let reason = "largest mean error of well-lit pixels: \(plain((error * 10).rounded() / 10)) ΔE00"
      series.add(WorstCase(id: measured.id, reason: reason, pictures: pictures), error: error)
    }
    if truth.shake == "none" { add(to: &steady) } else { add(to: &handHeld) }
  }

  private func reference(of truth: PairTruth) throws -> SceneReference {
    if let reference = references[truth.scene], reference.width == truth.width, reference.height == truth.height {
      return reference
    }
    // Sets have few scenes; more of them are not kept.
    if references.count > 3 { references = [:] }
    let reference = SceneReference(try set.scene(of: truth), execution: Run.execution)
    references[truth.scene] = reference
    return reference
  }

  private func alignmentError(_ development: Development, _ truth: PairTruth) -> AlignmentError? {
    guard let found = development.report.alignment?.matrix.flatMap({ Homography($0) }),
      let wanted = Homography(truth.homography)
    else { return nil }
    return AlignmentError(
      found: found, truth: wanted, width: truth.width, height: truth.height,
      orientation: development.flash.metadata.orientation)
  }

  // MARK: figures

  var figures: ValidationFigures {
    var figures = ValidationFigures(version: version, settings: settings, tolerance: options.tolerance)
    figures.series = [steady, handHeld].filter(\.hasConditions).map(\.figures)
    return figures
  }

  /// What the set says of how it was made.
  private var settings: [(name: String, value: String)] {
    var settings: [(name: String, value: String)] = [("set", set.folder), ("pairs", "\(set.pairs.count)")]
    if others > 0 { settings.append(("of them for the confidence alone", "\(others)")) }
    settings.append(("size", "\(set.width) × \(set.height)"))
    func add(_ name: String, _ value: JSON) {
      switch value {
      case .string(let text): settings.append((name, text))
      case .integer(let number): settings.append((name, "\(number)"))
      case .number(let number): settings.append((name, plain(number)))
      case .bool(let flag): settings.append((name, flag ? "yes" : "no"))
      default: break
      }
    }
    let told = ["size", "calibration", "pairs"]
    for member in set.description where !told.contains(member.key) {
      guard case .object(let members) = member.value else {
        add(member.key, member.value)
        continue
      }
      for inner in members where !(inner.key == "size" && member.key == "config") {
        add(member.key == "config" ? inner.key : "\(member.key) \(inner.key)", inner.value)
      }
    }
    settings.append(("profile", options.profile ?? (profile == nil ? "none" : "made from the set's chart")))
    return settings
  }
}
