import Calibration
import Photo

/// What the cameras' metadata say of the exposure ratio; nil where they do not say, or absurdly.
func exposureRatioHint(flash: Metadata, ambient: Metadata) -> Double? {
  guard let flash = flash.exactExposure, let ambient = ambient.exactExposure, ambient > 0 else { return nil }
  let ratio = flash / ambient
  return (1e-4...1e4).contains(ratio) ? ratio : nil
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
