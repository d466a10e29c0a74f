import ColorScience
import Glibc
import Raster

/// What the pictures show in a region.
struct RegionSamples {
  /// XYZ under D65 of the flash's light, before any gain; row after row.
  var light: [SIMD3<Double>]
  /// The same before it is smoothed: the plain difference of the frames, with all their noise.
  var difference: [SIMD3<Double>]
  /// The same of the room's light, in the flash frame's exposure.
  var room: [SIMD3<Double>]
  /// 0...1.
  var confidence: [Float]
  /// How many pixels a row has.
  var width: Int

  /// The pixels that count: finite, lit, and trusted.
  func trusted(_ threshold: Double) -> [Int] {
    confidence.indices.filter {
      Double(confidence[$0]) >= threshold && light[$0].y > 0 && (light[$0] * 0).sum() == 0 && (room[$0] * 0).sum() == 0
    }
  }

  /// By how much means over parts of the region, a grid of four by four, differ from their mean in the plain difference, with at
  /// least eight of the given pixels each. What smoothing has left of noise looks alike in neighbouring parts, and would hide.
  func deviations(_ pixels: [Int]) -> [SIMD3<Double>] {
    let height = max(1, difference.count / max(width, 1))
    var sums = [(sum: SIMD3<Double>, count: Int)](repeating: (.zero, 0), count: 16)
    for pixel in pixels where (difference[pixel] * 0).sum() == 0 {
      let block = pixel / width * 4 / height * 4 + pixel % width * 4 / width
      guard sums.indices.contains(block) else { continue }
      sums[block].sum += difference[pixel]
      sums[block].count += 1
    }
    let means = sums.filter { $0.count >= 8 }.map { $0.sum / Double($0.count) }
    let mean = means.reduce(.zero, +) / Double(max(means.count, 1))
    return means.map { $0 - mean }
  }

  static func mean(_ values: [SIMD3<Double>], _ pixels: [Int]) -> SIMD3<Double> {
    pixels.reduce(SIMD3.zero) { $0 + values[$1] } / Double(max(pixels.count, 1))
  }

  /// The mean squared colour error (ΔE₀₀²) that the confidence of these pixels states: it is P(ΔE ≤ t) = 1 − exp(−t² / E²).
  func squaredError(_ pixels: [Int], tolerance: Double) -> Double {
    let sum = pixels.reduce(0.0) { sum, pixel in
      let value = min(max(Double(confidence[pixel]), 0.001), 0.9999)
      return sum - tolerance * tolerance / log(1 - value)
    }
    return pixels.isEmpty ? 0 : sum / Double(pixels.count)
  }
}
