import ColorScience
import ConstantColor
import Raster
import Simulation

/// Pixels with colours that are not there: what noise looks like where there is hardly any light.
public enum WildPixels {
  private static let toP3 = RGBSpace.displayP3.fromXYZ

  /// How far a surface's colour is from grey in Display P3, 0...1.
  static func saturation(ofXYZ xyz: SIMD3<Float>) -> Double {
    let rgb = pointwiseMax(toP3 * SIMD3<Double>(xyz), .zero)
    return (rgb.max() - rgb.min()) / max(rgb.max(), 1e-9)
  }

  /// The share of the far background's pixels that are shown as good as fully saturated, not black, and where no surface
  /// is. Judged as a file in Display P3 shows them.
  ///
  /// - Parameter scale: the picture's one scale.
  /// - Returns: nil where there is no such background.
  public static func share(
    of picture: XYZPicture, scale: Double, _ regions: [Region], _ reference: SceneReference
  ) -> Double? {
    guard picture.width == reference.width, picture.height == reference.height else { return nil }
    let far = regions.indices.filter { regions[$0].contains(.far) && reference.inner[$0] }
    guard far.count >= 50 else { return nil }
    let toSRGB = RGBSpace.sRGB.fromXYZ
    let pixels = far.map { Pixel(rgb: SIMD3<Float>(toSRGB * SIMD3<Double>(picture.pixels[$0])), alpha: 1) }
    var shown = pixels
    pixels.withUnsafeBytes { input in
      shown.withUnsafeMutableBytes { output in
        OutputRendering().process(
          Pixels(input.baseAddress, count: pixels.count), into: MutablePixels(output.baseAddress, count: pixels.count))
      }
    }
    let wild = zip(far, shown).count { index, pixel in
      let (largest, least) = (Double(max(pixel.x, pixel.y, pixel.z)), Double(min(pixel.x, pixel.y, pixel.z)))
      let saturation = (largest - least) / max(largest, 1e-9)
      return saturation > 0.9 && largest * scale > 0.005 && reference.isTame[index]
    }
    return Double(wild) / Double(far.count)
  }
}
