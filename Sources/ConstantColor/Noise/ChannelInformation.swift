/// What the channels of a dim, coloured light can tell once gains have turned it into another light.
///
/// A large gain makes a colour of noise and rounding. To the noise belongs what a camera has cut off: under deeply coloured
/// light a surface's colour lies outside the file's colour space, so that a channel stands at 0 or just above.
/// A hundredth of the brightest channel is reckoned for that.
///
/// Each channel is weighed as a measurement against what is likely without it: the brightness that the other channels show,
/// in a given tone, right to the saturation that surfaces usually have.
enum ChannelInformation {
  private static let cutOff: Float = 0.01
  private static let saturation: Float = 0.4

  /// The balanced colours of eight pixels.
  ///
  /// - Parameters:
  ///   - light: what was measured, not negative.
  ///   - variance: its noise.
  ///   - gains: what turns it into the other light.
  ///   - tone: the likely colour under the other light, of brightness 1.
  @inline(__always)
  static func balance(
    _ light: ColorVector, variance: ColorVector, gains: ColorVector, tone: ColorVector
  ) -> ColorVector {
    let lost = light.max * cutOff
    let lit = light * gains
    let noise = (variance + lost * lost) * gains * gains
    let spread = tone * tone * Vector8(repeating: saturation * saturation)
    let rough = lit.brightness
    // Each channel's idea of the brightness, weighed by how well it knows.
    let weights = spread / (noise + spread * (rough * rough) + Vector8(repeating: 1e-20))
    let level = (weights * lit / tone).brightness / weights.brightness.greater(Vector8(repeating: 1e-20))
    let prior = spread * (level * level)
    let known = prior / (prior + noise + Vector8(repeating: 1e-20))
    // Spectra of surfaces are smooth: a red or blue that is not known is not above green. Else orange would turn pink.
    let green = lit.y / tone.y
    let neighbour = level + (green.lesser(level) - level) * known.y
    let expected = ColorVector(tone.x * neighbour, tone.y * level, tone.z * neighbour)
    return expected + (lit - expected) * known
  }

  /// How little the darkest channel of a light tells, 0...1: 1 where the camera has cut it off.
  @inline(__always)
  static func loss(_ light: ColorVector) -> Vector8 {
    let power = light.min * light.min
    let doubt = light.max * (0.5 * cutOff)
    return 1 - power / (power + 9 * doubt * doubt).greater(Vector8(repeating: 1e-20))
  }
}
