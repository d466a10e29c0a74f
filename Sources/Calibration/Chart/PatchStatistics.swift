import ColorScience
import Raster

/// The statistics of the pixels of one patch.
struct PatchStatistics {
  private let pixels: PatchPixels

  init(_ pixels: PatchPixels) { self.pixels = pixels }

  /// Blocks on a side: enough to see a shadow's edge, with enough pixels in each.
  private static let blocks = 6

  /// A plane a + b x + c y for each channel.
  private struct Plane {
    var constant = SIMD3<Double>.zero
    var slopes = (SIMD3<Double>.zero, SIMD3<Double>.zero)

    func value(at place: SIMD2<Float>) -> SIMD3<Double> {
      constant + Double(place.x) * slopes.0 + Double(place.y) * slopes.1
    }
  }

  /// The sample of the pixels.
  func sample(patch: Int) -> PatchSample {
    var sample = PatchSample(patch: patch, isInside: pixels.isInside)
    let values = pixels.values
    let total = values.count + pixels.undefined
    guard total > 0 else { return sample }
    sample.clippedShare = Double(pixels.clipped) / Double(total)
    guard !values.isEmpty else {
      sample.outlierShare = 1
      return sample
    }
    // Outliers are seen against the plane through what is left of them: first against the median, which half of
    // the pixels cannot move, then closer and closer.
    var plane = Plane(constant: median(values.indices.map { SIMD3<Double>(values[$0].color) }))
    var kept = Array(values.indices)
    for limit in [6.0, 4.5, 4.5] {
      kept = inliers(of: plane, limit: limit)
      plane = self.plane(through: kept)
    }
    // What many pixels have is no outlier but the patch: the edge of a shadow, or a print of dots.
    if kept.count * 5 < values.count * 4 {
      kept = Array(values.indices)
      plane = self.plane(through: kept)
    }
    sample.count = kept.count
    sample.outlierShare = Double(total - kept.count) / Double(total)
    sample.mean = plane.constant
    sample.gradient = 2 * (plane.slopes.0 * plane.slopes.0 + plane.slopes.1 * plane.slopes.1).squareRoot()
    fill(&sample, kept, plane)
    return sample
  }

  /// The pixels within `limit` standard deviations of the plane in every channel; the deviation is the median's.
  private func inliers(of plane: Plane, limit: Double) -> [Int] {
    let values = pixels.values
    func distance(_ index: Int) -> SIMD3<Double> {
      let difference = SIMD3<Double>(values[index].color) - plane.value(at: values[index].place)
      return difference.replacing(with: -difference, where: difference .< .zero)
    }
    // 1.4826 median |x| is the standard deviation of a normal distribution. Rounded values may have none at all.
    let scale = 1.4826 * median(values.indices.map(distance))
    let floor = 1e-5 * plane.constant.replacing(with: -plane.constant, where: plane.constant .< .zero) + 1e-9
    let allowed = limit * scale + floor
    return values.indices.filter { index in
      let difference = distance(index)
      return difference.x <= allowed.x && difference.y <= allowed.y && difference.z <= allowed.z
    }
  }

  /// The median of each channel.
  private func median(_ values: [SIMD3<Double>]) -> SIMD3<Double> {
    // A few thousand values tell a median; a fixed step keeps it the same everywhere.
    let step = max(1, values.count / 4096)
    var result = SIMD3<Double>.zero
    for channel in 0..<3 {
      let sorted = stride(from: 0, to: values.count, by: step).map { values[$0][channel] }.sorted()
      guard !sorted.isEmpty else { return result }
      result[channel] = (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
    }
    return result
  }

  private func plane(through kept: [Int]) -> Plane {
    var squares = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
    var products = squares
    for index in kept {
      let (color, place) = pixels.values[index]
      let value = SIMD3<Double>(color)
      let terms = SIMD3(1, Double(place.x), Double(place.y))
      squares.0 += terms
      squares.1 += terms.y * terms
      squares.2 += terms.z * terms
      products.0 += value
      products.1 += terms.y * value
      products.2 += terms.z * value
    }
    guard !kept.isEmpty else { return Plane(constant: SIMD3(repeating: .nan)) }
    // One pixel, or a line of them, has no slope.
    guard let inverse = Matrix3(squares.0, squares.1, squares.2).inverse else {
      return Plane(constant: products.0 / Double(kept.count))
    }
    let rows = (inverse.rows.0, inverse.rows.1, inverse.rows.2)
    func combined(_ row: SIMD3<Double>) -> SIMD3<Double> {
      row.x * products.0 + row.y * products.1 + row.z * products.2
    }
    return Plane(constant: combined(rows.0), slopes: (combined(rows.1), combined(rows.2)))
  }

  /// Variance, standard error and texture, from the residuals of pixels and of blocks.
  private func fill(_ sample: inout PatchSample, _ kept: [Int], _ plane: Plane) {
    let side = Self.blocks
    var sums = [SIMD3<Double>](repeating: .zero, count: side * side)
    var counts = [Double](repeating: 0, count: side * side)
    var squares = SIMD3<Double>.zero
    for index in kept {
      let (color, place) = pixels.values[index]
      let residual = SIMD3<Double>(color) - plane.value(at: place)
      squares += residual * residual
      // Places are within -1...1.
      let column = min(side - 1, Int((place.x + 1) / 2 * Float(side)))
      let row = min(side - 1, Int((place.y + 1) / 2 * Float(side)))
      sums[row * side + column] += residual
      counts[row * side + column] += 1
    }
    // Three numbers of each channel went into the plane.
    sample.variance = kept.count > 3 ? squares / Double(kept.count - 3) : SIMD3(repeating: .nan)
    let full = counts.indices.filter { counts[$0] > 0 }
    guard full.count > 6, kept.count > 3 else { return }
    var between = SIMD3<Double>.zero
    var noise = SIMD3<Double>.zero
    for block in full {
      let mean = sums[block] / counts[block]
      between += mean * mean
      noise += sample.variance / counts[block]
    }
    between /= Double(full.count - 3)
    noise /= Double(full.count)
    sample.texture = (between - noise).clamped(lowerBound: .zero, upperBound: between).squareRoot()
    // Blocks that scatter less than their pixels explain do so by chance.
    let scatter = between.replacing(with: noise, where: between .< noise)
    sample.standardError = (scatter / Double(full.count)).squareRoot()
  }
}
