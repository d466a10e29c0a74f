import Calibration
import ColorScience
import ConstantColor
import Development
import GEGL
import GEGLOperation
import Photo
import Raster
import Simulation
import Validation

/// Develops a user's own pairs of a chart and judges them by the chart's colours. Nothing is known of other pixels.
final class CaptureValidation: PairValidation {
  private let folder: String
  private let options: ValidateOptions
  private let bar: ProgressBar
  private let pairs: [CapturePairs.Pair]
  private let chart: ChartReference
  private(set) var problems: [String]
  private(set) var notes: [String] = []
  /// None: the truth of single pixels is not known.
  let samples = TermSamples()
  private var series: SeriesMeasurement

  init(_ folder: String, _ options: ValidateOptions, _ bar: ProgressBar) throws {
    (self.folder, self.options, self.bar) = (folder, options, bar)
    let found = try CapturePairs(in: folder)
    (pairs, problems) = (found.pairs, found.problems)
    chart = options.chart ?? .colorChecker
    series = SeriesMeasurement(name: "captures", tolerance: options.tolerance)
  }

  func run() throws {
    if let results = options.results { try makeFolder(results + "/results") }
    for (index, pair) in pairs.enumerated() {
      bar.show("judging \(pair.name)", Double(index) / Double(pairs.count))
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      do {
        try measure(pair)
      } catch let error as RenderingCancelled {
        throw error
      } catch { problems.append("\(pair.name): \(error)") }
    }
    guard series.hasConditions else { throw InputError("\(folder): no pair in it could be judged") }
  }

  private func measure(_ pair: CapturePairs.Pair) throws {
    let development = try Development(
      DevelopOptions(
        flash: pair.flash, ambient: pair.ambient, profile: options.profile, exposure: options.exposure,
        tolerance: options.tolerance, linear: options.isLinear, exposureRatio: options.exposureRatio,
        outputs: try ValidateOptions.outputs(of: pair.name, in: options.results)),
      ProgressBar(isWanted: false))
    try development.measure()
    let seconds = development.elapsed
    let patches = try patches(in: development.flash)

    var measured = PairMeasurement(id: pair.name, patches: patches)
    measured.seconds = seconds
    let result = try development.judgedResult(.upright)
    let confidence = try development.judgedConfidence(.upright)
    measured.shown[.result] = shown(patches, result)
    measured.patchConfidence = patches.map {
      PatchArea($0, width: result.width, height: result.height).mean(of: confidence)
    }
    measured.addPatchConfidences()
    if let flash = try JudgedPicture.standard(development.flash, development, .upright) {
      measured.shown[.flash] = shown(patches, flash)
    }
    if let map = development.report.alignment?.matrix.flatMap({ Homography($0) }),
      let ambient = try JudgedPicture.standard(development.ambient, development, .upright)
    {
      measured.shown[.ambient] = shown(patches, ambient, by: map)
    }
    if options.keepsResults { _ = try development.write() } else { try development.measureLights() }
    let report = development.report
    (measured.meanConfidence, measured.centerWeightedMeanConfidence) = (
      report.meanConfidence, report.centerWeightedMeanConfidence
    )
    (measured.cct, measured.duv) = (report.ambientWhite?.cct, report.ambientWhite?.duv)
    notes += (development.findings.map(\.message) + development.notes).map { "\(pair.name): \($0)" }
    add(measured, result, confidence)
  }

  /// The chart's patches in the upright flash frame.
  private func patches(in flash: LoadedPicture) throws -> [PairTruth.Patch] {
    let geometry = try options.corners ?? flash.findChart(in: flash.frame())
    guard geometry.isInside(flash.buffer.extent, share: Self.share) else {
      throw PhotoError(flash.file.path, "the chart is not wholly in the picture; look at --corners")
    }
    return (0..<min(ChartGeometry.patchCount, chart.xyz.count)).map { index in
      // How the flash falls off over a chart of one's own is not known.
      PairTruth.Patch(
        name: ChartReference.patchNames[index], kind: .colorChecker, centre: geometry.center(of: index),
        polygon: geometry.quadrilateral(of: index, share: Self.share), falloff: 1, xyz: chart.xyz[index])
    }
  }

  /// The part of the pitch that a patch fills.
  private static let share = 0.85

  private func shown(
    _ patches: [PairTruth.Patch], _ picture: XYZPicture, by map: Homography? = nil
  ) -> PairMeasurement.Shown {
    let colors = patches.map { patch in
      PatchArea(patch, by: map, width: picture.width, height: picture.height).mean(of: picture)
    }
    return PairMeasurement.Shown(patches: PatchMeasurement(patches, shown: colors))
  }

  private func add(_ measured: PairMeasurement, _ result: XYZPicture, _ confidence: [Float]) {
    series.add(measured)
    guard let shown = measured.shown[.result], !shown.patches.colorErrors.isEmpty else { return }
    let error = shown.patches.colorErrors.reduce(0, +) / Double(shown.patches.colorErrors.count)
    guard series.isAmongWorst(error) else { return }
    let pictures = [
      ("result", WorstPictures.small(result, gain: shown.patches.scale)),
      ("confidence", WorstPictures.small(map: confidence, width: result.width, height: result.height)),
    ]
    let reason = "largest mean error of the chart: \(plain((error * 10).rounded() / 10)) ΔE00"
    series.add(WorstCase(id: measured.id, reason: reason, pictures: pictures), error: error)
  }

  var figures: ValidationFigures {
    let settings = [
      ("captures", folder), ("pairs", "\(pairs.count)"), ("chart", chart.name), ("profile", options.profile ?? "none"),
    ]
    return ValidationFigures(
      version: version, settings: settings, tolerance: options.tolerance, series: [series.figures])
  }
}
