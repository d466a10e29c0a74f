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

  /// Compares two pictures in bands; `progress` is told the finished fraction, 0...1. Nil where it was cancelled.
  public static func measure(
    _ difference: ColorDifference, execution: Execution = .serial, progress: (Double) -> Void = { _ in }
  ) -> PictureComparison? {
    guard var running = RunningComparison(difference, execution: execution) else { return nil }
    let height = difference.bounds.height
    let rows = Swift.max(1, (1 << 18) / Swift.max(1, difference.bounds.width))
    for top in stride(from: 0, to: height, by: rows) {
      let bottom = Swift.min(top + rows, height)
      guard running.errors(inRows: top..<bottom) != nil else { return nil }
      progress(Double(bottom) / Double(height))
    }
    return running.comparison
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

/// A comparison on its way: told rows, in any order, it gives their differences and counts them.
public struct RunningComparison {
  private let difference: ColorDifference
  private let execution: Execution
  private var counts = ValueCounts(shift: 12)
  private var within = SIMD3<Int>.zero

  /// Begins; nil where it was cancelled. With ``ColorDifference/Scaling/gain`` reads both pictures to find the factor.
  public init?(_ difference: ColorDifference, execution: Execution = .serial) {
    var difference = difference
    if difference.scaling == .gain {
      guard let gain = difference.meanLuminanceRatio(execution) else { return nil }
      difference.gain = gain
    }
    (self.difference, self.execution) = (difference, execution)
  }

  /// The differences of rows, counted from the top of the picture, one row after the other; see
  /// ``ColorDifference/errors(in:)``. Nil where it was cancelled.
  public mutating func errors(inRows rows: Range<Int>) -> [Float]? {
    let bounds = difference.bounds
    let rows = rows.clamped(to: 0..<bounds.height)
    // Pieces of a few rows, for the threads.
    let piece = max(1, (1 << 13) / bounds.width)
    let difference = difference
    let errors = execution.map((rows.count + piece - 1) / piece, placeholder: [Float]()) { index in
      let top = rows.lowerBound + index * piece
      let height = min(piece, rows.upperBound - top)
      return difference.errors(in: Rectangle(x: bounds.x, y: bounds.y + top, width: bounds.width, height: height))
    }.flatMap { $0 }
    if execution.cancellation.isCancelled { return nil }
    counts.add(errors.count) { errors[$0] }
    for error in errors {
      if error <= 1 { within.x += 1 }
      if error <= 3 { within.y += 1 }
      if error <= 5 { within.z += 1 }
    }
    return errors
  }

  /// The figures of the rows so far.
  public var comparison: PictureComparison {
    let known = counts.finite
    func part(_ count: Int) -> Double? { known > 0 ? Double(count) / Double(known) : nil }
    let unknown = counts.nan + counts.infinite
    return PictureComparison(
      mean: counts.mean, median: counts.quantile(0.5), p95: counts.quantile(0.95),
      max: known > 0 ? Double(counts.max) : nil, within1: part(within.x), within3: part(within.y),
      within5: part(within.z), pixelCount: known + unknown, unknownCount: unknown, gain: difference.gain)
  }
}
