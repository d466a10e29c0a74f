import Calibration
import ConstantColorOperations
import GEGL
import Photo

/// What the cameras' metadata say of the exposure ratio.
struct ExposureRatioHint {
  /// Flash exposure divided by ambient exposure.
  let ratio: Double
  /// Its relative standard error.
  let uncertainty: Double

  /// The ratio of two frames; nil where the files do not say, or absurdly.
  init?(flash: Metadata, ambient: Metadata) {
    // One camera rounds the numbers of both frames, or of neither.
    let isRounded = flash.hasRoundNumbers && ambient.hasRoundNumbers
    func exposure(_ frame: Metadata) -> Double? { isRounded ? frame.exactExposure : frame.exposure }
    guard let flash = exposure(flash), let ambient = exposure(ambient), ambient > 0 else { return nil }
    ratio = flash / ambient
    guard (1e-4...1e4).contains(ratio) else { return nil }
    // Of round numbers one cannot be sure which way they were rounded; others are as good as gains and shutters are.
    uncertainty = isRounded ? 0.05 : 0.01
  }

  /// Tells a graph.
  func apply(to steps: DevelopGraph) throws {
    try steps.set("exposure-ratio-hint", .double(ratio))
    try steps.set("hint-uncertainty", .double(uncertainty))
  }
}

extension Metadata {
  /// The exposure of a flash frame, for comparison with others of the same camera.
  ///
  /// What has an LED is a phone, whose numbers are what they are; a camera's round numbers stand for thirds of stops.
  func flashExposure(_ duration: CalibrationProfile.FlashDuration) -> CalibrationProfile.Exposure {
    switch duration {
    case .continuous: CalibrationProfile.Exposure(time: exposureTime, iso: iso, fNumber: fNumber)
    case .strobe: CalibrationProfile.Exposure(time: exactExposureTime, iso: exactISO, fNumber: exactFNumber)
    }
  }
}
