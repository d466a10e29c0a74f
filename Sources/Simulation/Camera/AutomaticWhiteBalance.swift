import ColorScience
import Glibc

/// The white balance that a camera chooses by itself.
///
/// Cameras leave a part of the light's colour in the picture, since people expect warm light to look warm, and they err a
/// little: 19 % of the way to daylight of 5500 K stays, and a deviation of 1.2 % in each ratio.
enum AutomaticWhiteBalance {
  static let left = 0.19
  static let deviation = 0.012

  /// The neutral that the camera writes into its file; green is 1.
  ///
  /// - Parameters:
  ///   - white: camera RGB of a white surface in the light; zero in the dark.
  ///   - anchor: the same in daylight of 5500 K.
  static func neutral(
    white: SIMD3<Double>, anchor: SIMD3<Double>, _ generator: inout SplitMix
  ) -> SIMD3<Double> {
    let (red, blue) = (generator.normal(), generator.normal())
    guard white.min() > 0, anchor.min() > 0 else { return anchor / max(anchor.y, 1e-9) }
    func ratio(_ channel: Int, _ chance: Double) -> Double {
      let (found, usual) = (log(white[channel] / white.y), log(anchor[channel] / anchor.y))
      return exp((1 - left) * found + left * usual + deviation * chance)
    }
    return SIMD3(ratio(0, red), 1, ratio(2, blue))
  }
}
