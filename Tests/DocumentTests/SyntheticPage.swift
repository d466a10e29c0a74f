import Glibc
import Raster

/// A photograph of a page that is computed: paper with lines of writing in uneven light, on a darker desk.
struct SyntheticPage {
  var width = 480
  var height = 640
  /// Corners from the top left clockwise; nil: the page fills the picture.
  var corners: [SIMD2<Double>]?
  var desk: Float = 0.25
  /// A place with something else than paper, and its colour relative to paper.
  var box: (area: Rectangle, color: SIMD3<Float>)?
  var glare: (place: SIMD2<Float>, strength: Float)?
  var hasWriting = true

  /// The paper's colour.
  static let paper = SIMD3<Float>(0.84, 0.82, 0.78)

  /// The flash's light at a place: a hot spot and falloff to a third.
  func light(_ x: Int, _ y: Int) -> Float {
    let off = (SIMD2(Float(x), Float(y)) - SIMD2(0.55, 0.4) * SIMD2(Float(width), Float(height))) / Float(height)
    let fall = 1 + 2.2 * (off * off).sum()
    return 0.9 / (fall * fall)
  }

  /// What is printed: 1 bare, 0.05 ink, other numbers the box.
  func print(_ x: Int, _ y: Int) -> SIMD3<Float> {
    if let box, box.area.contains(x: x, y: y) { return box.color }
    let isInk = hasWriting && y % 11 < 4 && (x / 3 + y / 11 * 7) % 5 < 2 && x % 90 > 8
    return SIMD3(repeating: isInk ? 0.05 : 1)
  }

  func isPage(_ x: Double, _ y: Double) -> Bool {
    guard let corners else { return true }
    return (0..<4).allSatisfy { index in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x) > 0
    }
  }

  /// How much of a pixel is page, by sixteen rays.
  private func coverage(_ x: Int, _ y: Int) -> Float {
    guard corners != nil else { return 1 }
    var sum: Float = 0
    for ray in 0..<16 {
      let (u, v) = ((Double(ray % 4) + 0.5) / 4 - 0.5, (Double(ray / 4) + 0.5) / 4 - 0.5)
      if isPage(Double(x) + u, Double(y) + v) { sum += 1 / 16 }
    }
    return sum
  }

  var image: Image {
    Image(Rectangle(width: width, height: height)) { x, y in
      let part = coverage(x, y)
      let page = Self.paper * print(x, y)
      let surface = part * page + (1 - part) * SIMD3(repeating: desk) * SIMD3(1.1, 1, 0.8)
      var color = light(x, y) * surface
      // Grain, the same every time.
      let grain = Float((x &* 7919 &+ y &* 104_729) % 101) / 101 - 0.5
      color *= 1 + 0.02 * grain
      if let glare {
        let off = (SIMD2(Float(x), Float(y)) - glare.place) / 14
        color += SIMD3(repeating: glare.strength * exp(-0.5 * (off * off).sum()))
      }
      return Pixel(rgb: color, alpha: 1)
    }
  }
}
