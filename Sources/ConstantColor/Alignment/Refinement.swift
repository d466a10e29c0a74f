import Raster

/// What one pass over the points found: a quadratic for each tile, and how large the differences were.
struct RefinementPass {
  var tiles: [MotionQuadratic]
  /// Median of the absolute structure differences.
  var deviation: Float
  /// The number of channels that entered.
  var count: Int
  /// Of each tile: the channels that entered, and the share of them that agrees, weighted.
  var counts: [Int]
  var shares: [Float]

  /// The share that tiles usually have: the upper quartile.
  var usualShare: Float {
    let known = shares.indices.compactMap { counts[$0] > 0 ? shares[$0] : nil }.sorted()
    return known.isEmpty ? 1 : max(known[known.count * 3 / 4], 0.01)
  }

  /// All tiles together.
  var total: MotionQuadratic {
    var total = MotionQuadratic()
    for tile in tiles { total.add(tile) }
    return total
  }
}

/// Registration of one level of two structure pyramids: Gauss-Newton on the flash frame's gradients with Tukey's biweight, so
/// that shadows and highlights of one light only, moving things, and clipped places do not pull.
///
/// Baker and Matthews, "Lucas-Kanade 20 years on", IJCV 56 (2004); Odobez and Bouthemy (1995) for the robust weights.
struct Refinement {
  let points: StructurePoints
  let ambient: StructurePlane
  let frame: MotionFrame

  init(flash: StructurePlane, ambient: StructurePlane, execution: Execution) {
    points = StructurePoints(flash, execution: execution)
    self.ambient = ambient
    frame = MotionFrame(width: flash.width, height: flash.height)
  }

  /// The half-width of Tukey's biweight in units of the median absolute difference.
  private static let tukey: Float = 5

  /// So many points tell the way; all of them, where it ends.
  private static let enough = 120_000

  /// How strictly tiles must agree with most others: loosely while the map is coarse, strictly at the end. (A strict limit from
  /// the beginning would choose one depth of a scene by chance.)
  enum Consensus: Double {
    case loose = 6
    case fair = 4
    case strict = 2
  }

  /// Moves `map` (samples to samples) within `model` until it rests; nil where structure does not determine it.
  func refine(
    _ map: Homography, within model: AlignmentModel, rounds: Int, deviation start: Float,
    consensus: Consensus, execution: Execution
  ) -> (map: Homography, pass: RefinementPass)? {
    var map = map
    var deviation = start
    let rectangle = Rectangle(width: points.width, height: points.height)
    for round in 0...rounds {
      let share = consensus == .strict ? 1 : max(1, points.count / Self.enough)
      let pass = pass(map, deviation: deviation, consensus: consensus, everyTile: share, execution: execution)
      if execution.cancellation.isCancelled { return nil }
      guard pass.count >= 100 else { return nil }
      deviation = pass.deviation
      if round == rounds || model == .identity { return (map, pass) }
      guard let motion = pass.total.minimum(basis: model.basis), let next = frame.moved(map, by: motion),
        next.isPlausible(over: rectangle)
      else { return nil }
      let step = next.cornerDistance(to: map, over: rectangle)
      map = next
      // So small a step changes nothing that the last pass found.
      if step < 0.004 { return (map, pass) }
    }
    return nil
  }

  /// The normal equations of every tile under `map`, strays distrusted.
  func pass(
    _ map: Homography, deviation: Float, consensus: Consensus, everyTile step: Int = 1, execution: Execution
  ) -> RefinementPass {
    var pass = pass(deviation: deviation, everyTile: step, execution: execution) { _ in map }
    pass.distrustStrays(beyond: consensus.rawValue)
    return pass
  }

  /// The normal equations of every tile under a map of its own; or of one in `step` tiles, spread evenly.
  func pass(
    deviation: Float, everyTile step: Int = 1, execution: Execution, map: (Int) -> Homography
  ) -> RefinementPass {
    var parts: [TileSum] = []
    StructureSampler.with(ambient) { sampler in
      parts = execution.map(points.tiles.count, placeholder: TileSum(frame)) { index in
        guard StructureAgreement.isChosen(index, points.columns, everyTile: step) else { return TileSum(frame) }
        return sum(points.tiles[index], sampler, map(index), limit: Self.tukey * max(deviation, 0.02))
      }
    }
    var histogram = [Int](repeating: 0, count: TileSum.classes)
    for part in parts {
      for (index, count) in part.histogram.enumerated() { histogram[index] += Int(count) }
    }
    let count = histogram.reduce(0, +)
    var (seen, median) = (0, 0)
    while median < histogram.count - 1, 2 * (seen + histogram[median]) < count {
      seen += histogram[median]
      median += 1
    }
    return RefinementPass(
      tiles: parts.map(\.quadratic), deviation: (Float(median) + 0.5) / TileSum.classesPerUnit, count: count,
      counts: parts.map { Int($0.known) }, shares: parts.map { $0.agreeing / max($0.known, 1) })
  }

  private func sum(_ points: [StructurePoints.Point], _ sampler: StructureSampler, _ map: Homography, limit: Float)
    -> TileSum
  {
    var sum = TileSum(frame)
    var cell = CellSum()
    let inverse = 1 / (limit * limit)
    for (index, point) in points.enumerated() {
      if !cell.contains(point.x, point.y) {
        sum.add(cell)
        cell = CellSum(around: point.x, point.y, map)
      }
      let place = cell.place(point.x, point.y)
      guard let sample = sampler.sample(place.x, place.y) else { continue }
      let difference = sample - point.structure
      let known = difference .== difference
      let r = difference.replacing(with: 0, where: .!known)
      let t = (SIMD4(repeating: 1) - r * r * inverse).greater(.zero)
      let weight = (t * t).replacing(with: 0, where: .!known)
      cell.add(weight: weight, point.gradientX, point.gradientY, r)
      sum.agreeing += weight.sum()
      sum.known += SIMD4<Float>.zero.replacing(with: 1, where: known).sum()
      // A quarter of the points tell the median well enough.
      if index & 3 == 0 { sum.count(r, known) }
    }
    sum.add(cell)
    return sum
  }
}

/// Sums over the points of a small square, lane by lane. So close together all points move alike: the square's middle
/// stands for their places.
private struct CellSum {
  static let side: Float = Float(StructurePoints.cell)

  private var left: Float = -.infinity, top: Float = -.infinity
  private var xx = SIMD4<Float>.zero, xy = SIMD4<Float>.zero, yy = SIMD4<Float>.zero
  private var bx = SIMD4<Float>.zero, by = SIMD4<Float>.zero
  private var map = LocalMap()

  init() {}

  init(around x: Float, _ y: Float, _ map: Homography) {
    left = (x / Self.side).rounded(.down) * Self.side
    top = (y / Self.side).rounded(.down) * Self.side
    self.map = LocalMap(map, around: SIMD2<Double>(middle))
  }

  /// Where the map brings a place in the square.
  @inline(__always)
  func place(_ x: Float, _ y: Float) -> SIMD2<Float> { map.apply(x - middle.x, y - middle.y) }

  @inline(__always)
  func contains(_ x: Float, _ y: Float) -> Bool {
    x >= left && y >= top && x < left + Self.side && y < top + Self.side
  }

  @inline(__always)
  mutating func add(
    weight: SIMD4<Float>, _ gx: SIMD4<Float>, _ gy: SIMD4<Float>, _ r: SIMD4<Float>
  ) {
    let wx = weight * gx
    let wy = weight * gy
    xx += wx * gx
    xy += wx * gy
    yy += wy * gy
    bx -= wx * r
    by -= wy * r
  }

  /// The middle of the square, and the sums: gradient products, gradients times differences.
  var middle: SIMD2<Float> { SIMD2(left, top) + (Self.side - 1) / 2 }
  var isEmpty: Bool { left == -.infinity }
  var products: SIMD3<Float> { SIMD3(xx.sum(), xy.sum(), yy.sum()) }
  var moments: SIMD2<Float> { SIMD2(bx.sum(), by.sum()) }
}

/// Sums over the cells of one tile.
private struct TileSum {
  static let classes = 256
  static let classesPerUnit: Float = 128

  private var r0 = SIMD8<Float>.zero, r1 = SIMD8<Float>.zero, r2 = SIMD8<Float>.zero, r3 = SIMD8<Float>.zero
  private var r4 = SIMD8<Float>.zero, r5 = SIMD8<Float>.zero, r6 = SIMD8<Float>.zero, r7 = SIMD8<Float>.zero
  private var b = SIMD8<Float>.zero
  private let center: SIMD2<Float>
  private let radius: Float
  var histogram = [Int32](repeating: 0, count: TileSum.classes)
  /// Channels that entered, and the sum of their weights.
  var known: Float = 0
  var agreeing: Float = 0

  init(_ frame: MotionFrame) {
    center = SIMD2(Float(frame.denormalize.row0.z), Float(frame.denormalize.row1.z))
    radius = Float(frame.radius)
  }

  @inline(__always)
  mutating func count(_ r: SIMD4<Float>, _ known: SIMDMask<SIMD4<Int32>>) {
    let top = Float(Self.classes - 1)
    for channel in 0..<3 where known[channel] {
      histogram[Int(min(abs(r[channel]) * Self.classesPerUnit, top))] &+= 1
    }
  }

  mutating func add(_ cell: CellSum) {
    guard !cell.isEmpty else { return }
    let place = (cell.middle - center) / radius
    let (u, v) = (place.x, place.y)
    let products = cell.products * (radius * radius)
    let moments = cell.moments * radius
    let jx = SIMD8<Float>(u, v, 1, 0, 0, 0, -u * u, -u * v)
    let jy = SIMD8<Float>(0, 0, 0, u, v, 1, -u * v, -v * v)
    let p = jx * products.x + jy * products.y
    let q = jx * products.y + jy * products.z
    r0 += p * u
    r1 += p * v
    r2 += p
    r3 += q * u
    r4 += q * v
    r5 += q
    r6 += p * (-u * u) + q * (-u * v)
    r7 += p * (-u * v) + q * (-v * v)
    b += jx * moments.x + jy * moments.y
  }

  var quadratic: MotionQuadratic {
    MotionQuadratic(
      rows: [r0, r1, r2, r3, r4, r5, r6, r7].map { SIMD8<Double>($0) }, b: SIMD8<Double>(b))
  }
}
