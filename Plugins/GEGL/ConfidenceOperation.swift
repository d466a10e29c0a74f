import ColorScience
import ConstantColor
import GEGL
import GEGLOperation
import Raster

/// How far each pixel's colour can be trusted.
struct ConfidenceOperation: Composer3 {
  static let name = "constant-color:confidence"
  static let words = Words(
    title: "Color Confidence",
    description:
      "The probability that a pixel's colour is right within the tolerance, from noise, alignment, exposure, "
      + "clipping and movement: one channel, 0 to 1. Input is the flash frame, aux the matched ambient frame, aux2 the "
      + "flash-only picture.",
    aux: ("Matched ambient frame", "The aligned ambient frame in the flash frame's exposure"),
    aux2: ("Flash-only picture", "The estimate, with its quality in alpha (optional)")
  ).inGIMPFilters

  let accuracy = ToleranceProperties()
  @Property(
    "residual", "What alignment has left: root mean square, in pixels", 0.25, in: 0...100, ui: 0...4, digits: 2,
    unit: "pixel-distance")
  var residual: Double
  @Property(
    "ratio-uncertainty", "The relative standard error of the exposure ratio", 0.01, in: 0...10, ui: 0...0.2, digits: 3)
  var ratioUncertainty: Double
  @Property(
    "white", "The luminance of a white surface in the flash-only picture; 0: as automatic exposure meters it", 0,
    in: 0...1e6, ui: 0...1)
  var white: Double
  @Property(
    "ambient-noise-gain",
    "What resampling has left of the variance of the ambient frame's noise, where that is told as it was before", 1,
    in: 0.01...1)
  var ambientNoiseGain: Double
  @Property(
    "term", "What the confidence is made of, for its calibration: the number of one such map; 0: the confidence", 0,
    in: 0...Confidence.termNames.count)
  var term: Int
  let colour = ColourProperties()
  let noise = NoiseProperties()

  private var matrix = Matrix3.identity
  private var expectedError = ColorErrorMap(constant: 1)
  private var balance = Matrix3.identity

  /// What camera matrices are usually wrong by (ΔE00), and a developed picture under a flash of about its white.
  private static let uncalibratedError = (camera: 4.0, encoded: 3.0)

  var reach: Reach { noise.isGiven && white > 0 ? .margin(Confidence.margin) : .whole }

  mutating func prepare(_ preparation: inout Preparation) {
    matrix = colour.adaptation(&preparation).matrix
    let usual = colour.inputColour == .camera ? Self.uncalibratedError.camera : Self.uncalibratedError.encoded
    (expectedError, balance) = (ColorErrorMap(constant: Float(usual)), .identity)
    if accuracy.calibrationError > 0 {
      expectedError = ColorErrorMap(constant: Float(accuracy.calibrationError))
    } else if let known = colour.profileError(from: preparation.space) {
      (expectedError, balance) = known
    }
    preparation.output = try? PixelFormat("Y float", space: preparation.space)
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let flash = inputs.input, let ambient = inputs.aux else {
      // Without an ambient frame nothing is known.
      output.clear(area)
      return
    }
    let noise = noise.models(flash: flash, ambient: ambient, run: run)
    var confidence = Confidence(flashNoise: noise.flash, ambientNoise: noise.ambient)
    confidence.term = term
    confidence.ambientNoiseGain = Float(ambientNoiseGain)
    confidence.tolerance = Float(accuracy.tolerance)
    confidence.calibrationError = expectedError
    confidence.balance = balance.floatColumns
    confidence.residual = Float(residual)
    confidence.ratioUncertainty = Float(ratioUncertainty)
    confidence.matrix = matrix.floatColumns
    confidence.white =
      white > 0
      ? Float(white)
      : Confidence.white(
        flash: reduced(flash, execution: run.execution),
        ambient: reduced(ambient, over: flash.bounds, execution: run.execution), matrix: matrix.floatColumns)
    run.sampleBands(area, to: output) { band, values in
      confidence.process(band, flash: flash, ambient: ambient, flashOnly: inputs.aux2, into: values)
    }
  }
}

extension Matrix3 {
  /// The columns, as kernels take them.
  var floatColumns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) {
    let (first, second, third) = columns
    return (SIMD3<Float>(first), SIMD3<Float>(second), SIMD3<Float>(third))
  }
}
