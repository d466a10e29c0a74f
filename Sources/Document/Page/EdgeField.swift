import Glibc
import Raster

/// Where a small picture becomes lighter, and how fast: the gradient of the logarithm of its least channel, after everything
/// thin and dark was closed. Paper is lighter than almost any desk in at least one channel; writing is thin.
struct EdgeField {
  let width, height: Int
  /// The logarithm of the closed picture.
  let light: [Float]
  private let gradients: [SIMD2<Float>]

  /// A slope a pixel that counts as an edge.
  static let least: Float = 0.015

  init(_ image: Image) {
    (width, height) = (image.bounds.width, image.bounds.height)
    let (width, height) = (width, height)
    let channels = image.pixels.map { pixel -> Float in
      let least = pixel.rgb.min()
      return least.isFinite ? max(least, 0) : 0
    }
    let order = channels.sorted()
    // Below a fiftieth of white there is nothing but noise.
    let floor = max(0.02 * order[order.count * 98 / 100], 1e-6)
    var plane = channels.map { log($0 + floor) }
    let radius = max(2, max(width, height) / 90)
    plane = Self.extremes(plane, width, height, radius, Swift.max)
    plane = Self.extremes(plane, width, height, radius, Swift.min)
    plane = Self.smoothed(plane, width, height)
    light = plane
    var gradients = [SIMD2<Float>](repeating: .zero, count: plane.count)
    for y in 0..<height {
      for x in 0..<width {
        let (left, right) = (plane[y * width + max(x - 1, 0)], plane[y * width + min(x + 1, width - 1)])
        let (above, below) = (plane[max(y - 1, 0) * width + x], plane[min(y + 1, height - 1) * width + x])
        gradients[y * width + x] = SIMD2(right - left, below - above) / 2
      }
    }
    self.gradients = gradients
  }

  /// The gradient at a pixel.
  func gradient(_ x: Int, _ y: Int) -> SIMD2<Float> { gradients[y * width + x] }

  /// The steepest rise along a direction within two pixels of a place; nil outside the picture.
  func rise(at place: SIMD2<Double>, along normal: SIMD2<Double>) -> Float? {
    var best: Float?
    for step in -2...2 {
      let point = place + Double(step) * normal
      let (x, y) = (Int(point.x.rounded()), Int(point.y.rounded()))
      guard (0..<width).contains(x), (0..<height).contains(y) else { continue }
      best = max(best ?? -.infinity, (gradient(x, y) * SIMD2<Float>(normal)).sum())
    }
    return best
  }

  /// The light at a place; nil outside the picture.
  func light(at place: SIMD2<Double>) -> Float? {
    let (x, y) = (Int(place.x.rounded()), Int(place.y.rounded()))
    return (0..<width).contains(x) && (0..<height).contains(y) ? light[y * width + x] : nil
  }

  /// The largest or smallest of a square around each pixel, rows first.
  private static func extremes(
    _ plane: [Float], _ width: Int, _ height: Int, _ radius: Int, _ choose: (Float, Float) -> Float
  ) -> [Float] {
    var rows = plane
    for y in 0..<height {
      for x in 0..<width {
        var value = plane[y * width + x]
        for other in max(x - radius, 0)...min(x + radius, width - 1) { value = choose(value, plane[y * width + other]) }
        rows[y * width + x] = value
      }
    }
    var result = rows
    for y in 0..<height {
      for x in 0..<width {
        var value = rows[y * width + x]
        for other in max(y - radius, 0)...min(y + radius, height - 1) { value = choose(value, rows[other * width + x]) }
        result[y * width + x] = value
      }
    }
    return result
  }

  /// With (1, 2, 1) in each direction.
  private static func smoothed(_ plane: [Float], _ width: Int, _ height: Int) -> [Float] {
    var rows = plane
    for y in 0..<height {
      for x in 0..<width {
        let (left, right) = (plane[y * width + max(x - 1, 0)], plane[y * width + min(x + 1, width - 1)])
        rows[y * width + x] = (left + 2 * plane[y * width + x] + right) / 4
      }
    }
    var result = rows
    for y in 0..<height {
      for x in 0..<width {
        let (above, below) = (rows[max(y - 1, 0) * width + x], rows[min(y + 1, height - 1) * width + x])
        result[y * width + x] = (above + 2 * rows[y * width + x] + below) / 4
      }
    }
    return result
  }
}
