import Glibc

/// Whether two photographs make a pair: one scene, one camera, once with flash and once without.
///
/// Only says what it sees; nothing is corrected. Whatever the files do not say is not judged.
public struct PairCheck: Sendable {
  /// The frame that was named as the one with flash, and the one without.
  public var flash, ambient: Report.Frame
  /// The median of flash over exposure-matched ambient light, from the pictures: flash light only adds, so that it is
  /// never well below 1.
  public var medianGain: Double?
  /// The exposure ratio that was found in the pictures.
  public var measuredRatio: Double?

  /// A check of a pair; what the pictures say may be missing.
  public init(flash: Report.Frame, ambient: Report.Frame, medianGain: Double? = nil, measuredRatio: Double? = nil) {
    self.flash = flash
    self.ambient = ambient
    self.medianGain = medianGain
    self.measuredRatio = measuredRatio
  }

  /// What there is to say, the worst first.
  public var findings: [Finding] {
    let all = [sameFile, order, camera, size] + lens + [exposure, time]
    return Self.sorted(all.compactMap { $0 })
  }

  /// The worst first. Stable, since equal severities keep the order in which they were found.
  private static func sorted(_ findings: [Finding]) -> [Finding] {
    findings.enumerated().sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }
      .map(\.element)
  }

  /// What there is to say of a flash frame with several ambient frames, the worst first, each once. What concerns one of
  /// the ambient frames names it.
  ///
  /// - Parameters:
  ///   - medianGain, measuredRatio: of the first.
  public static func findings(
    flash: Report.Frame, ambients: [Report.Frame], medianGain: Double? = nil, measuredRatio: Double? = nil
  ) -> [Finding] {
    guard ambients.count > 1 else {
      return ambients.flatMap {
        PairCheck(flash: flash, ambient: $0, medianGain: medianGain, measuredRatio: measuredRatio).findings
      }
    }
    var all: [Finding] = []
    for (index, ambient) in ambients.enumerated() {
      let check = PairCheck(
        flash: flash, ambient: ambient, medianGain: index == 0 ? medianGain : nil,
        measuredRatio: index == 0 ? measuredRatio : nil)
      for var finding in check.findings where !all.contains(finding) {
        let isOfPair = [.camera, .size, .lens, .exposure, .time].contains(finding.kind)
        if isOfPair, !finding.message.contains(flash.path) { finding.message = "\(ambient.path): \(finding.message)" }
        all.append(finding)
      }
    }
    return sorted(all)
  }

  private var sameFile: Finding? {
    guard flash.path == ambient.path else { return nil }
    return Finding(
      .error, .sameFile, "\(flash.path) is both frames; name the photograph without flash as the ambient one")
  }

  /// Swapped frames, and flashes that did not do what was meant.
  private var order: Finding? {
    let isDarker = (medianGain ?? 1) < Self.darkest
    let (first, second) = (flash.metadata.flashFired, ambient.metadata.flashFired)
    let exchange = "exchange them, or run again with --swap"
    if first == false, second == true {
      return Finding(
        .error, .swapped,
        "\(flash.path) and \(ambient.path) are the wrong way round: the flash fired for the second, not for the first; \(exchange)"
      )
    }
    // Where both say that their flashes were right, the pictures alone are not believed to be swapped.
    if isDarker, first != true || second != false {
      return Finding(
        .warning, .swapped,
        "most of \(flash.path) is darker than the ambient light in it should be; are the two files the wrong way round? "
          + "If so \(exchange); if not, give --exposure-ratio")
    }
    if isDarker {
      return Finding(
        .warning, .exposure,
        "most of \(flash.path) is darker than the ambient light in it should be; the exposure ratio is wrong or the "
          + "light changed between the frames")
    }
    if first == false {
      return Finding(
        .warning, .flash, "no flash fired for \(flash.path), its metadata say; there may be no flash light to develop")
    }
    if second == true {
      return Finding(
        .warning, .flash, "a flash fired for \(ambient.path), its metadata say; take the ambient frame without flash")
    }
    return nil
  }

  private var camera: Finding? {
    let (a, b) = (flash.metadata, ambient.metadata)
    func name(_ metadata: Metadata) -> String {
      [metadata.make, metadata.model].compactMap { $0 }.joined(separator: " ")
    }
    func differ(_ one: String?, _ other: String?) -> Bool {
      guard let one, let other else { return false }
      return one.lowercased() != other.lowercased()
    }
    if differ(a.model, b.model) || differ(a.make, b.make) {
      return Finding(
        .warning, .camera,
        "the frames are from two cameras (\(name(a)) and \(name(b))), which see colours differently; take both with one"
      )
    }
    if differ(a.serial, b.serial) {
      return Finding(
        .warning, .camera,
        "the frames are from two cameras of one model (numbers \(a.serial ?? "") and \(b.serial ?? "")); take both with one"
      )
    }
    return nil
  }

  private var size: Finding? {
    guard let width = flash.width, let height = flash.height, let w = ambient.width, let h = ambient.height,
      (width, height) != (w, h)
    else { return nil }
    let sizes = "\(width) × \(height) and \(w) × \(h) pixels"
    // Converters and cameras round crops by a pixel or two.
    if abs(width - w) <= 2, abs(height - h) <= 2 {
      return Finding(.note, .size, "the frames differ in size a little (\(sizes))")
    }
    if abs(width - h) <= 2, abs(height - w) <= 2 {
      return Finding(.warning, .size, "one frame is upright and the other is not (\(sizes)); turn one of them")
    }
    return Finding(
      .warning, .size, "the frames differ in size (\(sizes)); use both as they came from the camera, without crop")
  }

  private var lens: [Finding?] {
    let (a, b) = (flash.metadata, ambient.metadata)
    func apart(_ one: Double?, _ other: Double?) -> Double {
      guard let one, let other, one > 0, other > 0 else { return 0 }
      return abs(log2(one / other))
    }
    var findings: [Finding?] = []
    if let one = a.lens, let other = b.lens, one != other {
      findings.append(
        Finding(.warning, .lens, "the frames are taken with two lenses (\(one) and \(other)); take both with one"))
    } else if apart(a.focalLength, b.focalLength) > 0.03 {
      findings.append(
        Finding(
          .warning, .lens,
          "the frames are zoomed differently (\(Self.text(a.focalLength)) and \(Self.text(b.focalLength)) mm); take both alike"
        ))
    }
    if apart(a.fNumber, b.fNumber) > 0.3 {
      findings.append(
        Finding(
          .note, .lens,
          "the apertures differ (f/\(Self.text(a.fNumber)) and f/\(Self.text(b.fNumber))), so that corners and sharpness do; "
            + "change the time or the sensitivity instead"))
    }
    return findings
  }

  private var exposure: Finding? {
    guard let one = flash.metadata.exactExposure, let other = ambient.metadata.exactExposure else { return nil }
    let stops = log2(one / other)
    if abs(stops) > 7 {
      return Finding(
        .warning, .exposure,
        "the exposures are \(Self.text(abs(stops))) stops apart; noise and clipping will spoil one of them, keep them within 4"
      )
    }
    guard let measuredRatio, measuredRatio > 0 else { return nil }
    let miss = log2(measuredRatio) - stops
    guard abs(miss) > 0.7 else { return nil }
    return Finding(
      .warning, .exposure,
      "the pictures' exposures are \(Self.text(abs(miss))) stops from what the files say; the light changed between the frames, or a "
        + "program changed the brightness")
  }

  private var time: Finding? {
    guard let one = flash.metadata.time, let other = ambient.metadata.time, abs(one - other) > 30 else { return nil }
    let seconds = abs(one - other)
    let duration =
      seconds < 120
      ? "\(Self.text(seconds)) seconds"
      : seconds < 7200
        ? "\(Self.text(seconds / 60)) minutes"
        : seconds < 172_800
          ? "\(Self.text(seconds / 3600)) hours" : "\(Self.text(seconds / 86400)) days"
    return Finding(
      seconds > 600 ? .warning : .note, .time,
      "the frames are \(duration) apart; the ambient light may have changed, take them one right after the other")
  }

  /// As ``ExposureRatio/looksSwapped``.
  private static let darkest = 0.95

  /// With one digit where it says something.
  private static func text(_ value: Double?) -> String {
    guard let value, value.isFinite, abs(value) < 1e9 else { return "?" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() || abs(value) >= 100 ? "\(Int(value.rounded()))" : "\(tenths)"
  }
}
