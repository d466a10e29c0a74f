import ColorScience
import Glibc
import Raster

/// The picture that a camera makes by itself: its own white balance, its matrices, a tone curve that pleases, 8 bits.
struct InCameraDevelopment {
  let camera: CameraModel
  let matrices: ColorMatrices

  /// Values of 0...1 in sRGB, from camera RGB.
  func picture(_ linear: [Pixel], neutral: SIMD3<Double>) -> [SIMD3<Double>] {
    guard let matrix = toSRGB(neutral) else { return [SIMD3<Double>](repeating: .zero, count: linear.count) }
    return linear.map { pixel in
      // Clipped channels stay at saturation, so that highlights are white.
      let rgb = matrix * SIMD3<Double>(SIMD3(min(pixel.x, 1), min(pixel.y, 1), min(pixel.z, 1)))
      return SIMD3(Self.curve(rgb.x), Self.curve(rgb.y), Self.curve(rgb.z))
    }
  }

  private func toSRGB(_ neutral: SIMD3<Double>) -> Matrix3? {
    let calibrations = [
      CameraColorModel.Calibration(kelvin: 2856, colorMatrix: matrices.warm),
      CameraColorModel.Calibration(kelvin: 6504, colorMatrix: matrices.cool),
    ]
    guard let model = try? CameraColorModel(calibrations), let toXYZ = model.toD65(neutral: neutral),
      let toSRGB = RGBSpace.sRGB.toXYZ.inverse
    else { return nil }
    // White comes to 3/4 of saturation; the picture shows it nearly white.
    return 1.25 * (toSRGB * toXYZ)
  }

  /// sRGB's curve, then an S over it: more contrast in the middle.
  private static func curve(_ value: Double) -> Double {
    let encoded = TransferFunction.sRGB.encode(min(max(value, 0), 1))
    return min(max(encoded - 0.05 * sin(2 * .pi * encoded), 0), 1)
  }
}
