import Glibc
import Raster

/// A place to begin registration from.
struct StartingPoint {
  /// From samples of the flash frame's level to samples of the ambient frame's.
  var map: Homography
  /// The height of the correlation peak over the root mean square of its surface; about 4 to 5 is chance.
  var strength: Double
}

/// Finds shifts of a whole frame, for a list of supposed rotations and scales.
///
/// Kuglin and Hines, "The phase correlation image alignment method" (1975), on a small level of the structure
/// pyramid, with a Hann window and a floor under the spectrum's magnitude, so that empty frequencies say nothing instead of 0/0.
struct PhaseCorrelation {
  private let transform: FourierTransform
  private let flash, ambient: ScalarPlane
  private let spectrum: [SIMD2<Double>]

  /// The largest side of a level that is worth its time.
  static let largestSide = 256

  /// Prepares the search of `flash` in `ambient`, in the sum of the lanes with these weights.
  init(flash: StructurePlane, ambient: StructurePlane, lanes: SIMD4<Float>) {
    let scalar = ScalarPlane(flash, lanes)
    self.flash = scalar
    self.ambient = ScalarPlane(ambient, lanes)
    transform = FourierTransform(side: max(flash.width, flash.height, ambient.width, ambient.height))
    var plane = [SIMD2<Double>](repeating: .zero, count: transform.side * transform.side)
    scalar.draw(into: &plane, side: transform.side, lane: 0, size: (flash.width, flash.height)) { scalar[$0, $1] }
    transform.transform(&plane, inverse: false)
    spectrum = plane
  }

  /// The best shift for each supposed rotation (radians) and scale; strongest first.
  func startingPoints(_ supposed: [(rotation: Double, scale: Double)], execution: Execution) -> [StartingPoint] {
    let pairs = (supposed.count + 1) / 2
    let found: [[StartingPoint]] = execution.map(pairs, placeholder: []) { pair in
      search(Array(supposed[2 * pair..<min(supposed.count, 2 * pair + 2)]))
    }
    return found.flatMap { $0 }.sorted { $0.strength > $1.strength }
  }

  /// Two suppositions at once: the real and the imaginary part of one transform.
  private func search(_ supposed: [(rotation: Double, scale: Double)]) -> [StartingPoint] {
    let side = transform.side
    let maps = supposed.map { centered(rotation: $0.rotation, scale: $0.scale) }
    var plane = [SIMD2<Double>](repeating: .zero, count: side * side)
    for (lane, map) in maps.enumerated() {
      flash.draw(into: &plane, side: side, lane: lane, size: (flash.width, flash.height)) { x, y in
        let (u, v) = (Double(x), Double(y))
        return ambient.sample(
          map.row0.x * u + map.row0.y * v + map.row0.z, map.row1.x * u + map.row1.y * v + map.row1.z)
      }
    }
    transform.transform(&plane, inverse: false)
    var surface = [SIMD2<Double>](repeating: .zero, count: side * side)
    var cross = surface
    var sums = SIMD2<Double>.zero
    for y in 0..<side {
      for x in 0..<side {
        let i = y &* side &+ x
        let mirror = plane[((side &- y) & (side &- 1)) &* side &+ ((side &- x) & (side &- 1))]
        let z = plane[i]
        let first = SIMD2(z.x + mirror.x, z.y - mirror.y) * 0.5
        let second = SIMD2(z.y + mirror.y, mirror.x - z.x) * 0.5
        let f = spectrum[i]
        let a = SIMD2(first.x * f.x + first.y * f.y, first.y * f.x - first.x * f.y)
        let b = SIMD2(second.x * f.x + second.y * f.y, second.y * f.x - second.x * f.y)
        surface[i] = a
        cross[i] = b
        sums += SIMD2((a.x * a.x + a.y * a.y).squareRoot(), (b.x * b.x + b.y * b.y).squareRoot())
      }
    }
    let floor = sums / Double(side * side) * 0.3
    for i in surface.indices {
      let (a, b) = (surface[i], cross[i])
      let wa = 1 / ((a.x * a.x + a.y * a.y).squareRoot() + floor.x + 1e-30)
      let wb = 1 / ((b.x * b.x + b.y * b.y).squareRoot() + floor.y + 1e-30)
      surface[i] = SIMD2(a.x * wa - b.y * wb, a.y * wa + b.x * wb)
    }
    transform.transform(&surface, inverse: true)
    return maps.enumerated().compactMap { lane, map in
      guard let peak = peak(surface, lane: lane) else { return nil }
      guard let shifted = map.concatenating(after: .translation(x: peak.x, y: peak.y)) else { return nil }
      return StartingPoint(map: shifted, strength: peak.z)
    }
  }

  /// A rotation and scale that takes the middle of the flash level to the middle of the ambient level.
  private func centered(rotation: Double, scale: Double) -> Homography {
    let middle = SIMD2(Double(flash.width - 1), Double(flash.height - 1)) / 2
    let target = SIMD2(Double(ambient.width - 1), Double(ambient.height - 1)) / 2
    return .similarity(rotation: rotation, scale: scale, about: middle, shift: target - middle)
  }

  /// The highest place of one lane, to a part of a sample, and its height over the surface's root mean square; nil for a
  /// surface that says nothing.
  private func peak(_ surface: [SIMD2<Double>], lane: Int) -> SIMD3<Double>? {
    let side = transform.side
    let reach = (x: min(side / 2 - 1, flash.width / 2), y: min(side / 2 - 1, flash.height / 2))
    var (best, bestX, bestY, energy) = (-Double.infinity, 0, 0, 0.0)
    for value in surface { energy += value[lane] * value[lane] }
    let deviation = (energy / Double(side * side)).squareRoot()
    func at(_ x: Int, _ y: Int) -> Double { surface[(y & (side - 1)) * side + (x & (side - 1))][lane] }
    for y in -reach.y...reach.y {
      for x in -reach.x...reach.x where at(x, y) > best { (best, bestX, bestY) = (at(x, y), x, y) }
    }
    guard deviation > 0, best.isFinite, best > 0 else { return nil }
    func vertex(_ before: Double, _ after: Double) -> Double {
      let curvature = before - 2 * best + after
      return curvature < 0 ? min(0.5, max(-0.5, 0.5 * (before - after) / curvature)) : 0
    }
    return SIMD3(
      Double(bestX) + vertex(at(bestX - 1, bestY), at(bestX + 1, bestY)),
      Double(bestY) + vertex(at(bestX, bestY - 1), at(bestX, bestY + 1)), best / deviation)
  }
}

/// The weighted sum of a structure plane's lanes; unknown counts as 0.
private struct ScalarPlane {
  let width, height: Int
  private let values: [Float]

  init(_ plane: StructurePlane, _ lanes: SIMD4<Float>) {
    width = plane.width
    height = plane.height
    values = plane.samples.map { sample in
      let known = sample.replacing(with: 0, where: sample .!= sample)
      return (known * lanes).sum()
    }
  }

  subscript(x: Int, y: Int) -> Float { values[y * width + x] }

  /// Bilinear interpolation; 0 outside.
  func sample(_ x: Double, _ y: Double) -> Float {
    guard x >= 0, y >= 0, x < Double(width - 1), y < Double(height - 1) else { return 0 }
    let (column, row) = (Int(x), Int(y))
    let (u, v) = (Float(x) - Float(column), Float(y) - Float(row))
    let i = row &* width &+ column
    let top = values[i] * (1 - u) + values[i &+ 1] * u
    let bottom = values[i &+ width] * (1 - u) + values[i &+ width &+ 1] * u
    return top * (1 - v) + bottom * v
  }

  /// Writes `value` under a Hann window into one lane of a square plane.
  func draw(
    into plane: inout [SIMD2<Double>], side: Int, lane: Int, size: (width: Int, height: Int),
    _ value: (Int, Int) -> Float
  ) {
    func window(_ count: Int) -> [Double] {
      (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(count)) }
    }
    let (horizontal, vertical) = (window(size.width), window(size.height))
    for y in 0..<min(side, size.height) {
      for x in 0..<min(side, size.width) {
        plane[y * side + x][lane] = Double(value(x, y)) * horizontal[x] * vertical[y]
      }
    }
  }
}
