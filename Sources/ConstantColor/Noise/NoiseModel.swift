/// How much a pixel's value varies by chance: variance = gain · value + floor, for each channel.
///
/// Shot noise is proportional to the light, read noise is not (the DNG NoiseProfile, S and O; Foi et
/// al., "Practical Poissonian-Gaussian noise modeling", 2008). Values are linear, 1.0 = clipping.
public struct NoiseModel: Equatable, Sendable {
  /// The variance per unit of light, for red, green, blue.
  public var gain: SIMD3<Float>
  /// The variance in the dark.
  public var floor: SIMD3<Float>

  /// A model; coefficients that are negative or not finite count as 0.
  public init(gain: SIMD3<Float>, floor: SIMD3<Float>) {
    self.gain = Self.defined(gain)
    self.floor = Self.defined(floor)
  }

  /// The rounding of an 8-bit picture with the sRGB curve (IEC 61966-2-1): a step of the code is
  /// 2.275 · value^0.583 / 255 wide in linear light, a uniform error has a twelfth of its square as
  /// variance, and 0.583 · 2 is close enough to 1.
  public static let eightBitSRGB = NoiseModel(
    gain: SIMD3(repeating: 6.6e-6), floor: SIMD3(repeating: 7.7e-9))

  /// The variance at a value; negative values count as dark.
  @inlinable public func variance(_ value: SIMD3<Float>) -> SIMD3<Float> {
    gain * pointwiseMax(value, .zero) + floor
  }

  /// The noise of both together, as of a picture whose values were rounded.
  public static func + (left: NoiseModel, right: NoiseModel) -> NoiseModel {
    NoiseModel(gain: left.gain + right.gain, floor: left.floor + right.floor)
  }

  /// At least both: a measured model that must not fall below what rounding alone does.
  public func atLeast(_ other: NoiseModel) -> NoiseModel {
    NoiseModel(gain: pointwiseMax(gain, other.gain), floor: pointwiseMax(floor, other.floor))
  }

  /// The model of the values times `ratio`: the gain grows with it, the floor with its square.
  public func scaled(by ratio: SIMD3<Float>) -> NoiseModel {
    NoiseModel(gain: gain * ratio, floor: floor * ratio * ratio)
  }

  /// The model of a demosaiced picture from that of the sensor's samples.
  ///
  /// The three colours of a pixel share samples, so that the brightness has about 1.6 times the noise that it had of
  /// independent ones (measured on simulated frames); all three are raised by that.
  ///
  /// - Parameters:
  ///   - factors: ``DemosaicedFrame/varianceFactors``.
  ///   - neutral: how white looks to the sensor, since the noise of one colour comes from samples of the others, too.
  public func demosaiced(by factors: [SIMD3<Double>], neutral: SIMD3<Double>) -> NoiseModel {
    guard factors.count == 3, neutral.min() > 0 else { return self }
    let (own, floor) = (SIMD3<Double>(gain) * neutral, SIMD3<Double>(floor))
    let gains = (0..<3).map { Self.shared * (factors[$0] * own).sum() / neutral[$0] }
    let floors = factors.map { Self.shared * ($0 * floor).sum() }
    return NoiseModel(
      gain: SIMD3(Float(gains[0]), Float(gains[1]), Float(gains[2])),
      floor: SIMD3(Float(floors[0]), Float(floors[1]), Float(floors[2])))
  }

  private static let shared = 1.6

  /// The model that a resampled frame's own noise comes from: single pixels have lost variance to their neighbours, means
  /// over many have not.
  ///
  /// - Parameter gain: what resampling left of a pixel's variance (``Warp/noiseGain(over:)``); a value outside 0.1...1
  ///   changes nothing.
  public func beforeResampling(gain: Double) -> NoiseModel {
    guard gain >= 0.1, gain <= 1 else { return self }
    return NoiseModel(gain: self.gain / Float(gain), floor: floor / Float(gain))
  }

  /// The variance of flash − ratio · ambient.
  ///
  /// - Parameters:
  ///   - flash: values of the flash frame, whose noise this model describes.
  ///   - ambient: values of the ambient frame, before the ratio.
  ///   - ambientNoise: the model of the ambient frame, before the ratio.
  @inlinable public func variance(
    ofDifference flash: SIMD3<Float>, ambient: SIMD3<Float>, ambientNoise: NoiseModel, ratio: SIMD3<Float>
  ) -> SIMD3<Float> {
    variance(flash) + ratio * ratio * ambientNoise.variance(ambient)
  }

  private static func defined(_ value: SIMD3<Float>) -> SIMD3<Float> {
    let finite = value.replacing(with: 0, where: value * 0 .!= SIMD3<Float>.zero)
    return pointwiseMax(finite, .zero)
  }
}
