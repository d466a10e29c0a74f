import ConstantColor
import GEGL
import GEGLOperation
import Raster

/// Renders the flash's light as D65.
struct AdaptToD65: PointFilter {
  static let name = "constant-color:adapt-to-d65"
  static let words = Words(
    title: "Adapt to D65",
    description:
      "The flash-only picture (input) as the scene would look under D65 instead of the flash: linear, sRGB primaries, "
      + "nothing cut off"
  ).inGIMPFilters

  let colour = ColourProperties()

  private var adaptation = D65Adaptation.identity

  mutating func prepare(_ preparation: inout Preparation) {
    adaptation = colour.adaptation(&preparation)
    preparation.output = ColorSpace(named: "sRGB").flatMap { try? PixelFormat("RGBA float", space: $0) }
  }

  func process(_ input: Pixels, into output: MutablePixels, area: Rectangle) { adaptation.process(input, into: output) }
}
