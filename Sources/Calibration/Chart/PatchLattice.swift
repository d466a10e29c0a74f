import ConstantColor
import Raster

/// Even areas that stand in rows and columns like the patches of a chart.
struct PatchLattice {
  /// Cells lie at whole numbers from -reach to reach.
  static let reach = 8

  /// From lattice coordinates to pixels; lattice axes turn as the picture's do (x towards y).
  private(set) var map: Homography
  /// The region at each cell, row after row, or -1.
  private(set) var regions: [Int32]
  /// How many cells have a region.
  private(set) var count = 0

  private static let side = 2 * reach + 1

  /// The place of a cell in `regions`; nil outside.
  static func index(column: Int, row: Int) -> Int? {
    guard abs(column) <= reach, abs(row) <= reach else { return nil }
    return (row + reach) * side + column + reach
  }

  /// The cells that have a region.
  var cells: [(column: Int, row: Int, region: Int)] {
    regions.indices.compactMap { index in
      guard regions[index] >= 0 else { return nil }
      return (index % Self.side - Self.reach, index / Self.side - Self.reach, Int(regions[index]))
    }
  }

  /// Grows a lattice from a region and two of its neighbours, the next cell and the one in the next row.
  ///
  /// From the cells that are known a map is fitted (affine, with more of them projective), which predicts the
  /// cells around; regions that are there and have a patch's size join, until none is left to join.
  init?(seed: LatticeSeed, in all: UniformRegions) {
    regions = [Int32](repeating: -1, count: Self.side * Self.side)
    let places: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(1, 0), SIMD2(0, 1)]
    let members = [seed.region, seed.right, seed.below]
    guard let first = ProjectiveFit.affine(from: places, to: members.map { all.all[$0].center }) else { return nil }
    map = first
    for (place, region) in zip(places, members) { set(Int(place.x), Int(place.y), region) }
    for _ in 0..<12 {
      let joined = grow(in: all)
      guard refit(in: all) else { return nil }
      if !joined { break }
    }
  }

  /// A lattice whose map is known, with the regions that lie on the cells of `columns` and `rows`.
  init(map: Homography, columns: Range<Int>, rows: Range<Int>, in all: UniformRegions) {
    self.map = map
    regions = [Int32](repeating: -1, count: Self.side * Self.side)
    for row in rows {
      for column in columns {
        if let region = region(at: column, row, in: all) { set(column, row, region) }
      }
    }
  }

  private mutating func set(_ column: Int, _ row: Int, _ region: Int) {
    guard let index = Self.index(column: column, row: row) else { return }
    if regions[index] < 0 { count += 1 }
    regions[index] = Int32(truncatingIfNeeded: region)
  }

  /// Looks for regions on the cells next to those that are known; true when one joined.
  private mutating func grow(in all: UniformRegions) -> Bool {
    var joined = false
    // A map from few cells is not to be trusted far from them.
    let step = count < 6 ? 1 : 2
    for cell in cells {
      for row in cell.row - step...cell.row + step {
        for column in cell.column - step...cell.column + step {
          guard let index = Self.index(column: column, row: row), regions[index] < 0,
            let region = region(at: column, row, in: all)
          else { continue }
          set(column, row, region)
          joined = true
        }
      }
    }
    return joined
  }

  /// The region nearest to where the map expects a cell, if there is one of a patch's size.
  private func region(at column: Int, _ row: Int, in all: UniformRegions) -> Int? {
    let place = SIMD2(Double(column), Double(row))
    guard let point = map.apply(to: place), let axes = ChartGeometry.axes(map, at: place) else { return nil }
    let cell = cross(axes.0, axes.1)
    let pitch = cell.squareRoot()
    let shorter = min(length(axes.0), length(axes.1))
    guard pitch > 3, pitch < 4000, shorter > pitch / 4 else { return nil }
    var best: Int?
    var smallest = 0.2 * shorter
    // Patches fill 0.6 to all of their cell's area; blur and noise eat from the edges.
    all.forEach(near: point, radius: smallest, sides: 0.5 * pitch...1.08 * pitch) { index in
      // Of two nested areas the larger one knows more of the patch's edges.
      let region = all.all[index]
      let distance = length(region.center - point) + 0.1 * (1.08 * pitch - region.side)
      if distance < smallest {
        smallest = distance
        best = index
      }
    }
    return best
  }

  /// Fits the map to the cells, without those that do not lie on it.
  private mutating func refit(in all: UniformRegions) -> Bool {
    for _ in 0..<2 {
      let cells = cells
      let places = cells.map { SIMD2(Double($0.column), Double($0.row)) }
      let points = cells.map { all.all[$0.region].center }
      let fitted =
        cells.count < 7
        ? ProjectiveFit.affine(from: places, to: points)
        : ProjectiveFit.homography(from: places, to: points) ?? ProjectiveFit.affine(from: places, to: points)
      guard let fitted else { return false }
      map = fitted
      var isClean = true
      for (cell, place) in zip(cells, places) {
        guard let axes = ChartGeometry.axes(map, at: place), let point = map.apply(to: place), cross(axes.0, axes.1) > 0
        else { return false }
        let tolerance = 0.15 * min(length(axes.0), length(axes.1))
        if length(all.all[cell.region].center - point) > tolerance,
          let index = Self.index(column: cell.column, row: cell.row)
        {
          regions[index] = -1
          count -= 1
          isClean = false
        }
      }
      if isClean || count < 3 { break }
    }
    return count >= 3
  }
}

/// A region with two neighbours that span a lattice.
struct LatticeSeed {
  /// The region, the one in the next column and the one in the next row.
  var region, right, below: Int
  /// How many of the eight cells around the region are taken.
  var support: Int

  /// The seed around a region; nil where its surroundings are no lattice.
  init?(at region: Int, in all: UniformRegions) {
    let middle = all.all[region]
    let whitening = middle.whitening
    func whitened(_ offset: SIMD2<Double>) -> SIMD2<Double> {
      SIMD2(
        whitening.x * offset.x + whitening.y * offset.y, whitening.y * offset.x + whitening.z * offset.y)
    }
    var neighbors: [(index: Int, offset: SIMD2<Double>, distance: Double)] = []
    let radius = 2.4 * middle.side * middle.elongation.squareRoot()
    all.forEach(near: middle.center, radius: radius, sides: 0.7 * middle.side...1.45 * middle.side) { index in
      let offset = whitened(all.all[index].center - middle.center)
      let distance = length(offset)
      if distance > 0.9, distance < 2.4 { neighbors.append((index, offset, distance)) }
    }
    // The order must not come from a hash table.
    neighbors.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
    neighbors = Array(neighbors.prefix(48))
    let near = neighbors.prefix(16).filter { $0.distance < 1.75 }
    var best: LatticeSeed?
    var bestError = Double.infinity
    for a in near {
      // Every lattice shows four such pairs, a quarter turn apart; one is enough.
      for b in near where cross(a.offset, b.offset) > 0.85 * a.distance * b.distance {
        guard max(a.distance, b.distance) < 1.45 * min(a.distance, b.distance) else { continue }
        var support = 0
        var error = 0.0
        for (column, row) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
          let expected = Double(column) * a.offset + Double(row) * b.offset
          var nearest = 0.2
          for neighbor in neighbors { nearest = min(nearest, length(neighbor.offset - expected)) }
          if nearest < 0.2 {
            support += 1
            error += nearest
          }
        }
        guard support >= 4 else { continue }
        error /= Double(support)
        if support > best?.support ?? 0 || (support == best?.support && error < bestError) {
          best = LatticeSeed(region: region, right: a.index, below: b.index, support: support)
          bestError = error
        }
      }
    }
    guard let best else { return nil }
    self = best
  }

  private init(region: Int, right: Int, below: Int, support: Int) {
    self.region = region
    self.right = right
    self.below = below
    self.support = support
  }
}
