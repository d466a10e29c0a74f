import ConstantColor
import GEGL
import GEGLOperation
import Raster

/// The true colours in the ambient light's shading.
struct AmbientLookOperation: Composer3 {
  static let name = "constant-color:ambient-look"
  static let words = Words(
    title: "Ambient Look",
    description:
      "The colours of the constant-colour picture (input) with the light and shade of the room: luminance from the "
      + "white-balanced ambient frame (aux), both under D65. Where the colours cannot be trusted (aux2), they are the ambient "
      + "frame's, too.",
    aux: ("Ambient picture", "The white-balanced ambient frame under D65"),
    aux2: ("Confidence", "The confidence of each pixel's colour, 0 to 1 (optional)")
  ).inGIMPFilters

  @Property(
    "tolerance", "The colour error (CIEDE2000) that the confidence speaks of", 3, in: 0.1...50, ui: 0.5...10, digits: 1)
  var tolerance: Double
  @Property(
    "luminance-noise",
    "Noise of the ambient picture's luminance: two numbers, variance = first · luminance + second. Empty: measured")
  var luminanceNoise: String
  @Found("found-luminance-noise", "The noise that was used")
  var foundLuminanceNoise: String

  var reach: Reach { given == nil ? .whole : .margin(AmbientLook.margin) }

  private var given: AmbientLook? {
    guard let numbers = luminanceNoise.numbers, numbers.count == 2, numbers.allSatisfy({ $0.isFinite && $0 >= 0 })
    else { return nil }
    return AmbientLook(gain: Float(numbers[0]), floor: Float(numbers[1]))
  }

  mutating func prepare(_ preparation: inout Preparation) {
    // The kernel takes sRGB primaries, whatever the inputs are tagged with.
    preparation.inputSpace = ColorSpace(named: "sRGB")
    preparation.output = ColorSpace(named: "sRGB").flatMap { try? PixelFormat("RGBA float", space: $0) }
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let colour = inputs.input else { return }
    guard let ambient = inputs.aux else {
      run.bands(area, to: output) { band, pixels in colour.read(band, into: pixels) }
      return
    }
    var look = given ?? AmbientLook(measuring: ambient, execution: run.execution)
    look.tolerance = Float(tolerance)
    foundLuminanceNoise = "\(look.noise.gain) \(look.noise.floor)"
    look.forEachTile(
      of: area, colour: colour, ambient: ambient, confidence: inputs.aux2, execution: run.execution
    ) { tile, pixels in output.write(tile, pixels.readable) }
    // A cancelled rendering is thrown away, but it must not leave rows unwritten.
    if run.execution.cancellation.isCancelled { output.clear(area) }
  }
}
