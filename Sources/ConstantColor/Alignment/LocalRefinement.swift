import Raster

/// What depth leaves over once one map was found for the whole frame: small shifts on a grid, from coarse to fine.
///
/// Every tile of structure asks for a shift of its own, and counts as much as it knows and agrees; neighbours are held
/// together by a membrane that lets go where depth jumps (Geman and McClure's function). Tiles in which the two lights show
/// different edges, such as the edge of a flash shadow, agree little and follow their neighbours. A shift stays only where the
/// independent check says that it helps.
struct LocalRefinement {
  let flash, ambient: StructurePyramid
  let execution: Execution

  /// The field that leads on from `map` (frame to frame); nil where none helps.
  func field(around map: Homography, finest: Refinement) -> DisplacementField? {
    var field: DisplacementField?
    for level in (0...min(2, min(flash.levels.count, ambient.levels.count) - 1)).reversed() {
      if execution.cancellation.isCancelled { return nil }
      let refinement =
        level == 0
        ? finest : Refinement(flash: flash.levels[level], ambient: ambient.levels[level], execution: execution)
      guard let grid = grid(of: level, refinement) else { return nil }
      var next =
        field?.resampled(columns: grid.columns, rows: grid.rows, origin: grid.origin, spacing: grid.spacing) ?? grid
      var deviation: Float = 0.4
      for _ in 0..<4 {
        guard let pass = pass(map, next, level, refinement, deviation) else { return nil }
        // What lies a sample or two aside is seen only by those who look that far; the finest level looks closely.
        deviation = max(pass.deviation, level > 0 ? 0.4 : 0.2)
        relax(&next, pass, refinement, factor: flash.levels[level].factor)
      }
      field = next
    }
    return field.flatMap { helping($0, map) }
  }

  /// The grid of a level's tiles, without shifts.
  private func grid(of level: Int, _ refinement: Refinement) -> DisplacementField? {
    let middle = Double(StructurePoints.tile - 1) / 2
    let factor = Double(flash.levels[level].factor)
    return flash.placement(of: level).apply(to: SIMD2(middle, middle)).flatMap {
      DisplacementField(
        columns: refinement.points.columns, rows: refinement.points.rows, origin: $0,
        spacing: Double(StructurePoints.tile) * factor)
    }
  }

  /// What every tile says under the map and its own shift.
  func pass(
    _ map: Homography, _ field: DisplacementField?, _ level: Int, _ refinement: Refinement, _ deviation: Float
  ) -> RefinementPass? {
    guard let back = ambient.placement(of: level).inverse,
      let samples = back.concatenating(after: map)?.concatenating(after: flash.placement(of: level))
    else { return nil }
    guard let field, field.shifts.count == refinement.points.tiles.count else {
      return refinement.pass(deviation: deviation, execution: execution) { _ in samples }
    }
    let factor = Double(flash.levels[level].factor)
    return refinement.pass(deviation: deviation, execution: execution) { tile in
      let shift = SIMD2<Double>(field.shifts[tile]) / factor
      return samples.concatenating(after: .translation(x: shift.x, y: shift.y)) ?? samples
    }
  }

  /// How strongly neighbours hold together, and all of them to the global map, beside a tile that knows as much as most.
  private static let (tension, rest) = (Float(0.5), Float(0.01))

  /// Moves the field towards what the tiles ask for.
  private func relax(_ field: inout DisplacementField, _ pass: RefinementPass, _ refinement: Refinement, factor: Int) {
    let scale = Float(refinement.frame.radius) * Float(factor)
    let (columns, rows) = (field.columns, field.rows)
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
      if length > Float(factor) { step *= Float(factor) / length }
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
          let jump = ((there - here) / Float(factor))
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
    guard let placement = ambient.placement(of: 0).inverse else { return nil }
    let toFrame = flash.placement(of: 0)
    func agreement(_ field: DisplacementField?) -> StructureAgreement {
      StructureAgreement(flash.levels[0], ambient.levels[0], execution: execution) { sample in
        let shift = field.flatMap { field in toFrame.apply(to: sample).map { field.shift(at: $0) } } ?? .zero
        let moved = map.concatenating(after: .translation(x: shift.x, y: shift.y)) ?? map
        return placement.concatenating(after: moved)?.concatenating(after: toFrame) ?? .identity
      }
    }
    let plain = agreement(nil)
    let gains = zip(agreement(field).tiles, plain.tiles).map {
      $0.weight > 0 ? Float($0.correlation - $1.correlation) : .nan
    }
    var helps = [Float](repeating: 0, count: field.shifts.count)
    let reach = field.spacing * 1.6
    for node in field.shifts.indices {
      let place = field.origin + SIMD2(Double(node % field.columns), Double(node / field.columns)) * field.spacing
      var (count, sum, squares) = (Float(0), Float(0), Float(0))
      for (index, gain) in gains.enumerated() where gain.isFinite {
        guard let middle = toFrame.apply(to: plain.middle(of: index)) else { continue }
        let distance = middle - place
        guard abs(distance.x) < reach, abs(distance.y) < reach else { continue }
        count += 1
        sum += gain
        squares += gain * gain
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

  /// How far the tiles of the finest level still disagree with the map and the field.
  func residuals(_ map: Homography, _ field: DisplacementField?, _ refinement: Refinement) -> ResidualMap? {
    guard let grid = grid(of: 0, refinement), let pass = pass(map, field, 0, refinement, 0.2) else { return nil }
    let factor = Float(flash.levels[0].factor)
    let scale = Float(refinement.frame.radius) * factor
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
    return ResidualMap(
      columns: grid.columns, rows: grid.rows, origin: grid.origin, spacing: grid.spacing, residuals: residuals)
  }
}

extension DisplacementField {
  /// The field where `weights` (0 or 1 for each node) say so, fading to nothing from there.
  fileprivate func faded(_ weights: [Float]) -> DisplacementField {
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
