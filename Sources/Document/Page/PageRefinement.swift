import ConstantColor
import Glibc
import Raster

/// Fits the sides of an outline to the edges near them.
enum PageRefinement {
  private static let stations = 160

  /// The outline with its sides on the steepest places.
  ///
  /// - Parameters:
  ///   - cut: sides that are left where they are.
  ///   - reach: how far from a side its edge may be, in pixels.
  static func refine(_ outline: PageOutline, cut: [Int], in image: Image, reach: Double) -> PageOutline {
    var lines: [PageLine] = []
    for side in 0..<4 {
      let start = line(outline, side)
      guard !cut.contains(side) else {
        lines.append(start)
        continue
      }
      lines.append(fit(edges(of: outline, side, image, reach), near: start) ?? start)
    }
    var corners: [SIMD2<Double>] = []
    for side in 0..<4 {
      guard let corner = lines[side].meeting(lines[(side + 3) % 4]) else { return outline }
      let off = corner - outline.corners[side]
      guard hypot(off.x, off.y) < 4 * reach else { return outline }
      corners.append(corner)
    }
    return PageOutline(corners: corners) ?? outline
  }

  private static func line(_ outline: PageOutline, _ side: Int) -> PageLine {
    let (a, b) = (outline.corners[side], outline.corners[(side + 1) % 4])
    let along = (b - a) / outline.length(side)
    let normal = SIMD2(-along.y, along.x)
    return PageLine(normal: normal, distance: (normal * a).sum())
  }

  /// Places where the picture becomes lighter across a side, with how fast.
  private static func edges(
    of outline: PageOutline, _ side: Int, _ image: Image, _ reach: Double
  ) -> [(place: SIMD2<Double>, rise: Double)] {
    let (a, b) = (outline.corners[side], outline.corners[(side + 1) % 4])
    let along = (b - a) / outline.length(side)
    let normal = SIMD2(-along.y, along.x)
    let steps = Int((2 * reach).rounded(.up)) * 2
    var result: [(SIMD2<Double>, Double)] = []
    for station in 0..<stations {
      let middle = a + (b - a) * (0.03 + 0.94 * (Double(station) + 0.5) / Double(stations))
      var profile: [Double] = []
      for step in 0...steps {
        let off = -reach + 2 * reach * Double(step) / Double(steps)
        // A mean of three along the side takes noise away.
        var sum = 0.0
        for aside in -1...1 { sum += level(image, middle + off * normal + Double(aside) * along) }
        profile.append(sum / 3)
      }
      var best = (rise: 0.0, index: 0)
      for index in 2..<(profile.count - 2) {
        let rise = profile[index + 2] - profile[index - 2]
        if rise > best.rise { best = (rise, index) }
      }
      guard best.rise > 0.03, best.index > 2, best.index < profile.count - 3 else { continue }
      let before = profile[best.index + 1] - profile[best.index - 3]
      let after = profile[best.index + 3] - profile[best.index - 1]
      let bend = before - 2 * best.rise + after
      let shift = bend < 0 ? min(max(0.5 * (before - after) / bend, -0.5), 0.5) : 0
      let off = -reach + 2 * reach * (Double(best.index) + shift) / Double(steps)
      result.append((middle + off * normal, best.rise))
    }
    return result
  }

  /// The logarithm of the least channel, between pixels.
  private static func level(_ image: Image, _ place: SIMD2<Double>) -> Double {
    let clamped = SIMD2(min(max(place.x, -1e6), 1e6), min(max(place.y, -1e6), 1e6))
    let (left, top) = (clamped.x.rounded(.down), clamped.y.rounded(.down))
    let (u, v) = (Float(clamped.x - left), Float(clamped.y - top))
    let (x, y) = (Int(left), Int(top))
    let upper = image[x, y] * (1 - u) + image[x + 1, y] * u
    let lower = image[x, y + 1] * (1 - u) + image[x + 1, y + 1] * u
    let least = (upper * (1 - v) + lower * v).rgb.min()
    return log(Double(least.isFinite ? max(least, 0) : 0) + 1e-3)
  }

  /// A line through places, by total least squares with Tukey's biweight.
  private static func fit(_ edges: [(place: SIMD2<Double>, rise: Double)], near start: PageLine) -> PageLine? {
    guard edges.count > stations / 4 else { return nil }
    var line = start
    var reach = Double.infinity
    for _ in 0..<12 {
      let off = edges.map { ($0.place * line.normal).sum() - line.distance }
      let order = off.map { abs($0) }.sorted()
      reach = min(reach, max(4.7 * 1.4826 * order[order.count / 2], 0.4))
      var (total, mean) = (0.0, SIMD2<Double>.zero)
      let weights = off.map { abs($0) < reach ? (1 - $0 * $0 / (reach * reach)) * (1 - $0 * $0 / (reach * reach)) : 0 }
      for (edge, weight) in zip(edges, weights) {
        total += weight
        mean += weight * edge.place
      }
      guard total > 4 else { return nil }
      mean /= total
      var (xx, xy, yy) = (0.0, 0.0, 0.0)
      for (edge, weight) in zip(edges, weights) {
        let at = edge.place - mean
        xx += weight * at.x * at.x
        xy += weight * at.x * at.y
        yy += weight * at.y * at.y
      }
      let angle = 0.5 * atan2(2 * xy, xx - yy)
      var normal = SIMD2(-sin(angle), cos(angle))
      if (normal * start.normal).sum() < 0 { normal = -normal }
      line = PageLine(normal: normal, distance: (normal * mean).sum())
    }
    return line
  }
}
