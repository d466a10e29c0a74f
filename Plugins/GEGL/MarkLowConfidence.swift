import ConstantColor
import GEGLOperation
import Raster

/// Hatches the places of a picture that cannot be trusted.
struct MarkLowConfidence: Composer {
  static let name = "constant-color:mark-low-confidence"
  static let words = Words(
    title: "Mark Low Confidence",
    description:
      "The picture (input) with hatching over what the confidence (aux) says cannot be trusted: a dark blue line beside a "
      + "yellow one, which every kind of colour vision tells from any picture",
    aux: ("Confidence", "The confidence of each pixel, 0 to 1"), keys: ["position-dependent": "true"]
  ).inGIMPFilters

  @Property(
    "threshold", "The confidence below which a pixel is marked; at 0.5 a colour is as likely wrong as right", 0.5,
    in: 0...1, digits: 2)
  var threshold: Double

  var reach: Reach { .margin(0) }

  /// Pairs of lines along the longer side: as many in a small picture and in a large one shown small.
  private static let lines = 60
  /// How much of the picture the lines leave where they are.
  private static let clearness: Float = 0.12

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let picture = inputs.input else { return }
    let threshold = Float(threshold)
    let bounds = picture.bounds
    let period = min(max(8, max(bounds.width, bounds.height) / Self.lines / 8 * 8), 512)
    // Linear light: dark and light, blue and yellow.
    let (dark, light) = (SIMD3<Float>(0, 0.01, 0.1), SIMD3<Float>(1, 0.8, 0.1))
    run.bands(area, to: output) { band, pixels in
      picture.read(band, into: pixels)
      guard let confidence = inputs.aux else { return }
      let map = confidence.image(band)
      for row in 0..<band.height {
        for column in 0..<band.width {
          let index = row * band.width + column
          // Not a number is never above the threshold, and so is marked.
          guard !(map.pixels[index].x >= threshold) else { continue }
          let place = band.x - bounds.x + column + band.y - bounds.y + row
          let phase = place % period * 8 / period
          guard phase < 2 else { continue }
          let pixel = pixels[index]
          pixels[index] = Pixel(
            rgb: pixel.rgb * Self.clearness + (phase == 0 ? dark : light) * (1 - Self.clearness), alpha: pixel.w)
        }
      }
    }
  }
}
