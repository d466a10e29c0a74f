import Raster

/// The automatic exposure: one gain for the whole picture, metered where its colours can be trusted.
///
/// The rule, for a picture in linear light:
/// 1. Each pixel counts by its confidence. Where the flash was drowned the picture is filled in, and a window or a lamp
///    would decide the exposure of a subject it does not light.
/// 2. The *peak* is the brightest 0.5 % point (of each pixel's largest channel). What is more than five stops darker
///    is dark background: it says nothing about exposure, and is left out, so that a ring on black velvet is
///    exposed for the ring.
/// 3. The brightest 1 % point of what is left goes to 0.85 of white, just under the knee of
///    ``HighlightRollOff``: whites stay below the roll-off with their texture, also the white of a small chart, and
///    what lies above is glare. A mean would make a white product grey and a black one washed out, which is the
///    complaint about flash pictures; a maximum would follow one spark.
/// 4. The gain stays within five stops up. What is darker than that is a picture the flash did not reach: it may
///    look dark, rather than be noise made bright.
///
/// The largest channel is metered, not luminance, so that a saturated red keeps its red from clipping.
public enum Metering {
  /// Where the metered highlight goes, as a fraction of white.
  public static let target = 0.85
  /// The fraction of the metered area that is darker than the metered highlight.
  public static let percentile = 0.99
  /// The fraction of the whole picture that is darker than the peak.
  public static let peakPercentile = 0.995
  /// How much darker than the peak the dark background begins: five stops.
  public static let backgroundRatio = 1.0 / 32
  /// The gains that metering gives.
  public static let gains = (1.0 / 65536)...32

  /// The gain of the automatic exposure.
  ///
  /// - Parameters:
  ///   - picture: linear light under D65 (linear sRGB primaries), reduced to about a megapixel or less: a reduction
  ///     averages sparks and noise away. NaN, infinite and negative values count as no light.
  ///   - confidence: 0...1 in the first channel, of the same size, or nil for equal weights. NaN counts as 0; a
  ///     map of another size is ignored. With no confidence anywhere the whole picture is metered.
  /// - Returns: a factor within ``gains``; 1 for a picture without light.
  public static func gain(of picture: Image, confidence: Image? = nil) -> Double {
    var histogram = Histogram()
    let size = (picture.bounds.width, picture.bounds.height)
    if let confidence, (confidence.bounds.width, confidence.bounds.height) == size {
      for (pixel, weight) in zip(picture.pixels, confidence.pixels) { histogram.add(pixel.rgb.max(), weight.x) }
    } else {
      for pixel in picture.pixels { histogram.add(pixel.rgb.max(), 1) }
    }
    var peak = histogram.percentile(peakPercentile, from: 0)
    if peak <= 0 { peak = histogram.percentile(peakPercentile, from: .leastNonzeroMagnitude) }
    guard peak > 0 else { return 1 }
    let highlight = histogram.percentile(percentile, from: peak * backgroundRatio)
    guard highlight > 0 else { return 1 }
    return min(max(target / highlight, gains.lowerBound), gains.upperBound)
  }
}

/// Weighted counts of values in steps of 1/128 octave, over the whole range of floats.
///
/// Weights are whole numbers, so that their sums are exact. A bin remembers the mean of its values: an area of one
/// value is metered exactly.
private struct Histogram {
  // The upper half of a positive float's bits: exponent and seven bits of mantissa.
  private var weights = [UInt64](repeating: 0, count: 1 << 15)
  private var sums = [Double](repeating: 0, count: 1 << 15)

  mutating func add(_ value: Float, _ confidence: Float) {
    // Everybody has a thousandth of a say: with no confidence at all the whole picture is metered, and
    // no threshold makes the exposure jump.
    let confidence = confidence > 0.001 ? min(confidence, 1) : 0.001
    let weight = UInt64(confidence * 1_048_576)
    let light = value > 0 && value.isFinite ? value : 0
    let bin = Int(light.bitPattern >> 16)
    weights[bin] += weight
    sums[bin] += Double(weight) * Double(light)
  }

  /// The value below which the given fraction of the weight lies, of values in the bin of `least` and above.
  func percentile(_ fraction: Double, from least: Double) -> Double {
    let first = Int(Float(least).bitPattern >> 16)
    let bins = (least > 0 ? max(first, 1) : 0)..<weights.count
    let total = bins.reduce(UInt64(0)) { $0 + weights[$1] }
    guard total > 0 else { return 0 }
    let wanted = fraction * Double(total)
    var below: UInt64 = 0
    for bin in bins where weights[bin] > 0 {
      below += weights[bin]
      if Double(below) >= wanted { return sums[bin] / Double(weights[bin]) }
    }
    return 0
  }
}
