import ColorScience
import Glibc
import Raster

/// What the pictures show in a region.
struct RegionSamples {
  /// XYZ under D65 of the flash's light, before any gain; row after row.
  var light: [SIMD3<Double>]
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

  /// Means over parts of the region, a grid of eight by eight, with at least eight of the given pixels each.
  func blocks(_ pixels: [Int]) -> [SIMD3<Double>] {
    let height = max(1, light.count / max(width, 1))
    var sums = [(sum: SIMD3<Double>, count: Int)](repeating: (.zero, 0), count: 64)
    for pixel in pixels {
      let block = pixel / width * 8 / height * 8 + pixel % width * 8 / width
      guard sums.indices.contains(block) else { continue }
      sums[block].sum += light[pixel]
      sums[block].count += 1
    }
    return sums.filter { $0.count >= 8 }.map { $0.sum / Double($0.count) }
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
