import ColorScience
import GEGL
import GEGLOperation
import ProductPicture
import Raster

/// Gives a product a background of one colour.
struct WhiteBackground: Composer {
  static let name = "constant-color:white-background"
  static let words = Words(
    title: "White Background",
    description:
      "A product before an even, light background (input), which becomes white, or another colour, all over: where it is trusted "
      + "(aux), and as far as it leads to the picture's border. The product's edge keeps its softness and gets no halo. Without "
      + "such a background nothing is done.",
    aux: ("Confidence", "How far each pixel can be trusted, 0 to 1 (optional)")
  ).inGIMPFilters

  @Property("lightness", "L* of the background under D65", 100, in: 0...100)
  var lightness: Double
  @Property("a", "a* of the background", 0, in: -128...128, ui: -10...10)
  var a: Double
  @Property("b", "b* of the background", 0, in: -128...128, ui: -10...10)
  var b: Double
  @Property("threshold", "The confidence from which background counts as such", 0.5, in: 0...1)
  var threshold: Double
  @Found(
    "found-background",
    "The part of the picture that is background, 0 to 1; 0 where none was found and nothing was done")
  var foundBackground: Double
  @Found("found-uniformity", "How uneven it was: the 5th to 95th percentile of its luminance, by the median")
  var foundUniformity: Double

  var reach: Reach { .whole }

  mutating func prepare(_ preparation: inout Preparation) {
    // The background is found, and its colour told, in sRGB primaries.
    preparation.inputSpace = ColorSpace(named: "sRGB")
    preparation.output = ColorSpace(named: "sRGB").flatMap { try? PixelFormat("RGBA float", space: $0) }
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let picture = inputs.input else { return }
    whiten(picture, inputs.aux, into: output, area: area, run: run)
  }

  private func whiten(
    _ picture: some PixelSource, _ confidence: (any PixelSource)?, into output: Sink, area: Rectangle, run: Run
  ) {
    let background = ProductBackground.find(
      in: picture, confidence: confidence, threshold: Float(threshold), execution: run.execution)
    foundBackground = background?.fraction ?? 0
    foundUniformity = background?.light.evenness.before.uniformity ?? .nan
    guard let background else {
      run.bands(area, to: output) { band, pixels in picture.read(band, into: pixels) }
      return
    }
    let white = WhitenedPicture(picture, background, color: Lab(lightness, a, b).linearSRGB)
    run.bands(area, to: output) { band, pixels in white.read(band, into: pixels) }
  }
}

extension Lab {
  /// The colour in linear sRGB primaries.
  var linearSRGB: SIMD3<Float> { SIMD3<Float>(RGBSpace.sRGB.fromXYZ * xyz().vector) }
}
