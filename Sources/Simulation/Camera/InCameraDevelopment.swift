import ColorScience
import ConstantColor
import Glibc
import Raster

/// The picture that a camera makes by itself: its own white balance, its matrices, a tone curve that pleases, 8 bits.
struct InCameraDevelopment {
  let camera: CameraModel
  let matrices: ColorMatrices

  /// 8-bit sRGB, rows of R, G, B.
  func picture(_ mosaic: Mosaic, neutral: SIMD3<Double>, execution: Execution) -> [UInt8] {
    let (width, height) = (mosaic.visible.width, mosaic.visible.height)
    guard let matrix = toSRGB(neutral) else { return [UInt8](repeating: 0, count: 3 * width * height) }
    let frame = DemosaicedFrame(mosaic, neutral: neutral)
    let rows = execution.map(height, placeholder: []) { y -> [UInt8] in
      let row = Rectangle(x: 0, y: y, width: width, height: 1)
      var pixels = [Pixel](repeating: .zero, count: width)
      pixels.withUnsafeMutableBytes { frame.read(row, into: MutablePixels($0.baseAddress, count: width)) }
      return pixels.flatMap { pixel -> [UInt8] in
        // Clipped channels at the neutral's highest: highlights stay white.
        let rgb = matrix * SIMD3<Double>(SIMD3(min(pixel.x, 1), min(pixel.y, 1), min(pixel.z, 1)))
        return [Self.curve(rgb.x), Self.curve(rgb.y), Self.curve(rgb.z)]
      }
    }
    return rows.flatMap(\.self)
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
  private static func curve(_ value: Double) -> UInt8 {
    let encoded = TransferFunction.sRGB.encode(min(max(value, 0), 1))
    let shaped = encoded - 0.05 * sin(2 * .pi * encoded)
    return UInt8(min(max(shaped, 0), 1) * 255 + 0.5)
  }
}
