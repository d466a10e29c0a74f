import Glibc
import Raster

/// The flash-only picture, estimated from the signed difference: denoised, safe at highlights, and filled
/// where the difference says nothing.
///
/// Prepared once for a frame from reduced pictures, then run on any rectangle. Three ideas:
///
/// - *Similarity that knows its noise.* Pixels are averaged if the flash frame shows them alike within their
///   noise. The ambient frame is never the guide: its shadows are absent from the result.
///   Brightness is averaged narrowly, colour widely (``EdgeAvoidingFilter``).
/// - *Precision-weighted fill.* The ambient frame, turned into flash colours by gains from what the flash lit (``GainMap``)
///   and by what they leave of surfaces' colours (``SurfaceCorrection``), is a second measurement. Both are weighed by
///   their variance, so the result changes over without a seam.
/// - *Highlights.* What the flash frame clipped stays bright and turns to the flash's white.
///
/// Values stay signed. The result's alpha is its quality: q = s²/(s² + 9), where s is the signal-to-noise ratio
/// of the colour after averaging; 1/256 where the colour is filled or clipped. Finer digits tell whether both frames agree on
/// the colour, and from how near it was filled (``EstimateQuality``).
public struct FlashOnlyEstimate: Sendable {
  /// How far the result at a pixel looks, in pixels.
  public static let margin = 32

  /// The noise of the flash frame.
  public let flashNoise: NoiseModel
  /// The noise of the matched ambient frame, that is, after the exposure ratio.
  public let ambientNoise: NoiseModel
  /// How much more variance the mean over many pixels has than if the noise of neighbours were independent, for each channel:
  /// demosaicing makes three pixels of red and blue out of none.
  public let noiseCorrelation: SIMD3<Float>
  /// The flash light's colour in the input's channels, its largest channel 1.
  public let flashWhite: SIMD3<Float>
  /// The relative standard error of the exposure ratio, at least half a per cent.
  public let ratioUncertainty: Float
  let gains: GainMap

  /// Finds what holds for the whole frame.
  ///
  /// - Parameters:
  ///   - difference: the signed difference, reduced with ``Reduction/Clipping/counted``.
  ///   - flash: the flash frame, reduced over the same rectangle with ``Reduction/Clipping/voids``.
  ///   - ambient: the matched ambient frame, likewise; nil without one.
  ///   - flashNoise, ambientNoise: of the full-size frames (``NoiseEstimation``).
  ///   - noiseCorrelation: see the property; values below 1 count as 1.
  ///   - ratioUncertainty: the relative standard error of the exposure ratio, 0...1.
  ///   - flashWhite: the flash's colour in the input's channels; nil estimates it from the brightest
  ///     flash-only surfaces (shades of grey, p = 6).
  public init(
    difference: Reduction, flash: Reduction, ambient: Reduction?, flashNoise: NoiseModel, ambientNoise: NoiseModel,
    noiseCorrelation: SIMD3<Float> = SIMD3(repeating: 1), ratioUncertainty: Float = 0.005,
    flashWhite: SIMD3<Float>? = nil
  ) {
    self.flashNoise = flashNoise
    let isUsable = noiseCorrelation.isFinite && noiseCorrelation.max() < 100
    self.noiseCorrelation = isUsable ? pointwiseMax(noiseCorrelation, SIMD3(repeating: 1)) : SIMD3(repeating: 1)
    // Neither metadata nor pictures tell a ratio better than this; NaN counts as that, too.
    self.ratioUncertainty = ratioUncertainty > 0.005 ? min(ratioUncertainty, 1) : 0.005
    self.ambientNoise = ambientNoise
    let bounds = flash.image.bounds
    let isComplete = difference.image.bounds == bounds && ambient.map { $0.image.bounds == bounds } ?? true
    let area = Float(flash.factor * flash.factor)
    func sample(_ x: Int, _ y: Int) -> GainMap.Sample? {
      let (d, f) = (difference.image[x, y], flash.image[x, y])
      let a = ambient?.image[x, y] ?? Pixel(repeating: 1)
      guard f.w > 0, a.w > 0, d.rgb.isFinite, f.rgb.isFinite, a.rgb.isFinite else { return nil }
      let light = ambient == nil ? SIMD3<Float>.zero : a.rgb
      let variance = (flashNoise.variance(f.rgb) + ambientNoise.variance(light)) / area
      return GainMap.Sample(difference: d.rgb, flash: f.rgb, ambient: light, variance: variance)
    }
    let given = flashWhite.flatMap { $0.isFinite && $0.min() > 0 ? $0 : nil }
    guard isComplete, !bounds.isEmpty else {
      gains = GainMap()
      self.flashWhite = given.map { $0 / $0.max() } ?? SIMD3(repeating: 1)
      return
    }
    var trusted: [SIMD3<Float>] = []
    if given == nil {
      for y in 0..<bounds.height {
        for x in 0..<bounds.width {
          guard let sample = sample(x, y), sample.isLit(ratioUncertainty: self.ratioUncertainty) else { continue }
          trusted.append(sample.difference)
        }
      }
    }
    let white = (given ?? shadesOfGrey(trusted)).map { $0 / $0.max() } ?? SIMD3(repeating: 1)
    self.flashWhite = white
    gains =
      ambient == nil
      ? GainMap()
      : GainMap(
        width: bounds.width, height: bounds.height, rectangle: flash.rectangle, white: white,
        ambientNoise: ambientNoise, ratioUncertainty: self.ratioUncertainty, sample: sample)
  }

  /// Writes the estimate.
  ///
  /// - Parameters:
  ///   - rectangle: the pixels to compute; pieces give the same bits as the whole.
  ///   - difference: the signed difference; alpha 0 = no ambient data. nil: that of the two frames.
  ///   - flash: the flash frame.
  ///   - ambient: the matched ambient frame; nil without one.
  ///   - output: `rectangle.count` pixels, row after row.
  public func process(
    _ rectangle: Rectangle, difference: (any PixelSource)?, flash: some PixelSource, ambient: (any PixelSource)?,
    into output: MutablePixels, execution: Execution = .serial
  ) {
    guard output.count >= rectangle.count else { return }
    nonisolated(unsafe) let output = output
    forEachTile(of: rectangle, difference: difference, flash: flash, ambient: ambient, execution: execution) {
      output.take($1, of: $0, in: rectangle)
    }
  }

  /// Computes the estimate tile by tile, possibly several at the same time, and hands each to `body`: where it lies, and
  /// its pixels, row after row. Otherwise like ``process(_:difference:flash:ambient:into:execution:)``; after a
  /// cancellation tiles are left out.
  public func forEachTile(
    of rectangle: Rectangle, difference: (any PixelSource)?, flash: some PixelSource, ambient: (any PixelSource)?,
    execution: Execution = .serial, _ body: (Rectangle, MutablePixels) -> Void
  ) {
    nonisolated(unsafe) let sources = (difference: difference, flash: flash, ambient: ambient)
    execution.forEachTile(
      of: rectangle, width: FlashOnlyTile.width, height: FlashOnlyTile.height,
      make: { FlashOnlyTile(self, of: rectangle) },
      run: { work, tile, pixels in
        work.run(
          tile, difference: sources.difference, flash: sources.flash, ambient: sources.ambient, into: pixels)
      }, body)
  }
}

/// The mean colour of a scene in the p-norm, p = 6, largest channel 1 (Finlayson and Trezzi, "Shades of gray and
/// colour constancy", CIC 12, 2004); nil without light.
func shadesOfGrey(_ colours: [SIMD3<Float>]) -> SIMD3<Float>? {
  var sum = SIMD3<Double>.zero
  for colour in colours {
    let light = SIMD3<Double>(pointwiseMax(colour, .zero))
    let square = light * light
    sum += square * square * square
  }
  guard sum.min() > 0, sum.max().isFinite else { return nil }
  let root = SIMD3(sum.x.sixthRoot, sum.y.sixthRoot, sum.z.sixthRoot)
  return SIMD3<Float>(root / root.max())
}

extension Double {
  fileprivate var sixthRoot: Double { cbrt(squareRoot()) }
}
