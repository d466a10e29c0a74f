import ColorScience
import ConstantColor

/// What is known of one camera with one flash: how its numbers become colours under D65.
public struct CalibrationProfile: Sendable {
  /// What numbers the profile is for.
  public enum Input: String, Sendable {
    /// Linear values of the sensor, from RAW files.
    case camera
    /// Linear light in sRGB primaries, from pictures that the camera developed.
    case linearSRGB = "linear-srgb"
  }

  /// How long the flash shines.
  public enum FlashDuration: String, Sendable, CaseIterable {
    /// A flash tube: shorter than any exposure, so that its light does not grow with the exposure time.
    case strobe
    /// An LED that outlasts the exposure.
    case continuous
  }

  /// The exposure of the calibration's flash frame: what fixed exposure is relative to.
  public struct Exposure: Equatable, Sendable {
    /// Seconds, ISO, f-number; nil where the file did not say.
    public var time, iso, fNumber: Double?

    /// An exposure from its parts.
    public init(time: Double?, iso: Double?, fNumber: Double?) {
      self.time = time
      self.iso = iso
      self.fNumber = fNumber
    }
  }

  /// See ``Input``.
  public var input: Input
  /// The camera; nil where its files do not say.
  public var make, model: String?
  /// From linear RGB to XYZ under D65. The perfect diffuser at the chart's place has Y = 1, in the exposure of the
  /// calibration.
  public var transform: CalibratedTransform
  /// See ``Exposure``.
  public var exposure: Exposure
  /// See ``FlashDuration``.
  public var duration: FlashDuration
  /// The noise of a frame at the ISO of ``exposure``; see ``noise(atISO:)``.
  public var noise: NoiseModel?
  /// The mean colour error to expect, in ΔE₀₀: from leaving patches out, with what the reference leaves uncertain.
  public var expectedError: Double
  /// The same by colour.
  public var colorErrors: ColorErrorMap
  /// How unevenly the flash and the lens light a flat surface; nil where nobody has measured that.
  public var flatField: MeasuredFlatField?

  /// A profile from its parts. Without errors by colour all colours have the mean one.
  public init(
    input: Input, make: String?, model: String?, transform: CalibratedTransform, exposure: Exposure,
    duration: FlashDuration, noise: NoiseModel?, expectedError: Double,
    colorErrors: ColorErrorMap? = nil
  ) {
    self.input = input
    self.make = make
    self.model = model
    self.transform = transform
    self.exposure = exposure
    self.duration = duration
    self.noise = noise
    self.expectedError = expectedError
    self.colorErrors = colorErrors ?? ColorErrorMap(constant: Float(expectedError))
  }

  /// The noise of a frame of this camera at another ISO; nil where the profile does not tell. Shot noise grows with the
  /// amplification, the noise of reading with its square; beyond two stops, and for pictures that the camera developed and
  /// cleaned, frames tell better themselves.
  public func noise(atISO iso: Double?) -> NoiseModel? {
    guard input == .camera, let noise, let iso, let own = exposure.iso, iso > 0, own > 0 else { return nil }
    let ratio = iso / own
    guard (0.25...4).contains(ratio) else { return nil }
    return noise.scaled(by: SIMD3(repeating: Float(ratio)))
  }

  /// How much brighter the flash's light is recorded in another exposure than in the calibration's: the ratio of
  /// ISO / (f-number)², and of the exposure times where the flash outlasts them. Numbers that either side does not know
  /// count as unchanged.
  public func relativeExposure(of other: Exposure) -> Double {
    func ratio(_ new: Double?, _ old: Double?) -> Double {
      guard let new, let old, new > 0, old > 0 else { return 1 }
      return new / old
    }
    let aperture = ratio(other.fNumber, exposure.fNumber)
    let time = duration == .continuous ? ratio(other.time, exposure.time) : 1
    return ratio(other.iso, exposure.iso) / (aperture * aperture) * time
  }
}

/// What is wrong with a profile; one line for people, without the file's name.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong and what to do.
  public let description: String
}
