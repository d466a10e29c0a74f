import ConstantColor

/// Affine and projective maps through points, by least squares.
enum ProjectiveFit {
  /// The projective map that takes `places` nearest to `points`; nil for fewer than four or a degenerate figure.
  ///
  /// The linear equations (Hartley and Zisserman, section 4.1, with h₃₃ = 1 and normalised points) weight each point
  /// with its depth; solving them again with that divided out minimises distances in the picture.
  static func homography(from places: [SIMD2<Double>], to points: [SIMD2<Double>]) -> Homography? {
    guard places.count == points.count, places.count >= 4, let normal = Normalization(places),
      let target = Normalization(points)
    else { return nil }
    var h = [Double](repeating: 0, count: 8)
    for _ in 0..<2 {
      var system = NormalEquations(unknowns: 8)
      for (place, point) in zip(places, points) {
        let p = normal.apply(place)
        let q = target.apply(point)
        let depth = h[6] * p.x + h[7] * p.y + 1
        guard depth > 0.05 else { return nil }
        let weight = 1 / (depth * depth)
        system.add([p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y], q.x, weight: weight)
        system.add([0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y], q.y, weight: weight)
      }
      guard let solution = system.solution else { return nil }
      h = solution
    }
    guard let inner = Homography(h + [1]), let before = Homography(normal.matrix),
      let after = Homography(target.matrix)?.inverse
    else { return nil }
    return inner.concatenating(after: before).flatMap(after.concatenating(after:))
  }

  /// The affine map that takes `places` nearest to `points`; nil for fewer than three or points on a line.
  static func affine(from places: [SIMD2<Double>], to points: [SIMD2<Double>]) -> Homography? {
    guard places.count == points.count, places.count >= 3 else { return nil }
    var x = NormalEquations(unknowns: 3)
    var y = NormalEquations(unknowns: 3)
    for (place, point) in zip(places, points) {
      x.add([place.x, place.y, 1], point.x)
      y.add([place.x, place.y, 1], point.y)
    }
    guard let a = x.solution, let b = y.solution else { return nil }
    return Homography(a + b + [0, 0, 1])
  }

  /// A shift and a scale that bring points to mean 0 and unit size.
  private struct Normalization {
    let mean: SIMD2<Double>
    let scale: Double

    init?(_ points: [SIMD2<Double>]) {
      mean = points.reduce(.zero, +) / Double(points.count)
      let size = points.reduce(0) { [mean] in $0 + length($1 - mean) } / Double(points.count)
      guard size.isFinite, size > 1e-9 else { return nil }
      scale = 1 / size
    }

    func apply(_ point: SIMD2<Double>) -> SIMD2<Double> { (point - mean) * scale }

    var matrix: [Double] { [scale, 0, -scale * mean.x, 0, scale, -scale * mean.y, 0, 0, 1] }
  }
}
