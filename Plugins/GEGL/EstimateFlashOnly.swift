import ColorScience
import ConstantColor
import GEGLOperation
import Raster

/// Turns the signed difference into a clean picture of the flash's light.
struct EstimateFlashOnly: Composer3 {
  static let name = "constant-color:estimate-flash-only"
  static let words = Words(
    title: "Estimate Flash-Only Picture",
    description:
      "A clean picture of the scene lit by the flash alone from the signed difference (input): noise is averaged "
      + "away over what the flash frame (aux) shows as one surface, highlights stay white, and where the flash did not reach, "
      + "the ambient frame (aux2) fills in, in the flash's colours.",
    categories: ["color", "enhance"],
    aux: ("Flash frame", "The flash frame"),
    aux2: ("Matched ambient frame", "The aligned ambient frame in the flash frame's exposure")
  ).inGIMPFilters

  let colour = ColourProperties()
  let noise = NoiseProperties()
  @Property("quality-in-alpha", "Alpha tells how well each pixel was measured: 1 measured, 1/256 filled in", false)
  var qualityInAlpha: Bool

  @Property(
    "ratio-uncertainty", "The relative standard error of the exposure ratio", 0.01, in: 0...10, ui: 0...0.2, digits: 3)
  var ratioUncertainty: Double

  @Property(
    "subtract", "Input is the flash frame, and the ambient frame is subtracted here, without a difference in memory",
    false)
  var subtract: Bool
  @Property(
    "matching",
    "What brings the ambient frame to the flash frame's exposure: the ratios of red, green and blue, then the flicker as "
      + "found-flicker tells it; empty: nothing, it is matched", "")
  var matching: String

  @Found("found-white", "The luminance of a white surface in the flash-only picture, as automatic exposure meters it")
  var foundWhite: Double

  private var flashWhite: SIMD3<Float>?
  private var matrix = Matrix3.identity

  var reach: Reach { .whole }

  mutating func prepare(_ preparation: inout Preparation) {
    let adaptation = colour.adaptation(&preparation)
    matrix = adaptation.matrix
    flashWhite = adaptation.matrix.inverse.map { SIMD3<Float>($0 * SIMD3<Double>(repeating: 1)) }
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let input = inputs.input else { return }
    guard let flash = subtract ? input : inputs.aux else {
      run.bands(area, to: output) { band, pixels in input.read(band, into: pixels) }
      return
    }
    let bounds = input.bounds
    let ambient = inputs.aux2.map { frame in
      ExposureRatio(matching).map { MatchedFrame(frame, ExposureMatching($0, over: bounds)) } ?? frame
    }
    let difference = subtract ? nil : input
    let light: any PixelSource = subtract ? FrameDifference(flash: flash, ambient: ambient) : input
    let correlation = noise.correlation
    let noise = noise.models(flash: flash, ambient: ambient, run: run)
    let smallFlash = reduced(flash, over: bounds, execution: run.execution)
    let smallAmbient = ambient.map { reduced($0, over: bounds, execution: run.execution) }
    foundWhite = Double(Confidence.white(flash: smallFlash, ambient: smallAmbient, matrix: matrix.floatColumns))
    let estimate = FlashOnlyEstimate(
      difference: reduced(light, over: bounds, clipping: .counted, execution: run.execution),
      flash: smallFlash, ambient: smallAmbient,
      flashNoise: noise.flash, ambientNoise: noise.ambient,
      noiseCorrelation: correlation, ratioUncertainty: Float(ratioUncertainty), flashWhite: flashWhite)
    estimate.forEachTile(
      of: area, difference: difference, flash: flash, ambient: ambient, execution: run.execution
    ) { tile, pixels in
      if !qualityInAlpha {
        for index in 0..<pixels.count { pixels[index].w = 1 }
        pixels.take(transparencyOf: flash.image(tile).pixels)
      }
      output.write(tile, pixels.readable)
    }
    // A cancelled rendering is thrown away, but it must not leave rows unwritten.
    if run.execution.cancellation.isCancelled { output.clear(area) }
  }
}
