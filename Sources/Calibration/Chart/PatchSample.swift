import Raster

/// What one patch of a chart measures in one picture.
public struct PatchSample: Equatable, Sendable {
  /// The patch, 0 (dark skin) to 23 (black).
  public var patch: Int
  /// The value at the middle of the patch in each channel: the mean of the pixels that are no outliers, signed.
  /// NaN without pixels.
  public var mean: SIMD3<Double>
  /// The variance of a pixel about the patch's own gradient: noise, and texture finer than a pixel grid tells.
  public var variance: SIMD3<Double>
  /// The standard error of `mean`, from the scatter of blocks of the patch: it knows that demosaicing and JPEG make
  /// the noise of neighbours alike. NaN below two blocks.
  public var standardError: SIMD3<Double>
  /// How many pixels `mean` rests on.
  public var count: Int
  /// The share of pixels at or above 1 in any channel.
  public var clippedShare: Double
  /// The share of pixels left out because they stand out (dust, scratches, glints) or are undefined.
  public var outlierShare: Double
  /// How much the value changes from one edge of the sampled part to the other (the steepest plane's span), in the
  /// unit of `mean`: the fall-off of the light, a soft shadow's edge.
  public var gradient: SIMD3<Double>
  /// The standard deviation of blocks about the plane beyond what the noise of their pixels explains, in the unit of
  /// `mean`: a hard shadow's edge, dirt, reflections. Below four standard errors it is chance.
  public var texture: SIMD3<Double>
  /// Whether all of the sampled part lies within the picture. Otherwise the values are of what does.
  public var isInside: Bool

  /// A patch without any pixel.
  init(patch: Int, isInside: Bool) {
    let unknown = SIMD3(repeating: Double.nan)
    self.patch = patch
    self.isInside = isInside
    (mean, variance, standardError, gradient, texture) = (unknown, unknown, unknown, unknown, unknown)
    (count, clippedShare, outlierShare) = (0, 0, 0)
  }
}
