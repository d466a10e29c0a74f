import Glibc

/// A straight line with a light side: normal · place = distance, the normal pointing to where it is light.
struct PageLine {
  var normal: SIMD2<Double>
  var distance: Double

  /// Where two lines meet; nil for almost parallel ones.
  func meeting(_ other: PageLine) -> SIMD2<Double>? {
    let determinant = normal.x * other.normal.y - normal.y * other.normal.x
    guard abs(determinant) > 0.2 else { return nil }
    return SIMD2(
      (distance * other.normal.y - other.distance * normal.y) / determinant,
      (normal.x * other.distance - other.normal.x * distance) / determinant)
  }

  /// The strongest lines of a field by the Hough transform of its gradients, for each side of a page: top, right, bottom, left.
  static func sides(of field: EdgeField, most: Int = 9) -> [[PageLine]] {
    let reach = hypot(Double(field.width), Double(field.height))
    let (angles, spacing) = (360, 1.5)
    let distances = Int(2 * reach / spacing) + 3
    var votes = [Float](repeating: 0, count: angles * distances)
    let normals = (0..<angles).map { SIMD2(cos(Double($0) * .pi / 180), sin(Double($0) * .pi / 180)) }
    func bin(_ distance: Double) -> Int { Int((distance + reach) / spacing + 0.5) }
    for y in 0..<field.height {
      for x in 0..<field.width {
        let gradient = field.gradient(x, y)
        let strength = (gradient * gradient).sum().squareRoot()
        guard strength > EdgeField.least else { continue }
        let direction = Int((atan2(Double(gradient.y), Double(gradient.x)) * 180 / .pi).rounded())
        let vote = min(strength, 0.12)
        for turn in -6...6 {
          let angle = (direction + turn + 2 * angles) % angles
          let distance = (normals[angle] * SIMD2(Double(x), Double(y))).sum()
          votes[angle * distances + bin(distance)] += vote
        }
      }
    }
    // A page's top has its light side below.
    return [90, 180, 270, 0].map { axis in
      var lines: [PageLine] = []
      var left = votes
      for _ in 0..<most {
        var best: (votes: Float, angle: Int, bin: Int) = (0, 0, 0)
        for turn in -45...45 {
          let angle = (axis + turn + angles) % angles
          for bin in 0..<distances where left[angle * distances + bin] > best.votes {
            best = (left[angle * distances + bin], angle, bin)
          }
        }
        guard best.votes > 0.5 else { break }
        lines.append(PageLine(normal: normals[best.angle], distance: Double(best.bin) * spacing - reach))
        for turn in -5...5 {
          let angle = (best.angle + turn + angles) % angles
          for bin in max(best.bin - 4, 0)...min(best.bin + 4, distances - 1) { left[angle * distances + bin] = 0 }
        }
      }
      return lines
    }
  }
}
