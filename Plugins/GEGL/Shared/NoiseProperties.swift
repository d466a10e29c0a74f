import ConstantColor
import GEGLOperation
import Raster

/// What the operations know of noise. Measured from the frames themselves unless given.
struct NoiseProperties: PropertyGroup {
  @Property(
    "flash-noise",
    "Noise of the flash frame: six numbers, gain of red, green, blue, then floor; variance = gain · value + floor. Empty: measured"
  )
  var flashNoise: String
  @Property("ambient-noise", "Noise of the matched ambient frame, likewise. Empty: measured")
  var ambientNoise: String
  @Property(
    "noise-correlation",
    "How much more variance means over many pixels have than if neighbours did not share their noise, as of demosaicing: three "
      + "numbers. Empty: no more")
  var noiseCorrelation: String
  @Found("found-flash-noise", "The noise of the flash frame that was used")
  var foundFlashNoise: String
  @Found("found-ambient-noise", "The noise of the matched ambient frame that was used")
  var foundAmbientNoise: String

  /// ``noiseCorrelation`` in numbers.
  var correlation: SIMD3<Float> { Self.correlation(noiseCorrelation) }

  /// The three numbers of such a property; 1 where there are not three.
  static func correlation(_ text: String) -> SIMD3<Float> {
    guard let numbers = text.numbers, numbers.count == 3 else { return SIMD3(repeating: 1) }
    return SIMD3(Float(numbers[0]), Float(numbers[1]), Float(numbers[2]))
  }

  /// Whether both are given, so that nothing needs to be measured.
  var isGiven: Bool { NoiseModel(flashNoise) != nil && NoiseModel(ambientNoise) != nil }

  /// The noise of both frames: given, or measured from them.
  func models(flash: any PixelSource, ambient: (any PixelSource)?, run: Run) -> (flash: NoiseModel, ambient: NoiseModel)
  {
    let models = (
      flash: NoiseModel(flashNoise) ?? NoiseEstimation.estimate(flash, execution: run.execution),
      ambient: NoiseModel(ambientNoise)
        ?? ambient.map { NoiseEstimation.estimate($0, execution: run.execution) } ?? .eightBitSRGB
    )
    foundFlashNoise = models.flash.text
    foundAmbientNoise = models.ambient.text
    return models
  }
}

extension NoiseModel {
  /// Reads the six numbers of a noise property; nil where there are not six, or one is below 0.
  init?(_ text: String) {
    guard let numbers = text.numbers, numbers.count == 6, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
      return nil
    }
    let floats = numbers.map { Float($0) }
    self.init(gain: SIMD3(floats[0], floats[1], floats[2]), floor: SIMD3(floats[3], floats[4], floats[5]))
  }

  /// The six numbers, exactly.
  var text: String {
    [gain.x, gain.y, gain.z, floor.x, floor.y, floor.z].map { "\($0)" }.joined(separator: " ")
  }
}
