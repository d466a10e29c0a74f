import Raster

/// How likely each pixel's colour is right: the probability that its error, ΔE00 between 3 × 3 means at
/// equal luminance, is within a tolerance.
///
/// What can be wrong lowers it, cause by cause (``ConfidenceTerms``): noise left after averaging, the exposure ratio,
/// misregistration, movement, what difference and estimate disagree on, edges, filled colours, the camera's transform, near
/// clipping. By how much was learned from simulated pairs (``ConfidenceNetwork``); none of them ever raises the confidence.
/// Clipping within two pixels, missing ambient data, undefined numbers, and differences that are
/// negative beyond chance (light is only ever added) give 0.
public struct Confidence: Sendable {
  /// How far the result at a pixel looks.
  public static let margin = 2

  /// The seeds of the simulated pictures that it was calibrated with.
  public static var calibrationSeeds: [UInt64] { ConfidenceModel.seeds }

  /// What the confidence is made of, in order.
  public static var termNames: [String] { ConfidenceTerms.names }

  /// The colour error that counts as right, in ΔE00.
  public var tolerance: Float = 3
  /// The exposure ratio's relative standard error.
  public var ratioUncertainty: Float = 0.01
  /// Misregistration that is left, RMS in pixels.
  public var residual: Float = 0.25
  /// What the camera's transform is usually wrong by.
  public var calibrationError = ColorErrorMap(constant: 1)
  /// Columns of the matrix from the input's channels to those of ``calibrationError``, in which white is (1, 1, 1).
  public var balance: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))
  /// The luminance of a white surface in the flash-only picture.
  public var white: Float = 0.5
  /// Which of ``termNames`` is given instead of the confidence, counted from 1; 0: the confidence.
  public var term = 0
  /// The noise of the flash frame.
  public var flashNoise: NoiseModel
  /// What resampling has left of the variance of a pixel of the ambient frame, as the estimate reckons with it; 0...1.
  public var ambientNoiseGain: Float = 1
  /// The noise of the matched ambient frame, as it would be without resampling.
  public var ambientNoise: NoiseModel
  /// Columns of the matrix from the input's channels to linear sRGB under D65.
  public var matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

  /// An error budget with the frames' noise; everything else has defaults.
  public init(flashNoise: NoiseModel, ambientNoise: NoiseModel) {
    self.flashNoise = flashNoise
    self.ambientNoise = ambientNoise
  }

  /// The luminance of a white surface in the flash-only picture, as automatic exposure meters it (``Metering``): under D65,
  /// in the frames' units.
  ///
  /// - Parameters:
  ///   - flash, ambient: the flash frame and the matched ambient frame, reduced over the same rectangle.
  ///   - matrix: see ``matrix``.
  public static func white(
    flash: Reduction, ambient: Reduction?, matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  ) -> Float {
    let light = ambient.flatMap { $0.image.bounds == flash.image.bounds ? $0.image : nil }
    var picture = Image(flash.image.bounds)
    for index in picture.pixels.indices {
      let difference = flash.image.pixels[index].rgb - (light?.pixels[index].rgb ?? .zero)
      picture.pixels[index] = Pixel(
        rgb: matrix.0 * difference.x + matrix.1 * difference.y + matrix.2 * difference.z, alpha: 1)
    }
    return Float(1 / Metering.gain(of: picture))
  }

  /// Writes one value a pixel, 0...1.
  ///
  /// - Parameters:
  ///   - rectangle: the pixels to compute; pieces give the same bits as the whole.
  ///   - flash: the flash frame.
  ///   - ambient: the matched ambient frame; nil without one.
  ///   - flashOnly: the estimate, with its quality in alpha; nil, or an alpha of 1, assumes what the estimate's
  ///     wide mean would leave of the noise.
  ///   - output: `rectangle.count` floats.
  public func process(
    _ rectangle: Rectangle, flash: some PixelSource, ambient: (any PixelSource)?, flashOnly: (any PixelSource)?,
    into output: UnsafeMutableBufferPointer<Float>, execution: Execution = .serial
  ) {
    guard !rectangle.isEmpty, output.count >= rectangle.count else { return }
    // Tiles lie on a fixed grid; three frames of one fit into a second-level cache.
    let tiles = rectangle.tiles(width: ConfidenceTile.width, height: ConfidenceTile.height)
    nonisolated(unsafe) let sources = (flash: flash, ambient: ambient, flashOnly: flashOnly)
    nonisolated(unsafe) let output = output
    execution.parallelFor(tiles.count) { turns in
      let work = ConfidenceTile(self)
      for index in turns {
        if execution.cancellation.isCancelled { return }
        work.run(
          tiles[index], of: rectangle, flash: sources.flash, ambient: sources.ambient, flashOnly: sources.flashOnly,
          into: output)
      }
    }
  }
}
