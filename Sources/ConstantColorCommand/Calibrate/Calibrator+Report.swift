import Calibration
import Glibc
import JSONValue
import Photo

/// What calibration says: the profile's file, and a summary for people.
extension Calibrator {
  /// The profile with everything that it was made from.
  func document(
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
      "flash": frame(flash.file.path, flash), "ambient": frame(ambient.file.path, ambient),
      "ambientFrames": JSON(pair.ambients.count),
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
    if let line = profile.flatField.flatMap(SheetMeasurement.summary) { lines.append(line) }
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
