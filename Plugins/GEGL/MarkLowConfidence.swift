import ConstantColor
import GEGLOperation
import Raster

/// Hatches the places of a picture that cannot be trusted.
struct MarkLowConfidence: PointComposer {
  static let name = "constant-color:mark-low-confidence"
  static let words = Words(
    title: "Mark Low Confidence",
    description: "The picture (input) with stripes over what the confidence (aux) says cannot be trusted",
    aux: ("Confidence", "The confidence of each pixel, 0 to 1"), keys: ["position-dependent": "true"])

  @Property("threshold", "The confidence below which a pixel is marked", 0.8, in: 0...1)
  var threshold: Double

  func process(_ input: Pixels, _ aux: Pixels?, into output: MutablePixels, area: Rectangle) {
    let threshold = Float(threshold)
    let mark = SIMD3<Float>(0.9, 0.05, 0.6)
    for index in 0..<output.count {
      let pixel = input[index]
      let isStripe = (area.x + index % max(1, area.width) + area.y + index / max(1, area.width)) & 15 < 5
      // Not a number is never above the threshold, and so is marked.
      let isTrusted = aux.map { $0[index].x >= threshold } ?? true
      output[index] = isStripe && !isTrusted ? Pixel(rgb: mark * 0.7 + pixel.rgb * 0.3, alpha: pixel.w) : pixel
    }
  }
}
