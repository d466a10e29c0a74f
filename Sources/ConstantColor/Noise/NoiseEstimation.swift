import Raster

/// The noise model of a frame, from the frame itself.
///
/// Blocks of 16 × 16 pixels are filtered with the Laplacian difference of Immerkær ("Fast noise variance
/// estimation", 1996), which a linear slope does not pass. The quietest blocks of each brightness
/// are smooth surfaces, where all that is left is noise: a lower quantile of each brightness gives
/// one point of the line variance = gain · value + floor.
///
/// The noise of demosaiced, resampled or JPEG pictures is smoothed; what counts after averaging is its
/// low-frequency part. So blocks are also measured after a mean of 2 × 2 pixels, and the
/// larger of both (as white noise) is taken.
public enum NoiseEstimation {
  private static let block = 32
  private static let levels = 24

  /// The model of the whole frame; at most about 1.5 megapixels, spread evenly, are read at full size.
  /// Frames without enough smooth area give the model of 8-bit rounding.
  public static func estimate(_ source: some PixelSource, execution: Execution = .serial) -> NoiseModel {
    let bounds = source.bounds
    guard Reduction.factor(for: bounds, toAtMost: 1) != nil, bounds.width >= 8, bounds.height >= 8 else {
      return .eightBitSRGB
    }
    let side = block
    let columns = max(1, bounds.width / side)
    let rows = max(1, bounds.height / side)
    let step = max(1, Int((Double(columns) * Double(rows) / 1500).squareRoot().rounded(.up)))
    let places = stride(from: 0, to: rows, by: step).flatMap { row in
      stride(from: 0, to: columns, by: step).map { (column: $0, row: row) }
    }
    nonisolated(unsafe) let source = source
    let readings = execution.map(places.count, placeholder: [Reading]()) { index in
      let place = places[index]
      let area = Rectangle(
        x: bounds.x + place.column * side, y: bounds.y + place.row * side, width: side, height: side)
      return read(source.image(area.intersection(bounds)))
    }
    return fit(readings.flatMap { $0 })
  }

  /// One block: its mean and its noise variance, for each channel.
  struct Reading {
    var level: SIMD3<Float>
    var variance: SIMD3<Float>
  }

  private static func read(_ image: Image) -> [Reading] {
    let half = block / 2
    var readings: [Reading] = []
    for top in [0, half] {
      for left in [0, half] {
        let area = Rectangle(x: image.bounds.x + left, y: image.bounds.y + top, width: half, height: half)
        guard area.intersection(image.bounds) == area, let reading = reading(image, area) else { continue }
        readings.append(reading)
      }
    }
    return readings
  }

  /// Mean |Laplacian difference| of Gaussian noise is 6 σ √(2/π); twice as coarse, σ is half as large.
  private static func reading(_ image: Image, _ area: Rectangle) -> Reading? {
    var sum = Pixel.zero
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX {
        let pixel = image[x, y]
        // Near clipping the noise is cut off; without trust there is none; NaN fails both.
        guard pixel.rgb.max() < 0.95, pixel.rgb.min() > -1, pixel.w > 0 else { return nil }
        sum += pixel
      }
    }
    let level = sum.rgb / Float(area.count)
    let fine = deviation(width: area.width, height: area.height) { image[area.x + $0, area.y + $1].rgb }
    let coarse = deviation(width: area.width / 2, height: area.height / 2) { x, y in
      let (x, y) = (area.x + 2 * x, area.y + 2 * y)
      return (image[x, y].rgb + image[x + 1, y].rgb + image[x, y + 1].rgb + image[x + 1, y + 1].rgb) * 0.5
    }
    let deviation = pointwiseMax(fine, coarse * 0.9)
    return Reading(level: level, variance: deviation * deviation)
  }

  private static func deviation(width: Int, height: Int, _ value: (Int, Int) -> SIMD3<Float>) -> SIMD3<Float> {
    var sum = SIMD3<Float>.zero
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        let corners = value(x - 1, y - 1) + value(x + 1, y - 1) + value(x - 1, y + 1) + value(x + 1, y + 1)
        let edges = value(x, y - 1) + value(x, y + 1) + value(x - 1, y) + value(x + 1, y)
        let laplacian = corners - edges * 2 + value(x, y) * 4
        sum += pointwiseMax(laplacian, -laplacian)
      }
    }
    return sum * (1.2533 / 6 / Float((width - 2) * (height - 2)))
  }

  /// The line through the lower quantiles, one channel after the other.
  static func fit(_ readings: [Reading]) -> NoiseModel {
    var gain = SIMD3<Float>.zero
    var floor = SIMD3<Float>.zero
    for channel in 0..<3 {
      let points = envelope(readings.map { ($0.level[channel], $0.variance[channel]) })
      guard !points.isEmpty else {
        gain[channel] = NoiseModel.eightBitSRGB.gain[channel]
        floor[channel] = NoiseModel.eightBitSRGB.floor[channel]
        continue
      }
      let line = line(points)
      gain[channel] = Float(line.slope)
      floor[channel] = Float(line.intercept)
    }
    return NoiseModel(gain: gain, floor: floor)
  }

  private typealias Point = (level: Double, variance: Double, weight: Double)

  /// The lower quantile of each brightness; brightness steps are equal in the square root, where shot noise is even.
  private static func envelope(_ values: [(Float, Float)]) -> [Point] {
    var bins = [[(Float, Float)]](repeating: [], count: levels)
    for value in values where value.0.isFinite && value.1.isFinite {
      let bin = Double(max(0, min(value.0, 1)).squareRoot()) * Double(levels)
      bins[min(levels - 1, Int(bin))].append(value)
    }
    return bins.compactMap { bin in
      guard bin.count >= 6 else { return nil }
      let variances = bin.map(\.1).sorted()
      let level = bin.reduce(0.0) { $0 + Double(max(0, $1.0)) } / Double(bin.count)
      // A block's own estimate scatters by some 12 %; its lower sixth lies that much too low.
      return (level, Double(variances[variances.count / 6]) * 1.15, Double(min(bin.count, 50)))
    }
  }

  /// Weighted least squares with relative errors, neither coefficient negative. Outliers upwards are
  /// brightnesses without a smooth surface: three rounds lower their weight.
  private static func line(_ points: [Point]) -> (slope: Double, intercept: Double) {
    var robust = [Double](repeating: 1, count: points.count)
    var best = (slope: 0.0, intercept: 0.0)
    for _ in 0..<4 {
      var (s, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for (index, point) in points.enumerated() {
        let model = max(best.slope * point.level + best.intercept, 0)
        let scale = max(model, point.variance, 1e-12)
        let weight = point.weight * robust[index] / (scale * scale)
        s += weight
        sx += weight * point.level
        sy += weight * point.variance
        sxx += weight * point.level * point.level
        sxy += weight * point.level * point.variance
      }
      let determinant = s * sxx - sx * sx
      var slope = determinant > 1e-9 * s * sxx ? (s * sxy - sx * sy) / determinant : 0
      var intercept = s > 0 ? (sy - slope * sx) / s : 0
      if slope < 0 { (slope, intercept) = (0, s > 0 ? sy / s : 0) }
      if intercept < 0 { (slope, intercept) = (sxx > 0 ? sxy / sxx : 0, 0) }
      best = (slope, intercept)
      for (index, point) in points.enumerated() {
        let model = max(best.slope * point.level + best.intercept, 1e-12)
        robust[index] = point.variance > 1.5 * model ? 0.05 : 1
      }
    }
    return best
  }
}
