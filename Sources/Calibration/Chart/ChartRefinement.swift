import ConstantColor
import Raster

/// Moves a chart until a drawing of it fits the picture: all edges of all patches together place it to a fraction of
/// a pixel, where the middles of areas depend on what noise left of each.
///
/// The drawing has each patch in its own measured colour with soft edges on the colour between the patches; the
/// map is improved with Gauss and Newton's steps (image registration after Lucas and Kanade, 1981, with the inverse
/// of the map moved and a model for the picture).
struct ChartRefinement {
  private let image: Image
  private let scale: SIMD3<Double>

  /// Half the side of a patch in units of the pitch: where to begin, and what charts can have. It is found with the
  /// map, because patches that are drawn too large make the chart too small.
  private static let usualHalf = 0.43
  private static let halves = 0.36...0.48

  /// - Parameter scale: what counts as bright in each channel.
  init(_ image: Image, scale: SIMD3<Float>) {
    self.image = image
    self.scale = SIMD3<Double>(scale)
  }

  /// A better map from chart coordinates to pixels; nil where none was found near the first.
  func refined(_ map: Homography) -> Homography? {
    var current = map
    var half = Self.usualHalf
    for _ in 0..<8 {
      guard let step = step(from: current, half: half), let next = current.concatenating(after: step.change) else {
        return nil
      }
      half = min(max(half + step.growth, Self.halves.lowerBound), Self.halves.upperBound)
      let change = distance(current, next)
      current = next
      guard distance(map, current) < 0.3 else { return nil }
      if change < 0.002 { break }
    }
    return current
  }

  /// The largest distance between the corners of two charts in units of the pitch.
  private func distance(_ a: Homography, _ b: Homography) -> Double {
    guard let first = try? ChartGeometry(homography: a), let second = try? ChartGeometry(homography: b) else {
      return .infinity
    }
    return first.distance(to: second)
  }

  /// One pixel of the chart: its patch, its place from the patch's middle, its colour.
  private struct Point {
    var patch: Int
    var place: SIMD2<Double>
    var offset: SIMD2<Double>
    var color: SIMD3<Double>
  }

  /// The change of chart coordinates, and of half the side of a patch, that the picture asks for.
  private func step(from map: Homography, half: Double) -> (change: Homography, growth: Double)? {
    guard let points = points(of: map), let pitch = pitch(of: map) else { return nil }
    var patches = [(sum: SIMD3<Double>, count: Double)](repeating: (.zero, 0), count: ChartGeometry.patchCount)
    var frames = patches
    for point in points {
      let distance = max(abs(point.offset.x), abs(point.offset.y))
      if distance < 0.28 {
        patches[point.patch].sum += point.color
        patches[point.patch].count += 1
      } else if distance > 0.46 {
        frames[point.patch].sum += point.color
        frames[point.patch].count += 1
      }
    }
    let contrasts = zip(patches, frames).map { $0.sum / max(1, $0.count) - $1.sum / max(1, $1.count) }
    let strengths = contrasts.map { ($0 * $0).sum() }
    let usual = strengths.sorted()[strengths.count / 2]
    guard usual > 0 else { return nil }
    // Wide enough to see an edge from two pixels away.
    let softness = min(max(0.1, 3 / pitch), 0.3)
    var system = NormalEquations(unknowns: 9)
    for point in points where frames[point.patch].count > 0 {
      let (x, dx) = edge(point.offset.x, half, softness)
      let (y, dy) = edge(point.offset.y, half, softness)
      let slope = SIMD2(dx * y, x * dy)
      guard slope != .zero else { continue }
      let contrast = contrasts[point.patch]
      let frame = frames[point.patch].sum / frames[point.patch].count
      let residual = point.color - frame - x * y * contrast
      let strength = strengths[point.patch]
      // What differs by more than the patch itself is something else.
      guard (residual * residual).sum() < 2 * strength else { continue }
      // A patch of usual contrast counts fully, a brighter one hardly more.
      let weight = strength / (strength + usual)
      let target = (contrast * residual).sum() / strength
      let p = (point.place - SIMD2(2.5, 1.5)) / 2.5
      let along = slope.x * p.x + slope.y * p.y
      system.add(
        [
          slope.x, slope.x * p.x, slope.x * p.y, slope.y, slope.y * p.x, slope.y * p.y, along * p.x, along * p.y,
          abs(slope.x) + abs(slope.y),
        ], target, weight: weight)
    }
    guard let a = system.solution else { return nil }
    return Self.inverseOfChange(a).map { ($0, a[8]) }
  }

  /// The places move by a₀ + a₁x + a₂y + x (a₆x + a₇y) and the like: to first order, a projective map.
  private static func inverseOfChange(_ a: [Double]) -> Homography? {
    let center = Homography([2.5, 0, 2.5, 0, 2.5, 1.5, 0, 0, 1])
    // Moves are in units of the pitch, p in units of 2.5 of them.
    let change = Homography([
      1 + a[1] / 2.5, a[2] / 2.5, a[0] / 2.5, a[4] / 2.5, 1 + a[5] / 2.5, a[3] / 2.5, -a[6] / 2.5, -a[7] / 2.5, 1,
    ])
    guard let center, let back = center.inverse, let inverse = change?.inverse else { return nil }
    return inverse.concatenating(after: back).flatMap(center.concatenating(after:))
  }

  /// How much of the patch is at an offset from its middle, and how that changes with the offset.
  private func edge(_ offset: Double, _ half: Double, _ softness: Double) -> (value: Double, slope: Double) {
    let value = (half - abs(offset)) / softness + 0.5
    guard value < 1 else { return (1, 0) }
    guard value > 0 else { return (0, 0) }
    return (value, (offset < 0 ? 1 : -1) / softness)
  }

  /// The smallest pitch of the chart in pixels.
  private func pitch(of map: Homography) -> Double? {
    ChartGeometry.axes(map, at: SIMD2(2.5, 1.5)).map { min(length($0.0), length($0.1)) }
  }

  /// The pixels of the chart, not more than some ten thousand.
  private func points(of map: Homography) -> [Point]? {
    let ends = [SIMD2(-0.5, -0.5), SIMD2(5.5, -0.5), SIMD2(5.5, 3.5), SIMD2(-0.5, 3.5)].compactMap(map.apply(to:))
    let bounds = image.bounds
    guard ends.count == 4, let inverse = map.inverse, ends.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }),
      let left = ends.map(\.x).min(), let right = ends.map(\.x).max(), let top = ends.map(\.y).min(),
      let bottom = ends.map(\.y).max()
    else { return nil }
    let box = Rectangle(
      x: Int(left), y: Int(top), width: Int(right) - Int(left) + 1, height: Int(bottom) - Int(top) + 1
    ).intersection(bounds)
    var step = 1
    while box.width / step * (box.height / step) > 80_000 { step += 1 }
    var points: [Point] = []
    for y in stride(from: box.y, to: box.maxY, by: step) {
      for x in stride(from: box.x, to: box.maxX, by: step) {
        guard let place = inverse.apply(to: SIMD2(Double(x), Double(y))), place.x > -0.5, place.x < 5.5,
          place.y > -0.5, place.y < 3.5
        else { continue }
        let column = min(max(place.x.rounded(), 0), 5)
        let row = min(max(place.y.rounded(), 0), 3)
        let color = SIMD3<Double>(image[x, y].rgb) / scale
        points.append(
          Point(
            patch: Int(row) * ChartGeometry.columns + Int(column), place: place, offset: place - SIMD2(column, row),
            color: color.clamped(lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 4))))
      }
    }
    return points
  }
}
