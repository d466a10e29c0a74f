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

/// Makes a profile from a pair of photographs of a chart.
final class Calibrator {
  private let options: CalibrateOptions
  private let bar: ProgressBar
  private let pair: LoadedPair
  private let flash, ambient: LoadedPicture
  private let graph: Graph
  private let steps: DevelopGraph
  private var result: (profile: CalibrationProfile, characterisation: Characterisation, chart: MeasuredChart)?
  private var cornersSource: String
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
    pair = try LoadedPair(flash: options.flash, ambient: options.ambient, linear: options.isLinear)
    (flash, ambient) = (pair.flash, pair.ambient)
    findings = PairCheck(flash: Report.Frame(flash), ambient: Report.Frame(ambient)).findings
    // A picture of one wrong pair can be thrown away; a wrong profile would spoil many.
    if let worst = findings.first, worst.severity == .error { throw InputError(worst.message) }
    graph = try Graph()
    steps = try pair.steps(in: graph, exposureRatio: options.exposureRatio)
    notes = flash.notes + ambient.notes
    try steps.set("align", .choice(options.alignment.rawValue))
  }

  /// Measures, fits and writes. Throws ``RenderingCancelled`` when stopped, ``InputError`` where the photographs give no
  /// good profile.
  func run() throws {
    bar.show("aligning")
    try steps.measureAlignment()
    bar.show("matching exposure")
    try steps.measureExposure()
    bar.show("measuring the chart")
    if !isRatioKnown { try measureExposureOnChart() }
    let (chart, characterisation) = try characterise()
    let profile = makeProfile(characterisation)
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
        "\(options.flash): says no exposure; the exposure ratio was found on the chart "
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
            "\(options.flash): the chart is not where --corners says in the upright picture, but in the frame as it is "
              + "stored, before its orientation is applied; the corners were taken so")
          return (other, characterisation)
        }
      }
      throw InputError("\(options.flash): \(error)")
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
    // Camera numbers are measured as they are, others in linear sRGB, whatever space they are tagged with.
    let format = try PixelFormat("RGBA float", space: isCamera ? flash.buffer.format?.space : ColorSpace(named: "sRGB"))
    let frameFormat = try PixelFormat("RGBA float", space: flash.buffer.format?.space)
    let difference = try NodeSource(steps.subtract, format: format)
    guard let frame = BufferSource(flash.buffer, format: frameFormat) else {
      throw InputError("\(options.flash): has no pixels to measure")
    }
    let aligned = try NodeSource(steps.align, format: frameFormat)
    let geometry = try corners ?? findChart(difference)
    let chart = MeasuredChart(
      geometry: geometry, light: ChartSampling.sample(difference, geometry: geometry, execution: Run.execution),
      flash: ChartSampling.sample(frame, geometry: geometry, execution: Run.execution),
      ambient: ChartSampling.sample(aligned, geometry: geometry, execution: Run.execution))
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return chart
  }

  private func findChart(_ difference: NodeSource) throws -> ChartGeometry {
    do {
      return try ChartFinder.find(in: difference, execution: Run.execution).geometry
    } catch ChartError.cancelled {
      throw RenderingCancelled()
    } catch { throw InputError("\(options.flash): \(error)") }
  }

  private var isCamera: Bool { pair.isCameraRGB }

  // MARK: the profile

  private func makeProfile(_ characterisation: Characterisation) -> CalibrationProfile {
    let metadata = flash.metadata
    let duration: CalibrationProfile.FlashDuration =
      options.duration ?? (metadata.likelyFlash == .led ? .continuous : .strobe)
    let format = try? PixelFormat("RGBA float", space: flash.buffer.format?.space)
    let frame = format.flatMap { BufferSource(flash.buffer, format: $0) }
    let extra = options.chart.extraUncertainty?.chart ?? 0
    let error = characterisation.chosen.leaveOneOut.mean
    return CalibrationProfile(
      input: isCamera ? .camera : .linearSRGB, make: metadata.make, model: metadata.model,
      transform: characterisation.transform, exposure: metadata.flashExposure(duration), duration: duration,
      noise: frame.map { NoiseEstimation.estimate($0, execution: Run.execution) },
      expectedError: (error * error + extra * extra).squareRoot())
  }
}

// MARK: telling

extension Calibrator {
  private func document(
    _ profile: CalibrationProfile, _ characterisation: Characterisation, _ chart: MeasuredChart
  ) -> JSON {
    .object(
      profile.members + [
        JSON.Member("createdBy", .string("constant-color \(version)")), JSON.Member("created", .string(now())),
        JSON.Member("pair", frames), JSON.Member("chart", self.chart(characterisation, chart)),
        JSON.Member("quality", quality(characterisation)),
      ])
  }

  private var frames: JSON {
    func frame(_ path: String, _ picture: LoadedPicture) -> JSON {
      [
        "path": .string(path), "width": JSON(picture.width), "height": JSON(picture.height),
        "exposureTime": JSON(picture.metadata.exposureTime), "iso": JSON(picture.metadata.iso),
        "fNumber": JSON(picture.metadata.fNumber),
      ]
    }
    func ratio(_ name: String) -> JSON { JSON(steps.match.number(name)) }
    return [
      "flash": frame(options.flash, flash), "ambient": frame(options.ambient, ambient),
      "exposureRatios": .array([ratio("red-ratio"), ratio("exposure-ratio"), ratio("blue-ratio")]),
    ]
  }

  private func chart(_ characterisation: Characterisation, _ chart: MeasuredChart) -> JSON {
    let reference = options.chart
    var patches: [JSON] = []
    for sample in chart.light {
      let place = characterisation.used.firstIndex { $0.index == sample.patch }
      let reason = chart.rejected[sample.patch] ?? characterisation.rejected.first { $0.index == sample.patch }?.reason
      patches.append([
        "name": .string(ChartReference.patchNames[sample.patch]), "rgb": .numbers(sample.mean),
        "standardError": .numbers(sample.standardError), "xyz": .numbers(reference.xyz[sample.patch].vector),
        "light": JSON(place.map { characterisation.light[$0] }), "rejected": JSON(reason),
        "leaveOneOutError": JSON(place.map { characterisation.chosen.patchErrors[$0] }),
      ])
    }
    var members: [JSON.Member] = [
      JSON.Member("name", .string(reference.name)), JSON.Member("source", .string(reference.source)),
      JSON.Member("illuminant", "D65"), JSON.Member("observer", "CIE 1931, 2°"),
      JSON.Member("corners", .numbers(chart.geometry.corners.flatMap { [$0.x, $0.y] })),
      JSON.Member("cornersSource", .string(cornersSource)),
    ]
    if let extra = reference.extraUncertainty {
      members.append(
        JSON.Member("extraUncertainty", ["chart": .number(extra.chart), "skin": .number(extra.skin)]))
    }
    return .object(members + [JSON.Member("patches", .array(patches))])
  }

  private func quality(_ characterisation: Characterisation) -> JSON {
    func errors(_ errors: Characterisation.Errors) -> JSON {
      ["mean": .number(errors.mean), "p95": .number(errors.percentile95), "worst": .number(errors.worst)]
    }
    func candidate(_ candidate: Characterisation.Candidate) -> JSON {
      [
        "degree": .integer(candidate.degree.rawValue), "leaveOneOut": errors(candidate.leaveOneOut),
        "chart": errors(candidate.chart), "outside": candidate.outside.map(errors) ?? .null,
      ]
    }
    return [
      "unit": "CIEDE2000 at equal luminance", "leaveOneOut": errors(characterisation.chosen.leaveOneOut),
      "worstPatch": JSON(characterisation.worstPatch.map { ChartReference.patchNames[$0] }),
      "chosenDegree": .integer(characterisation.chosen.degree.rawValue),
      "unknownMeasurementError": .number(characterisation.unknownError),
      "candidates": .array(characterisation.candidates.map(candidate)),
    ]
  }

  private func now() -> String {
    var seconds = time(nil)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What was made, for people; with every patch when `isLong`.
  func summary(isLong: Bool) -> String {
    guard let (profile, characterisation, chart) = result else { return "" }
    func number(_ value: Double) -> String {
      let hundredths = Int((value * 100).rounded())
      return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }
    let kinds = ["3×3 matrix", "root polynomial of second degree", "root polynomial of third degree"]
    let errors = characterisation.chosen.leaveOneOut
    var lines = [
      "\(options.output): \(kinds[characterisation.chosen.degree.rawValue - 1]) from \(characterisation.used.count) patches",
      "leaving each patch out: mean \(number(errors.mean)), 95 % \(number(errors.percentile95)), worst "
        + "\(number(errors.worst)) ΔE00"
        + (characterisation.worstPatch.map { " (\(ChartReference.patchNames[$0]))" } ?? ""),
      "flash: \(profile.duration == .strobe ? "strobe, shorter than the exposure" : "continuous, as long as the exposure")"
        + (options.duration == nil ? " (taken from the camera's make; --flash-duration says otherwise)" : ""),
    ]
    for index in 0..<24 {
      let reason = chart.rejected[index] ?? characterisation.rejected.first { $0.index == index }?.reason
      if let reason { lines.append("not used: \(ChartReference.patchNames[index]) \(reason)") }
    }
    guard isLong else { return lines.joined(separator: "\n") }
    for (patch, error) in zip(characterisation.used, characterisation.chosen.patchErrors) {
      lines.append("  \(ChartReference.patchNames[patch.index].padded(to: 14)) \(number(error))")
    }
    for candidate in characterisation.candidates {
      lines.append(
        "  \(kinds[candidate.degree.rawValue - 1]): left out \(number(candidate.leaveOneOut.mean)), chart "
          + number(candidate.chart.mean) + (candidate.outside.map { ", other surfaces \(number($0.mean))" } ?? ""))
    }
    return lines.joined(separator: "\n")
  }
}
