import ColorScience
import Glibc
import Raster

/// What the pictures show in a region, summed up band by band.
struct RegionSamples {
  /// Pixels of the region that lie side by side.
  struct Band {
    /// Where they are in the picture.
    var box: Rectangle
    /// XYZ under D65 of the flash's light, before any gain; row after row.
    var light: [SIMD3<Double>]
    /// The same before it is smoothed: the plain difference of the frames, with all their noise.
    var difference: [SIMD3<Double>]
    /// The same of the room's light, in the flash frame's exposure.
    var room: [SIMD3<Double>]
    /// 0...1.
    var confidence: [Float]
  }

  private let region: Rectangle
  private let threshold, tolerance: Double
  /// How many pixels there are, and how many count: finite, lit, and trusted.
  private(set) var pixels = 0, trusted = 0
  /// The luminance of all pixels: by the flash, as it was estimated and as the frames plainly differ, and by the room.
  private(set) var flashLight = 0.0, plainLight = 0.0, roomLight = 0.0
  private var confidenceSum = 0.0, errorSum = 0.0
  private var lightSum = SIMD3<Double>.zero, roomSum = SIMD3<Double>.zero
  private var blocks = [(sum: SIMD3<Double>, count: Int)](repeating: (.zero, 0), count: 16)

  /// Nothing yet of a region.
  init(_ region: Rectangle, threshold: Double, tolerance: Double) {
    (self.region, self.threshold, self.tolerance) = (region, threshold, tolerance)
  }

  /// Adds full rows of the region.
  mutating func add(_ band: Band) {
    let count = min(band.box.count, band.light.count, band.difference.count, band.room.count, band.confidence.count)
    for index in 0..<count {
      let (light, room) = (band.light[index], band.room[index])
      let confidence = Double(band.confidence[index])
      pixels += 1
      if confidence > 0 { confidenceSum += min(confidence, 1) }
      if light.y.isFinite { flashLight += light.y }
      if band.difference[index].y.isFinite { plainLight += band.difference[index].y }
      if room.y > 0, room.y.isFinite { roomLight += room.y }
      guard confidence >= threshold, light.y > 0, (light * 0).sum() == 0, (room * 0).sum() == 0 else { continue }
      trusted += 1
      lightSum += light
      roomSum += room
      // P(ΔE ≤ t) = 1 − exp(−t² / E²).
      errorSum -= tolerance * tolerance / log(1 - min(max(confidence, 0.001), 0.9999))
      let difference = band.difference[index]
      guard (difference * 0).sum() == 0 else { continue }
      let (x, y) = (index % band.box.width + band.box.x - region.x, index / band.box.width + band.box.y - region.y)
      let block = y * 4 / region.height * 4 + x * 4 / region.width
      guard blocks.indices.contains(block) else { continue }
      blocks[block].sum += difference
      blocks[block].count += 1
    }
  }

  /// The mean confidence of all pixels.
  var confidence: Double { confidenceSum / Double(max(pixels, 1)) }
  /// The mean light of those that count.
  var light: SIMD3<Double> { lightSum / Double(max(trusted, 1)) }
  /// The same of the room's.
  var room: SIMD3<Double> { roomSum / Double(max(trusted, 1)) }
  /// The mean squared colour error (ΔE₀₀²) that the confidence of those that count states.
  var squaredError: Double { errorSum / Double(max(trusted, 1)) }

  /// By how much means over parts of the region, a grid of four by four, differ from their mean in the plain difference, with at
  /// least eight pixels each that count. What smoothing has left of noise looks alike in neighbouring parts, and would hide.
  var deviations: [SIMD3<Double>] {
    let means = blocks.filter { $0.count >= 8 }.map { $0.sum / Double($0.count) }
    let mean = means.reduce(.zero, +) / Double(max(means.count, 1))
    // Demosaicing and resampling spread noise over the borders between parts, which are then not independent: the variance of
    // their mean is larger by this over their width in pixels (measured on simulated captures).
    let width = (Double(region.count) / Double(blocks.count)).squareRoot()
    let excess = (1 + Self.shared / max(width, 1)).squareRoot()
    return means.map { excess * ($0 - mean) }
  }

  private static let shared = 1.5
}
