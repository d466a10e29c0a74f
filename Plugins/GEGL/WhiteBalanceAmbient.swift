import ConstantColor
import GEGLOperation
import Raster

/// The fallback picture: the ambient frame, white-balanced by what the pair reveals of its light.
struct WhiteBalanceAmbient: Composer {
  static let name = "constant-color:white-balance-ambient"
  static let words = Words(
    title: "White-Balance Ambient Frame",
    description:
      "The ambient frame (input) in the colours of the flash's light: surfaces that both lights lit show what the "
      + "ambient light is. Without any, its brightest surfaces are taken as grey.",
    aux: ("Flash-only picture", "The flash-only picture: estimate or difference"))

  @Found("found-red-gain", "The factor of red") var foundRedGain: Double
  @Found("found-green-gain", "The factor of green") var foundGreenGain: Double
  @Found("found-blue-gain", "The factor of blue") var foundBlueGain: Double
  @Found("found-white-source", "What the gains rest on: trustedPixels, shadesOfGrey or none") var foundSource: String

  var reach: Reach { .whole }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let ambient = inputs.input else { return }
    let balance = AmbientWhiteBalance.estimate(
      ambient: reduced(ambient, execution: run.execution),
      flashOnly: inputs.aux.map { reduced($0, over: ambient.bounds, clipping: .counted, execution: run.execution) })
    foundRedGain = Double(balance.gains.x)
    foundGreenGain = Double(balance.gains.y)
    foundBlueGain = Double(balance.gains.z)
    foundSource = balance.source.rawValue
    run.bands(area, to: output) { band, pixels in
      ambient.read(band, into: pixels)
      balance.process(pixels.readable, into: pixels)
    }
  }
}
