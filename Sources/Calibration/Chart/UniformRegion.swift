/// An area of even colour that has about the shape of a square seen from anywhere.
struct UniformRegion {
  /// The middle, in pixels of the reduced picture.
  var center: SIMD2<Double>
  /// The area in pixels, and the second moments about the middle: (xx, xy, yy).
  var area: Double
  var moments: SIMD3<Double>

  /// The area divided by that of the parallelogram with the same second moments: 1 for every parallelogram, 1.05
  /// for an ellipse, 0.87 for a triangle, less for anything bent or with holes.
  var fill: Double { area / (12 * determinant.squareRoot()) }
  /// The determinant of the second moments.
  var determinant: Double { moments.x * moments.z - moments.y * moments.y }
  /// The side of a square of this area.
  var side: Double { area.squareRoot() }
  /// The longest and the shortest extent divided by one another.
  var elongation: Double {
    let half = (moments.x + moments.z) / 2
    let root = max(0, half * half - determinant).squareRoot()
    return half > root ? ((half + root) / (half - root)).squareRoot() : .infinity
  }

  /// The map that turns this region into a unit square (turned by any angle): (xx, xy, yy), symmetric.
  var whitening: SIMD3<Double> {
    // (12 M)^(-1/2) of a symmetric 2 × 2 matrix in closed form.
    let m = 12 * moments
    let root = (m.x * m.z - m.y * m.y).squareRoot()
    let trace = (m.x + m.z + 2 * root).squareRoot()
    let factor = 1 / (root * trace)
    return SIMD3((m.z + root) * factor, -m.y * factor, (m.x + root) * factor)
  }
}

/// Finds the even areas of a picture without a threshold.
///
/// Pixels are added in the order of their gradient, and neighbours joined: the component tree of the gradient, from
/// which the maximally stable extremal regions of Matas et al. (BMVC 2002) come. An area between edges stays as it
/// is while the threshold rises from the noise within it to the weakest edge around it, whatever both are, and is
/// looked at when it joins another one.
struct UniformRegionSearch {
  /// Areas of fewer pixels tell nothing of their shape; larger ones are found in a smaller picture.
  private static let areas: ClosedRange<Int32> = 14...4096

  private struct Component {
    var count: Int32 = 0
    /// The next size at which the shape is looked at while it grows by crumbs.
    var nextCheck: Int32 = areas.lowerBound
    /// An area that the picture's border cuts has its middle elsewhere.
    var isCut = false
    var x: Int64 = 0
    var y: Int64 = 0
    var xx: Int64 = 0
    var xy: Int64 = 0
    var yy: Int64 = 0
  }

  private var parents: [Int32]
  private var components: [Component]
  private var regions: [UniformRegion] = []

  /// The even areas of a plane, in pixels of the plane; empty after a cancellation.
  static func regions(of plane: TonePlane, isCancelled: () -> Bool) -> [UniformRegion] {
    let count = plane.width * plane.height
    guard plane.width > 4, plane.height > 4, count < 1 << 26 else { return [] }
    var search = UniformRegionSearch(count: count)
    let order = search.order(plane)
    let (width, height) = (plane.width, plane.height)
    for (step, place) in order.enumerated() {
      if step & 0x3fff == 0, isCancelled() { return [] }
      let index = Int(place)
      let (y, x) = index.quotientAndRemainder(dividingBy: width)
      search.begin(index, x: x, y: y, isCut: x == 1 || y == 1 || x == width - 2 || y == height - 2)
      if x > 1 { search.join(index, index - 1) }
      if x < width - 2 { search.join(index, index + 1) }
      if y > 1 { search.join(index, index - width) }
      if y < height - 2 { search.join(index, index + width) }
    }
    return search.regions
  }

  private init(count: Int) {
    parents = [Int32](repeating: -1, count: count)
    components = [Component](repeating: Component(), count: count)
  }

  /// The places of the plane, without its border, by rising gradient.
  private func order(_ plane: TonePlane) -> [Int32] {
    let bins = 4096
    // Steps that grow with the gradient: fine where noise ends and weak edges begin.
    func bin(_ gradient: Float) -> Int { gradient < 4 ? Int(gradient.squareRoot() * 2000) : bins - 1 }
    var starts = [Int](repeating: 0, count: bins + 1)
    func forEachPlace(_ body: (Int, Int) -> Void) {
      for y in 1..<plane.height - 1 {
        for index in y * plane.width + 1..<(y + 1) * plane.width - 1 { body(index, bin(plane.gradient[index])) }
      }
    }
    forEachPlace { starts[$1 + 1] += 1 }
    for index in 0..<bins { starts[index + 1] += starts[index] }
    var order = [Int32](repeating: 0, count: starts[bins])
    forEachPlace { place, bin in
      order[starts[bin]] = Int32(truncatingIfNeeded: place)
      starts[bin] += 1
    }
    return order
  }

  private mutating func begin(_ index: Int, x: Int, y: Int, isCut: Bool) {
    parents[index] = Int32(truncatingIfNeeded: index)
    let (x, y) = (Int64(x), Int64(y))
    components[index] = Component(count: 1, isCut: isCut, x: x, y: y, xx: x * x, xy: x * y, yy: y * y)
  }

  private mutating func root(_ index: Int) -> Int {
    var index = index
    while Int(parents[index]) != index {
      parents[index] = parents[Int(parents[index])]
      index = Int(parents[index])
    }
    return index
  }

  private mutating func join(_ first: Int, _ second: Int) {
    guard parents[second] >= 0 else { return }
    var a = root(first)
    var b = root(second)
    guard a != b else { return }
    if components[a].count < components[b].count { swap(&a, &b) }
    let small = components[b].count
    let large = components[a].count
    if small >= Self.areas.lowerBound { look(at: components[b]) }
    // A crumb does not change the larger area; from time to time many of them do.
    if large >= Self.areas.lowerBound, small > large / 8 || large >= components[a].nextCheck {
      look(at: components[a])
      components[a].nextCheck = large + large / 4
    }
    let other = components[b]
    components[a].count += other.count
    components[a].isCut = components[a].isCut || other.isCut
    components[a].x += other.x
    components[a].y += other.y
    components[a].xx += other.xx
    components[a].xy += other.xy
    components[a].yy += other.yy
    parents[b] = Int32(truncatingIfNeeded: a)
  }

  private mutating func look(at component: Component) {
    guard component.count <= Self.areas.upperBound, !component.isCut else { return }
    let n = Double(component.count)
    let center = SIMD2(Double(component.x), Double(component.y)) / n
    // A pixel is a square, with moments of its own.
    let moments = SIMD3(
      Double(component.xx) / n - center.x * center.x + 1.0 / 12, Double(component.xy) / n - center.x * center.y,
      Double(component.yy) / n - center.y * center.y + 1.0 / 12)
    let region = UniformRegion(center: center, area: n, moments: moments)
    guard region.determinant > 0, (0.8...1.1).contains(region.fill), region.elongation < 3 else { return }
    regions.append(region)
  }
}
