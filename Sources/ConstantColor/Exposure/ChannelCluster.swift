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
  private var source: ExposureRatio.Source

  /// The ratio of each channel.
  var ratio: ExposureRatio {
    ExposureRatio(
      red: exp(logarithms.x), green: exp(logarithms.y), blue: exp(logarithms.z), relativeUncertainty: error,
      source: source)
  }

  /// Whether the channels' ratios differ by more than reflectances and noise explain.
  var isClear: Bool { logarithms.max() - logarithms.min() > 0.12 }

  /// Distances that count as the same place, in each channel.
  private var radius: Double
  private static let edgeRadius = 0.04
  /// Tone curves bend the quotients of areas without flash with their brightness.
  private static let areaRadius = 0.1
  /// The search compares all pairs: the most precise windows are enough.
  private static let most = 1200

  /// Where the edges of the ambient light agree, or nil if there is no place with about four independent windows and
  /// (almost) nothing below it.
  static func edges(_ windows: [EdgeWindows.Window], vaguest: Double) -> ChannelCluster? {
    find(edgePoints(windows, vaguest: vaguest), radius: edgeRadius, source: .ambientEdges)
  }

  /// Where the quotients of the areas that the flash does not reach agree: a dense place below all others, if most of
  /// the picture is clearly brighter.
  static func flashFree(_ windows: ArraySlice<EdgeWindows.Window>) -> ChannelCluster? {
    let points = windows.compactMap { window -> Point? in
      guard window.quotientError.rgb.max() < 0.05, window.quotient.rgb.min() > 0 else { return nil }
      let quotient = SIMD3<Double>(window.quotient.rgb)
      let error = SIMD3<Double>(window.quotientError.rgb)
      return (SIMD3(log(quotient.x), log(quotient.y), log(quotient.z)), (error * error + 0.01 * 0.01).squareRoot())
    }
    let sparse = stride(from: 0, to: points.count, by: max(1, points.count / most)).map { points[$0] }
    guard let cluster = find(sparse, radius: areaRadius, source: .flashFree) else { return nil }
    let brighter = sparse.count { ($0.place - cluster.logarithms).sum() > 3 * areaRadius }
    return brighter * 3 > sparse.count && cluster.count * 200 > Double(sparse.count) ? cluster : nil
  }

  private static func find(_ points: [Point], radius: Double, source: ExposureRatio.Source) -> ChannelCluster? {
    guard points.count >= 24 else { return nil }
    var best = (score: 0.0, index: 0, below: 0)
    for (index, point) in points.enumerated() {
      var mass = 0.0
      var below = 0
      for other in points {
        let difference = other.place - point.place
        mass += nearness(difference, radius)
        if difference.max() < -0.75 * radius { below += 1 }
      }
      let score = mass * exp(-Double(below) / (0.004 * Double(points.count)))
      if score > best.score { best = (score, index, below) }
    }
    guard best.below * 200 <= points.count else { return nil }
    return refine(points, from: points[best.index].place, radius: radius, source: source)
  }

  private typealias Point = (place: SIMD3<Double>, error: SIMD3<Double>)

  /// Windows in which all slopes are known, and at least two are below the quotient, as at an edge of the light.
  private static func edgePoints(_ windows: [EdgeWindows.Window], vaguest: Double) -> [Point] {
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

  private static func nearness(_ difference: SIMD3<Double>, _ radius: Double) -> Double {
    let distance = difference / radius
    let bell = pointwiseMax(1 - distance * distance, .zero)
    return bell.x * bell.y * bell.z
  }

  /// The mean by precision of what lies around, moved until it stays.
  private static func refine(
    _ points: [Point], from start: SIMD3<Double>, radius: Double, source: ExposureRatio.Source
  ) -> ChannelCluster? {
    var centre = start
    var mass = 0.0
    for _ in 0..<6 {
      var sum = SIMD3<Double>.zero
      var weights = SIMD3<Double>.zero
      mass = 0
      for point in points {
        let near = nearness(point.place - centre, radius)
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
    let error = max(radius / 2, 0.75 * radius / count.squareRoot())
    return ChannelCluster(logarithms: centre, count: count, error: error, source: source, radius: radius)
  }
}
