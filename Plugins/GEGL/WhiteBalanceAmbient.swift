import ColorScience
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

  @Property("red-gain", "The factor of red; 0: found from the pictures", 0, in: 0...1e6, ui: 0...8) var redGain: Double
  @Property("green-gain", "The factor of green, if that of red is given", 1, in: 0...1e6, ui: 0...8) var greenGain:
    Double
  @Property("blue-gain", "The factor of blue, if that of red is given", 1, in: 0...1e6, ui: 0...8) var blueGain: Double
  @Property(
    "noise",
    "Noise of the ambient frame: six numbers, gain of red, green, blue, then floor; variance = gain · value + floor. Empty: measured"
  )
  var noise: String
  let colour = ColourProperties()
  @Found("found-red-gain", "The factor of red") var foundRedGain: Double
  @Found("found-green-gain", "The factor of green") var foundGreenGain: Double
  @Found("found-blue-gain", "The factor of blue") var foundBlueGain: Double
  @Found("found-white-source", "What the gains rest on: trustedPixels, shadesOfGrey or none") var foundSource: String

  private var neutral = SIMD3<Float>(repeating: 1)

  var reach: Reach { redGain > 0 && NoiseModel(noise) != nil ? .margin(0) : .whole }

  mutating func prepare(_ preparation: inout Preparation) {
    let white = colour.adaptation(&preparation).matrix.inverse.map { SIMD3<Float>($0 * SIMD3<Double>(repeating: 1)) }
    if let white, white.min() > 0, white.max().isFinite { neutral = white }
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let ambient = inputs.input else { return }
    var balance = balance(ambient, inputs.aux, run)
    balance.noise = NoiseModel(noise) ?? .ofAmbient(ambient, run.execution)
    balance.neutral = neutral
    run.bands(area, to: output) { band, pixels in
      ambient.read(band, into: pixels)
      balance.process(pixels.readable, into: pixels)
    }
  }

  private func balance(_ ambient: any PixelSource, _ flashOnly: (any PixelSource)?, _ run: Run) -> AmbientWhiteBalance {
    if redGain > 0 { return AmbientWhiteBalance(gains: SIMD3(Float(redGain), Float(greenGain), Float(blueGain))) }
    let balance = AmbientWhiteBalance(ambient: ambient, flashOnly: flashOnly, execution: run.execution)
    foundRedGain = Double(balance.gains.x)
    foundGreenGain = Double(balance.gains.y)
    foundBlueGain = Double(balance.gains.z)
    foundSource = balance.source.rawValue
    return balance
  }
}

extension AmbientWhiteBalance {
  /// The gains for two pictures at full size.
  init(ambient: any PixelSource, flashOnly: (any PixelSource)?, execution: Execution) {
    self = Self.estimate(
      ambient: reduced(ambient, execution: execution),
      flashOnly: flashOnly.map { reduced($0, over: ambient.bounds, clipping: .counted, execution: execution) })
  }
}

extension NoiseModel {
  /// The noise of an ambient frame, at least that of 8-bit rounding: a dark channel without any noise was cut off.
  static func ofAmbient(_ ambient: any PixelSource, _ execution: Execution) -> NoiseModel {
    NoiseEstimation.estimate(ambient, execution: execution).atLeast(.eightBitSRGB)
  }
}
