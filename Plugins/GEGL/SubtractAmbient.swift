import ConstantColor
import GEGLOperation
import Raster

/// Subtracts the ambient frame from the flash frame, in linear light.
public struct SubtractAmbient: PointComposer {
  public static let name = "constant-color:subtract-ambient"
  public static let words = Words(
    title: "Subtract Ambient",
    description: "The light of the flash alone: the flash frame (input) less the ambient frame (aux)")

  @Property("exposure-ratio", "Flash exposure divided by ambient exposure", 1.0, in: 1e-6...1e6, ui: 0.01...100)
  var exposureRatio: Double

  public init() {}

  public func process(_ input: Pixels, _ aux: Pixels?, into output: MutablePixels, area: Rectangle) {
    let r = Float(exposureRatio)
    for i in 0..<output.count {
      let f = input[i]
      guard let aux else { output[i] = f; continue }
      let a = aux[i]
      output[i] = Pixel(rgb: f.rgb - r * a.rgb, alpha: a.w)
    }
  }
}
