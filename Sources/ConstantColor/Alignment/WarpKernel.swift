import Raster

/// Interpolation of one pixel from a piece of the ambient frame that has been read.
struct WarpKernel {
  /// How far from its place a pixel's samples lie, at most: two, and one for rounding.
  static let reach = 3

  private let map: Homography
  private let isAffine: Bool
  private let low, high: SIMD2<Double>
  private let source: Rectangle
  private let pixels: Pixels

  /// A kernel for a frame in `bounds`, of which `pixels` holds `source`, already passed through `trusted`.
  init(_ map: Homography, _ bounds: Rectangle, _ source: Rectangle, _ pixels: Pixels) {
    self.map = map
    isAffine = map.row2 == [0, 0, 1]
    low = SIMD2(Double(bounds.x), Double(bounds.y))
    high = SIMD2(Double(bounds.maxX - 1), Double(bounds.maxY - 1))
    self.source = source
    self.pixels = pixels
  }

  /// The pixel with its trust as alpha: 0 where clipped or without data. What is not a finite number becomes black, so that it
  /// cannot spread.
  @inline(__always)
  static func trusted(_ pixel: Pixel) -> Pixel {
    // The comparisons are false for NaN as well.
    let usable = (pixel .< 1) .& (pixel .> -.greatestFiniteMagnitude)
    if usable[0], usable[1], usable[2], pixel.w > 0 {
      var trusted = pixel
      trusted.w = min(max(pixel.w, ResidualMap.leastTrust), 1)
      return trusted
    }
    let finite = (pixel .<= .greatestFiniteMagnitude) .& (pixel .>= -.greatestFiniteMagnitude)
    var distrusted = pixel.replacing(with: 0, where: .!finite)
    distrusted.w = 0
    return distrusted
  }

  /// The warped pixel at a place of the flash frame.
  @inline(__always)
  func pixel(at place: SIMD2<Double>) -> Pixel {
    let (fx, fy) = (place.x, place.y)
    var u = map.row0.x * fx + map.row0.y * fy + map.row0.z
    var v = map.row1.x * fx + map.row1.y * fy + map.row1.z
    if !isAffine {
      let w = map.row2.x * fx + map.row2.y * fy + map.row2.z
      // Beyond the horizon nothing was seen and nothing is near.
      guard w > 1e-9 else { return .zero }
      u /= w
      v /= w
    }
    // A place on the edge must not fall outside for a rounding error.
    let slack = 1e-6
    let inside = u >= low.x - slack && v >= low.y - slack && u <= high.x + slack && v <= high.y + slack
    u = min(max(u, low.x), high.x)
    v = min(max(v, low.y), high.y)
    let (left, top) = (u.rounded(.down), v.rounded(.down))
    let column = Int(left) &- source.x
    let row = Int(top) &- source.y
    var pixel = interpolate(column, row, Float(u - left), Float(v - top))
    if !inside { pixel.w = 0 }
    return pixel
  }

  @inline(__always)
  private func interpolate(_ column: Int, _ row: Int, _ tx: Float, _ ty: Float) -> Pixel {
    let horizontal = CatmullRom.weights(tx)
    let vertical = CatmullRom.weights(ty)
    let width = source.width
    var index = (row &- 1) &* width &+ column &- 1
    var sum = Pixel.zero
    var least = Pixel(repeating: .infinity)
    var most = Pixel(repeating: -.infinity)
    for line in 0..<4 {
      let (a, b, c, d) = (pixels[index], pixels[index &+ 1], pixels[index &+ 2], pixels[index &+ 3])
      sum += ((a * horizontal.x + b * horizontal.y) + (c * horizontal.z + d * horizontal.w)) * vertical[line]
      least = least.lesser(a.lesser(b).lesser(c.lesser(d)))
      most = most.greater(a.greater(b).greater(c.greater(d)))
      index &+= width
    }
    // Ringing beside a highlight must not invent light below the darkest sample, or above the brightest.
    var result = sum.greater(least).lesser(most)
    result.w = least.w == 1 ? 1 : trust(column, row, horizontal, vertical)
    return result
  }

  /// The least alpha among the samples whose weight is not negligible.
  @inline(never)
  private func trust(_ column: Int, _ row: Int, _ horizontal: SIMD4<Float>, _ vertical: SIMD4<Float>) -> Float {
    var least: Float = 1
    for line in 0..<4 {
      for step in 0..<4 where abs(horizontal[step] * vertical[line]) > 0.004 {
        least = min(least, pixels[(row &+ line &- 1) &* source.width &+ column &+ step &- 1].w)
      }
    }
    return least
  }
}
