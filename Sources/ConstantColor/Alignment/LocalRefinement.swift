import Raster

/// What depth leaves over once one map was found for the whole frame: small shifts on a grid, from coarse to fine.
///
/// Every tile of structure asks for a shift of its own, and counts as much as it knows and agrees; neighbours are held
/// together by a membrane that lets go where depth jumps (Geman and McClure's function). Tiles in which the two lights show
/// different edges, such as the edge of a flash shadow, agree little and follow their neighbours. A shift stays only where the
/// independent check says that it helps.
struct LocalRefinement {
  let flash, ambient: StructurePyramid
  /// Of the levels, from the finest on.
  let refinements: [Refinement]
  let execution: Execution

  /// The level on which shifts begin: four times as coarse as the finest.
  static let coarsest = 2

  /// The field that leads on from `map` (frame to frame); nil where none helps.
  func field(around map: Homography) -> DisplacementField? {
    var field: DisplacementField?
    for level in refinements.indices.prefix(Self.coarsest + 1).reversed() {
      if execution.cancellation.isCancelled { return nil }
      guard let grid = grid(of: level) else { return nil }
      var next = field.map { DisplacementField($0, on: grid) } ?? DisplacementField(grid)
      var deviation: Float = 0.4
      for _ in 0..<4 {
        guard let pass = pass(map, next, level, deviation) else { return nil }
        // What lies a sample or two aside is seen only by those who look that far; the finest level looks closely.
        deviation = max(pass.deviation, level > 0 ? 0.4 : 0.2)
        relax(&next, pass, level)
      }
      field = next
    }
    return field.flatMap { helping($0, map) }
  }

  /// The middles of a level's tiles.
  private func grid(of level: Int) -> NodeGrid? {
    let middle = Double(StructurePoints.tile - 1) / 2
    let points = refinements[level].points
    return flash.placement(of: level).apply(to: SIMD2(middle, middle)).flatMap {
      NodeGrid(
        columns: points.columns, rows: points.rows, origin: $0,
        spacing: Double(StructurePoints.tile * flash.levels[level].factor))
    }
  }

  /// What every tile says under the map and its own shift.
  func pass(_ map: Homography, _ field: DisplacementField?, _ level: Int, _ deviation: Float) -> RefinementPass? {
    guard let samples = flash.samples(map, to: ambient, level) else { return nil }
    let factor = Double(flash.levels[level].factor)
    return refinements[level].pass(deviation: deviation, execution: execution) { tile in
      guard let field else { return samples }
      let shift = SIMD2<Double>(field.shifts[tile]) / factor
      return samples.concatenating(after: .translation(x: shift.x, y: shift.y)) ?? samples
    }
  }

  /// How strongly neighbours hold together, and all of them to the global map, beside a tile that knows as much as most.
  private static let (tension, rest) = (Float(0.5), Float(0.01))

  /// Moves the field towards what the tiles ask for.
  private func relax(_ field: inout DisplacementField, _ pass: RefinementPass, _ level: Int) {
    let factor = Float(flash.levels[level].factor)
    let scale = Float(refinements[level].frame.radius) * factor
    let (columns, rows) = (field.grid.columns, field.grid.rows)
    let known = pass.tiles.compactMap(\.shift).map(\.information).sorted()
    guard !known.isEmpty, pass.tiles.count == columns * rows, known[known.count / 2] > 0 else { return }
    let typical = known[known.count / 2]
    let usual = pass.usualShare
    // In each place: how much the tile knows in x, across and in y, and where it wants to be.
    var wishes = [(xx: Float, xy: Float, yy: Float, place: SIMD2<Float>)](
      repeating: (0, 0, 0, .zero), count: columns * rows)
    for (index, tile) in pass.tiles.enumerated() {
      guard let shift = tile.shift else { continue }
      let trust = max(0, min(1, (pass.shares[index] / usual - 0.5) * 2.5))
      // No tile knows more than four others, and none sees farther than what its own structure spans.
      let weight = trust / Float(max(typical, shift.information / 4))
      var step = SIMD2(Float(shift.x), Float(shift.y)) * scale
      let length = (step * step).sum().squareRoot()
      guard length.isFinite else { continue }
      if length > factor { step *= factor / length }
      wishes[index] = (
        Float(tile.rows[2][2]) * weight, Float(tile.rows[2][5]) * weight, Float(tile.rows[5][5]) * weight,
        field.shifts[index] + step
      )
    }
    for _ in 0..<60 {
      for index in wishes.indices {
        let wish = wishes[index]
        let here = field.shifts[index]
        var (sum, total) = (SIMD2<Float>.zero, Float(0))
        func hold(_ neighbour: Int) {
          let there = field.shifts[neighbour]
          let jump = (there - here) / factor
          let weight = Self.tension / (1 + (jump * jump).sum())
          sum += there * weight
          total += weight
        }
        if index % columns > 0 { hold(index - 1) }
        if index % columns < columns - 1 { hold(index + 1) }
        if index >= columns { hold(index - columns) }
        if index < columns * (rows - 1) { hold(index + columns) }
        let (a, b, c) = (wish.xx + total + Self.rest, wish.xy, wish.yy + total + Self.rest)
        let right =
          sum + SIMD2(wish.xx * wish.place.x + wish.xy * wish.place.y, wish.xy * wish.place.x + wish.yy * wish.place.y)
        let determinant = a * c - b * b
        guard determinant > 0 else { continue }
        field.shifts[index] = SIMD2(c * right.x - b * right.y, a * right.y - b * right.x) / determinant
      }
    }
  }

  /// The shifts that make structure agree better than without them, faded out elsewhere; nil where none do.
  private func helping(_ field: DisplacementField, _ map: Homography) -> DisplacementField? {
    let toFrame = flash.placement(of: 0)
    func agreement(_ field: DisplacementField?) -> StructureAgreement {
      StructureAgreement(flash.levels[0], ambient.levels[0], execution: execution) { sample in
        let shift = field.flatMap { field in toFrame.apply(to: sample).map { field.shift(at: $0) } } ?? .zero
        let moved = map.concatenating(after: .translation(x: shift.x, y: shift.y)) ?? map
        return flash.samples(moved, to: ambient, 0) ?? .identity
      }
    }
    let plain = agreement(nil)
    let gains = zip(agreement(field).tiles, plain.tiles).enumerated().compactMap { index, tiles in
      toFrame.apply(to: plain.middle(of: index)).flatMap { place in
        tiles.0.weight > 0 ? (place: place, gain: Float(tiles.0.correlation - tiles.1.correlation)) : nil
      }
    }
    var helps = [Float](repeating: 0, count: field.shifts.count)
    let reach = field.grid.spacing * 1.6
    for node in field.shifts.indices {
      let place = field.grid.place(node)
      var (count, sum, squares) = (Float(0), Float(0), Float(0))
      for tile in gains {
        let distance = tile.place - place
        guard abs(distance.x) < reach, abs(distance.y) < reach else { continue }
        count += 1
        sum += tile.gain
        squares += tile.gain * tile.gain
      }
      guard count >= 4 else { continue }
      let mean = sum / count
      let error = (max(squares / count - mean * mean, 0) / count).squareRoot()
      if mean > 0.01, mean > 2 * error { helps[node] = 1 }
    }
    let result = field.faded(helps)
    guard result.largest > 0.1, agreement(result).advantage(over: [plain]) > 3 else { return nil }
    return result
  }

  /// How far the tiles of the finest level still disagree with what `pass` was made under.
  func residuals(_ pass: RefinementPass) -> ResidualMap? {
    guard let grid = grid(of: 0) else { return nil }
    let factor = Float(flash.levels[0].factor)
    let scale = Float(refinements[0].frame.radius) * factor
    let usual = pass.usualShare
    // The standard deviation of what structure differs by in the whole frame, from its median.
    let deviation = Double(pass.deviation) * 1.48
    let residuals = pass.tiles.indices.map { index -> Float in
      guard let shift = pass.tiles[index].shift, pass.counts[index] > 0 else { return 0 }
      // What chance leaves of the shift; smoothing has made about twelve neighbours one.
      let noise = 24 * deviation * deviation / shift.information
      let square = max(0, shift.x * shift.x + shift.y * shift.y - noise)
      // A tile that agrees in few places only holds something else in each frame, or something that moved farther than structure sees.
      let strange = max(0, 0.85 - pass.shares[index] / usual) * 4 * factor
      return (Float(square) * scale * scale + strange * strange).squareRoot()
    }
    return ResidualMap(grid: grid, residuals: residuals)
  }
}

extension DisplacementField {
  /// The field where `weights` (0 or 1 for each node) say so, fading to nothing from there.
  fileprivate func faded(_ weights: [Float]) -> DisplacementField {
    let (columns, rows) = (grid.columns, grid.rows)
    var result = self
    for row in 0..<rows {
      for column in 0..<columns {
        var (sum, count) = (Float(0), Float(0))
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
          for x in max(0, column - 1)...min(columns - 1, column + 1) {
            sum += weights[y * columns + x]
            count += 1
          }
        }
        result.shifts[row * columns + column] *= min(1, 1.5 * sum / count)
      }
    }
    return result
  }
}
