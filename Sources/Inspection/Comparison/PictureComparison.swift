import ColorScience
import JSONValue
import Raster
import TextOutput

/// How far the colours of two pictures differ: figures of CIEDE2000 over their pixels.
public struct PictureComparison: Equatable, Sendable {
  /// Over the pixels that could be compared; nil where there are none. Percentiles are right to 0.03 % of their value.
  public let mean, median, p95, max: Double?
  /// Which parts of the pixels (0...1) have a difference of at most 1, 3 and 5.
  public let within1, within3, within5: Double?
  /// How many pixels there are, and how many of them could not be compared: not finite, or transparent.
  public let pixelCount, unknownCount: Int
  /// The factor that the second picture was multiplied by.
  public let gain: Double

  /// Compares two pictures in bands.
  ///
  /// - Parameters:
  ///   - progress: told the finished fraction, 0...1.
  ///   - map: given the differences of each band of whole rows, from the top.
  /// - Returns: nil where it was cancelled.
  public static func measure(
    _ difference: ColorDifference, execution: Execution = .serial, progress: (Double) -> Void = { _ in },
    map: (Rectangle, [Float]) throws -> Void = { _, _ in }
  ) rethrows -> PictureComparison? {
    var difference = difference
    if difference.scaling == .gain {
      guard let gain = difference.meanLuminanceRatio(execution) else { return nil }
      difference.gain = gain
    }
    var figures = ErrorCounts()
    let bounds = difference.bounds
    for band in bounds.bands(of: Swift.max(1, (1 << 18) / Swift.max(1, bounds.width))) {
      // Pieces of a row or a few, for the threads.
      let rows = Swift.max(1, (1 << 13) / band.width)
      let pieces = (band.height + rows - 1) / rows
      let errors = execution.map(pieces, placeholder: [Float]()) { piece in
        let top = band.y + piece * rows
        return difference.errors(
          in: Rectangle(x: band.x, y: top, width: band.width, height: Swift.min(rows, band.maxY - top)))
      }
      if execution.cancellation.isCancelled { return nil }
      for piece in errors { figures.add(piece) }
      try map(band, errors.flatMap { $0 })
      progress(Double(band.maxY - bounds.y) / Double(bounds.height))
    }
    return figures.comparison(gain: difference.gain)
  }

  /// The figures with fixed keys; what is unknown is null.
  public var json: JSON {
    [
      "mean": JSON(mean), "median": JSON(median), "p95": JSON(p95), "max": JSON(max), "within1": JSON(within1),
      "within3": JSON(within3), "within5": JSON(within5), "pixels": .integer(pixelCount),
      "unknown": .integer(unknownCount), "gain": .number(gain),
    ]
  }

  /// The figures as comma-separated values: a row of names, a row of numbers.
  public var csv: String {
    let values = [mean, median, p95, max, within1, within3, within5].map { $0.map(\.description) ?? "" }
    return "mean,median,p95,max,within1,within3,within5,pixels,unknown,gain\n"
      + (values + [String(pixelCount), String(unknownCount), gain.description]).joined(separator: ",")
  }

  /// The figures for people.
  public var text: String {
    var lines = [
      "ΔE00   mean \(decimal(mean, 3))   median \(decimal(median, 3))   p95 \(decimal(p95, 3))   max \(decimal(max, 3))",
      "       ≤ 1: \(percent(within1))   ≤ 3: \(percent(within3))   ≤ 5: \(percent(within5))",
    ]
    if gain != 1 { lines.append("       the second picture was multiplied by \(significant(gain))") }
    if unknownCount > 0 {
      lines.append("       \(grouped(unknownCount)) of \(grouped(pixelCount)) pixels cannot be compared")
    }
    return lines.joined(separator: "\n")
  }
}

extension ColorDifference {
  /// The mean luminance of the first picture divided by that of the second, over the pixels that both have; 1 where that is
  /// no factor. Nil where it was cancelled.
  func meanLuminanceRatio(_ execution: Execution) -> Double? {
    let row = RGBSpace.linearSRGB.toXYZ.rows.1
    let bands = bounds.bands(of: Swift.max(1, (1 << 16) / Swift.max(1, bounds.width)))
    let sums = execution.map(bands.count, placeholder: SIMD2<Double>.zero) { index in
      let band = bands[index]
      let moved = Rectangle(
        x: band.x + second.bounds.x - bounds.x, y: band.y + second.bounds.y - bounds.y, width: band.width,
        height: band.height)
      let (a, b) = (first.image(band).pixels, second.image(moved).pixels)
      return zip(a, b).reduce(into: SIMD2<Double>.zero) { sum, pair in
        guard pair.0.w > 0, pair.1.w > 0 else { return }
        let one = (row * SIMD3<Double>(pair.0.rgb)).sum()
        let two = (row * SIMD3<Double>(pair.1.rgb)).sum()
        if one.isFinite, two.isFinite { sum += SIMD2(one, two) }
      }
    }
    if execution.cancellation.isCancelled { return nil }
    let sum = sums.reduce(.zero, +)
    let ratio = sum.x / sum.y
    return ratio > 0 && ratio.isFinite ? ratio : 1
  }
}

/// Differences, counted.
private struct ErrorCounts {
  private var counts = ValueCounts(shift: 12)
  private var within = SIMD3<Int>.zero

  mutating func add(_ errors: [Float]) {
    counts.add(errors.count) { errors[$0] }
    for error in errors {
      if error <= 1 { within.x += 1 }
      if error <= 3 { within.y += 1 }
      if error <= 5 { within.z += 1 }
    }
  }

  func comparison(gain: Double) -> PictureComparison {
    let known = counts.finite
    func part(_ count: Int) -> Double? { known > 0 ? Double(count) / Double(known) : nil }
    let unknown = counts.nan + counts.infinite
    return PictureComparison(
      mean: counts.mean, median: counts.quantile(0.5), p95: counts.quantile(0.95),
      max: known > 0 ? Double(counts.max) : nil, within1: part(within.x), within3: part(within.y),
      within5: part(within.z), pixelCount: known + unknown, unknownCount: unknown, gain: gain)
  }
}
