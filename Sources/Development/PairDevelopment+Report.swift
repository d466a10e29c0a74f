import ColorScience
import ConstantColor
import ConstantColorOperations
import GEGL
import JSONValue
import Photo

/// The report.
extension PairDevelopment {
  /// What is known after measuring.
  func fillReport(_ confidence: CenterWeighting) {
    report.centerWeightedMeanConfidence = confidence.centerWeightedMean
    report.meanConfidence = confidence.mean
    report.colorTolerance = settings.tolerance
    report.belowThreshold = settings.threshold.map { (confidence.centerWeightedMean ?? 0) < $0 } ?? false
    report.ambientFrames = frames.isEmpty ? 1 : frames.count(where: \.isUsed)
    fillExposureRatio()
    fillAlignment()
  }

  /// Adds what is known at the end.
  ///
  /// - Parameter census: what rendering did to the result's pixels.
  public func finishReport(_ census: RenderingCensus = RenderingCensus()) throws {
    report.more += [
      JSON.Member("look", .string(settings.look.rawValue)),
      JSON.Member("fallbackMethod", JSON(ambientBalance?.method.rawValue)),
      JSON.Member("colour", color.json),
      JSON.Member("flatField", flatFieldJSON),
      JSON.Member("gamutMappedFraction", JSON(census.gamutMappedFraction)),
      JSON.Member("highlightFraction", JSON(census.highlightFraction)),
    ]
    report.clippedFraction = try steps.clippedFraction()
    report.total = stopwatch.total
    report.timings = stopwatch.laps
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
      settings.exposureRatio != nil ? .given : text("found-ratio-source") == "prior" ? .exif : .estimated
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
    report.alignment = Report.Alignment(frames.first(where: \.isUsed) ?? AmbientFrameOutcome(steps.align))
    guard !frames.isEmpty else { return }
    let details = zip(pair.ambients, frames).map { picture, frame -> JSON in
      .object([
        "path": .string(picture.file.path), "used": .bool(frame.isUsed), "gain": JSON(frame.gain),
        "rejectedFraction": JSON(frame.rejectedFraction), "alignment": Report.Alignment(frame)?.json ?? .null,
      ])
    }
    report.more.append(JSON.Member("ambientFrameDetails", .array(details)))
  }

  private func text(_ name: String) -> String? {
    guard case .string(let text)? = steps.found(name) else { return nil }
    return text
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
