import Glibc
import Raster

/// The ratios of the three channels, found together: frames whose white balance differed have three.
///
/// In the space of the three slopes' logarithms, all edges of the ambient light lie at one point, the ratios. Edges of
/// surfaces lie on curves that start there and rise in every channel with the flash's share. So the point is a dense
/// place with nothing below it in all three channels. Scenes without a shadow on a plain surface have no such place,
/// and surfaces that the flash lights evenly can feign one: hence the generous uncertainty.
struct ChannelCluster {
  /// The logarithms of the ratios.
  var logarithms: SIMD3<Double>
  /// How many independent windows agree, about.
  var count: Double
  private var error: Double

  /// The ratio of each channel.
  var ratio: ExposureRatio {
    ExposureRatio(
      red: exp(logarithms.x), green: exp(logarithms.y), blue: exp(logarithms.z), relativeUncertainty: error,
      source: .ambientEdges)
  }

  /// Distances that count as the same place, in each channel.
  private static let radius = 0.04
  /// The search compares all pairs: the most precise windows are enough.
  private static let most = 1200

  /// The cluster, or nil if there is none with about four independent windows and (almost) nothing below it.
  static func find(_ windows: [EdgeWindows.Window], vaguest: Double) -> ChannelCluster? {
    let points = points(windows, vaguest: vaguest)
    guard points.count >= 24 else { return nil }
    var best = (score: 0.0, index: 0, below: 0)
    for (index, point) in points.enumerated() {
      var mass = 0.0
      var below = 0
      for other in points {
        let difference = other.place - point.place
        mass += nearness(difference)
        if difference.max() < -0.03 { below += 1 }
      }
      let score = mass * exp(-Double(below) / (0.004 * Double(points.count)))
      if score > best.score { best = (score, index, below) }
    }
    guard best.below * 200 <= points.count else { return nil }
    return refine(points, from: points[best.index].place)
  }

  private typealias Point = (place: SIMD3<Double>, error: SIMD3<Double>)

  /// Windows in which all slopes are known, and at least two are below the quotient, as at an edge of the light.
  private static func points(_ windows: [EdgeWindows.Window], vaguest: Double) -> [Point] {
    let known = windows.enumerated().filter { _, window in
      window.slopeError.x < Float(vaguest) && window.slopeError.y < Float(vaguest)
        && window.slopeError.z < Float(vaguest)
        && (0..<3).filter {
          log(window.quotient[$0] / window.slope[$0]) > max(0.05, 3 * window.slopeError[$0])
        }.count >= 2
    }
    let precise = known.sorted { left, right in
      let (a, b) = (left.element.slopeError.rgb.max(), right.element.slopeError.rgb.max())
      return a == b ? left.offset < right.offset : a < b
    }
    return precise.prefix(most).map { _, window in
      let slope = SIMD3<Double>(window.slope.rgb)
      let error = SIMD3<Double>(window.slopeError.rgb)
      return (
        SIMD3(log(slope.x), log(slope.y), log(slope.z)), (error * error + 0.003 * 0.003).squareRoot()
      )
    }
  }

  private static func nearness(_ difference: SIMD3<Double>) -> Double {
    let distance = difference / radius
    let bell = pointwiseMax(1 - distance * distance, .zero)
    return bell.x * bell.y * bell.z
  }

  /// The mean by precision of what lies around, moved until it stays.
  private static func refine(_ points: [Point], from start: SIMD3<Double>) -> ChannelCluster? {
    var centre = start
    var mass = 0.0
    for _ in 0..<6 {
      var sum = SIMD3<Double>.zero
      var weights = SIMD3<Double>.zero
      mass = 0
      for point in points {
        let near = nearness(point.place - centre)
        let weight = near / (point.error * point.error)
        sum += weight * point.place
        weights += weight
        mass += near
      }
      guard weights.min() > 0 else { return nil }
      centre = sum / weights
    }
    let count = mass / 4
    guard count >= 4 else { return nil }
    return ChannelCluster(logarithms: centre, count: count, error: max(0.02, 0.03 / count.squareRoot()))
  }
}
