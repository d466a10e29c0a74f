import Raster

/// How well two structure planes agree under a map, judged by something registration did not optimise: the correlation of
/// contrast's own gradient magnitudes, tile by tile.
///
/// Magnitudes are blind to the sign of an edge, which a light from another side may turn.
struct StructureAgreement {
  /// Correlation (-1...1; 0 where the ambient frame has no data) and weight of each tile.
  let tiles: [(correlation: Double, weight: Double)]
  private let columns: Int

  /// Samples per side of a tile.
  static let tile = 24

  /// Compares `flash` with `ambient` seen through `map` (samples to samples).
  init(_ flash: StructurePlane, _ ambient: StructurePlane, _ map: Homography, execution: Execution) {
    self.init(flash, ambient, execution: execution) { _ in map }
  }

  /// Compares `flash` with `ambient`, each tile seen through the map that `map` gives for its middle.
  ///
  /// - Parameter enough: about so many tiles, spread evenly, stand for all where there are more; the others have no weight.
  init(
    _ flash: StructurePlane, _ ambient: StructurePlane, atLeast enough: Int = .max, execution: Execution,
    map: @Sendable (SIMD2<Double>) -> Homography
  ) {
    let tile = Self.tile
    let columns = max(0, flash.width - 2) / tile
    let rows = max(0, flash.height - 2) / tile
    let step = max(1, columns * rows / max(1, enough))
    var tiles: [(correlation: Double, weight: Double)] = []
    StructureSampler.with(ambient) { sampler in
      tiles = execution.map(columns * rows, placeholder: (0, 0)) { index in
        guard Self.isChosen(index, columns, everyTile: step) else { return (0, 0) }
        let (left, top) = (1 + index % columns * tile, 1 + index / columns * tile)
        return Self.compare(flash, sampler, map(Self.middle(of: index, columns)), left: left, top: top)
      }
    }
    self.tiles = tiles
    self.columns = columns
  }

  /// Whether a tile is one of those that stand for `step` each: a knight's move from one row to the next.
  static func isChosen(_ index: Int, _ columns: Int, everyTile step: Int) -> Bool {
    (index % columns + 2 * (index / columns)) % step == 0
  }

  private static func middle(of index: Int, _ columns: Int) -> SIMD2<Double> {
    let (left, top) = (1 + index % columns * tile, 1 + index / columns * tile)
    return SIMD2(Double(left), Double(top)) + Double(tile - 1) / 2
  }

  /// Where the middle of a tile lies, in samples.
  func middle(of index: Int) -> SIMD2<Double> { Self.middle(of: index, max(1, columns)) }

  /// The weighted mean of the tiles' correlations; 0 where no tile has structure.
  var mean: Double {
    let weight = tiles.reduce(0) { $0 + $1.weight }
    return weight > 0 ? tiles.reduce(0) { $0 + $1.correlation * $1.weight } / weight : 0
  }

  /// Tiles that have structure in the flash frame.
  var count: Int { tiles.count { $0.weight > 0 } }

  /// How far the tiles agree better than under the mean of `others`, in standard errors of that difference.
  func advantage(over others: [StructureAgreement]) -> Double {
    let differences = tiles.indices.compactMap { index -> Double? in
      guard tiles[index].weight > 0, !others.isEmpty else { return nil }
      let other = others.reduce(0) { $0 + $1.tiles[index].correlation } / Double(others.count)
      return tiles[index].correlation - other
    }
    guard differences.count > 1 else { return 0 }
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean / max(1e-9, (variance / count).squareRoot())
  }

  private static func compare(
    _ flash: StructurePlane, _ sampler: StructureSampler, _ map: Homography, left: Int, top: Int
  ) -> (correlation: Double, weight: Double) {
    let side = tile + 2
    return withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: 2 * side * side) { memory in
      flash.samples.withUnsafeBufferPointer { samples in
        let middle = Double(side - 1) / 2
        for y in 0..<side {
          let row = top + y - 1
          let local = LocalMap(map, around: SIMD2(Double(left) - 1 + middle, Double(row)))
          for x in 0..<side {
            let place = local.apply(Float(x) - Float(middle), 0)
            memory[y * side + x] = samples[row * flash.width + left + x - 1]
            memory[side * side + y * side + x] = sampler.sample(place.x, place.y) ?? SIMD4(repeating: .nan)
          }
        }
      }
      return correlation(memory)
    }
  }

  private static func correlation(_ memory: UnsafeMutableBufferPointer<SIMD4<Float>>) -> (
    correlation: Double, weight: Double
  ) {
    let side = tile + 2
    let offset = side * side
    var (n, sf, sa, sff, saa, sfa) = (Float(0), Float(0), Float(0), Float(0), Float(0), Float(0))
    var (lonely, lonelySquare, lonelyCount) = (Float(0), Float(0), Float(0))
    for y in 1...tile {
      for x in 1...tile {
        let i = y * side + x
        let fx = memory[i + 1] - memory[i - 1]
        let fy = memory[i + side] - memory[i - side]
        let ax = memory[offset + i + 1] - memory[offset + i - 1]
        let ay = memory[offset + i + side] - memory[offset + i - side]
        var f = fx * fx + fy * fy
        var a = ax * ax + ay * ay
        // Of the channels alone.
        (f.w, a.w) = (0, 0)
        let knownFlash = f .== f
        let known = knownFlash .& (a .== a)
        let alone = f.replacing(with: 0, where: .!knownFlash).sum().squareRoot()
        lonely += alone
        lonelySquare += alone * alone
        lonelyCount += 1
        guard known[0] || known[1] || known[2] else { continue }
        let mf = f.replacing(with: 0, where: .!known).sum().squareRoot()
        let ma = a.replacing(with: 0, where: .!known).sum().squareRoot()
        n += 1
        sf += mf
        sa += ma
        sff += mf * mf
        saa += ma * ma
        sfa += mf * ma
      }
    }
    // The weight is the flash frame's own, so that a map cannot win by looking away from difficult places.
    let energy = (lonelySquare - lonely * lonely / lonelyCount) / lonelyCount
    guard energy > 1e-4 else { return (0, 0) }
    let weight = Double(energy.squareRoot())
    guard n > Float(tile * tile / 4) else { return (0, weight) }
    let (vf, va, cross) = (sff - sf * sf / n, saa - sa * sa / n, sfa - sf * sa / n)
    guard vf > 1e-6, va > 1e-6 else { return (0, weight) }
    return (Double(cross / (vf * va).squareRoot()), weight)
  }
}
