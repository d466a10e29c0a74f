import Glibc

/// The curve between linear light and the numbers of a file, as an ICC parametric curve of type 3
/// (ICC.1:2022, 10.18): linear = (a·v + b)ᵍ where v ≥ d, else c·v.
///
/// Negative values go through the mirrored curve, values above 1 go on along it; NaN stays NaN.
public struct TransferFunction: Equatable, Hashable, Sendable {
  /// The exponent g.
  public let gamma: Double
  /// The numbers a, b, c, d.
  public let a, b, c, d: Double

  /// The curve of the ICC parameters; the caller keeps gamma, a and c above 0.
  public init(gamma: Double, a: Double, b: Double, c: Double, d: Double) {
    self.gamma = gamma
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// No curve: the numbers are linear light.
  public static let linear = TransferFunction(gamma: 1, a: 1, b: 0, c: 1, d: 0)

  /// The curve of sRGB and Display P3 (IEC 61966-2-1).
  public static let sRGB = TransferFunction(
    gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)

  /// The curve of ITU-R BT.2020 with its constants at full precision, so that both parts meet.
  public static let bt2020: TransferFunction = {
    let (alpha, beta) = (1.09929682680944, 0.018053968510807)
    return TransferFunction(gamma: 1 / 0.45, a: 1 / alpha, b: (alpha - 1) / alpha, c: 1 / 4.5, d: 4.5 * beta)
  }()

  /// The curve of ProPhoto (ROMM RGB, ISO 22028-2).
  public static let proPhoto = TransferFunction(gamma: 1.8, a: 1, b: 0, c: 1.0 / 16, d: 16.0 / 512)

  /// Linear light of a file's number.
  public func decode(_ value: Double) -> Double {
    let magnitude = abs(value)
    let linear = magnitude >= d ? pow(a * magnitude + b, gamma) : c * magnitude
    return value < 0 ? -linear : linear
  }

  /// A file's number for linear light.
  public func encode(_ linear: Double) -> Double {
    let magnitude = abs(linear)
    // Below the knee only where both agree: the standards round their knees, and monotony must not depend on it.
    let value = magnitude >= c * d ? max((pow(magnitude, 1 / gamma) - b) / a, min(d, magnitude / c)) : magnitude / c
    return linear < 0 ? -value : value
  }
}
