import ColorScience
import ConstantColor
import GEGLOperation
import Raster

/// The fallback picture: the ambient frame, white-balanced by what the pair reveals of its light.
struct WhiteBalanceAmbient: Composer3 {
  static let name = "constant-color:white-balance-ambient"
  static let words = Words(
    title: "White-Balance Ambient Frame",
    description:
      "The ambient frame (input) in the colours of the flash's light: surfaces that both lights lit, as the flash-only "
      + "picture (aux) and the matched ambient frame (aux2) have them, show what the ambient light is, place by place. "
      + "Without any, its brightest surfaces are taken as grey.",
    aux: ("Flash-only picture", "The flash-only picture: estimate, best with its quality in alpha, or difference"),
    aux2: ("Matched ambient frame", "The ambient frame in the flash frame's exposure (optional)")
  ).inGIMPFilters

  @Property("red-gain", "The factor of red; 0: found from the pictures", 0, in: 0...1e6, ui: 0...8, digits: 3)
  var redGain: Double
  @Property("green-gain", "The factor of green, if that of red is given", 1, in: 0...1e6, ui: 0...8, digits: 3)
  var greenGain: Double
  @Property("blue-gain", "The factor of blue, if that of red is given", 1, in: 0...1e6, ui: 0...8, digits: 3)
  var blueGain: Double
  @Property(
    "noise",
    "Noise of the ambient frame: six numbers, gain of red, green, blue, then floor; variance = gain · value + floor. Empty: measured"
  )
  var noise: String
  let colour = ColourProperties()
  @Found("found-red-gain", "The factor of red, in the mean over the picture") var foundRedGain: Double
  @Found("found-green-gain", "The factor of green, likewise") var foundGreenGain: Double
  @Found("found-blue-gain", "The factor of blue, likewise") var foundBlueGain: Double
  @Found("found-method", "How the gains were found: pair, shadesOfGrey, given or none") var foundMethod: String

  private var neutral = SIMD3<Float>(repeating: 1)

  var reach: Reach { redGain > 0 && NoiseModel(noise) != nil ? .margin(0) : .whole }

  mutating func prepare(_ preparation: inout Preparation) {
    let white = colour.adaptation(&preparation).matrix.inverse.map { SIMD3<Float>($0 * SIMD3<Double>(repeating: 1)) }
    if let white, white.min() > 0, white.max().isFinite { neutral = white }
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let ambient = inputs.input else { return }
    let noise = NoiseModel(noise) ?? .ofAmbient(ambient, run.execution)
    var balance: AmbientWhiteBalance
    if redGain > 0 {
      balance = AmbientWhiteBalance(gains: SIMD3(Float(redGain), Float(greenGain), Float(blueGain)))
      (balance.noise, balance.neutral) = (noise, neutral)
    } else {
      balance = AmbientWhiteBalance(
        ambient: ambient, flashOnly: inputs.aux, matched: inputs.aux2, noise: noise,
        error: colour.inputColour.matchError, neutral: neutral, execution: run.execution)
    }
    foundRedGain = Double(balance.gains.x)
    foundGreenGain = Double(balance.gains.y)
    foundBlueGain = Double(balance.gains.z)
    foundMethod = balance.method.rawValue
    run.bands(area, to: output) { band, pixels in
      ambient.read(band, into: pixels)
      balance.process(band, pixels.readable, into: pixels)
    }
  }
}

extension AmbientWhiteBalance {
  /// The gains for pictures at full size.
  init(
    ambient: any PixelSource, flashOnly: (any PixelSource)?, matched: (any PixelSource)?, noise: NoiseModel,
    error: Float, neutral: SIMD3<Float>, execution: Execution
  ) {
    let bounds = ambient.bounds
    func small(_ source: any PixelSource, _ clipping: Reduction.Clipping) -> Reduction {
      reduced(source, over: bounds, toAtMost: Self.mostCells, clipping: clipping, execution: execution)
    }
    self = Self.estimate(
      ambient: small(ambient, .voids), flashOnly: flashOnly.map { small($0, .counted) },
      matched: matched.map { small($0, .voids) }, noise: noise,
      error: error, neutral: neutral)
  }
}

extension NoiseModel {
  /// The noise of an ambient frame, at least that of 8-bit rounding: a dark channel without any noise was cut off.
  static func ofAmbient(_ ambient: any PixelSource, _ execution: Execution) -> NoiseModel {
    NoiseEstimation.estimate(ambient, execution: execution).atLeast(.eightBitSRGB)
  }
}
