import ConstantColor
import GEGLOperation
import Raster

/// Subtracts the ambient frame from the flash frame, in linear light.
struct SubtractAmbient: PointComposer {
  static let name = "constant-color:subtract-ambient"
  static let words = Words(
    title: "Subtract Ambient Light",
    description: "The light of the flash alone: the flash frame (input) less the ambient frame (aux), in linear light. "
      + "Values may be negative: what is left of noise; cutting it off would tint dark colours.",
    aux: ("Ambient frame", "The aligned ambient frame, in the flash frame's exposure or with exposure-ratio")
  ).inGIMPFilters

  @Property(
    "exposure-ratio", "Flash exposure divided by ambient exposure", 1, in: 1e-6...1e6, ui: 0.01...16, gamma: 2,
    digits: 3)
  var exposureRatio: Double

  func process(_ input: Pixels, _ aux: Pixels?, into output: MutablePixels, area: Rectangle) {
    AmbientSubtraction(ratio: SIMD3(repeating: Float(exposureRatio))).process(flash: input, ambient: aux, into: output)
  }
}
