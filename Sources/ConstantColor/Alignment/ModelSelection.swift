import Raster

/// Chooses the simplest model of motion that the pair gives evidence for.
///
/// Every model is fitted without one block of the frame and judged on that block, for each block in turn (leave-one-block-out
/// cross-validation, Stone 1974): a model with too many numbers does badly where it has not seen. The judge is
/// ``StructureAgreement``, which weighs places the same way whatever model is judged; the fit's own weights favour the
/// model they were found with.
struct ModelSelection {
  /// Blocks per side of the frame.
  static let side = 4

  let flash, ambient: StructurePlane
  let refinement: Refinement
  let execution: Execution

  /// A model with its estimate (samples to samples), and what the points say there; nil for a model without numbers.
  typealias Candidate = (model: AlignmentModel, map: Homography, pass: RefinementPass?)

  /// The best of `candidates`, from simple to general: one wins over a simpler one only where it agrees better on unseen
  /// blocks, by more than chance.
  func choose(_ candidates: [Candidate]) -> AlignmentModel {
    guard var best = candidates.first else { return .identity }
    var agreement = heldOut(best)
    for candidate in candidates.dropFirst() {
      let other = heldOut(candidate)
      if Self.isBetter(other, than: agreement, candidate.model) { (best, agreement) = (candidate, other) }
    }
    return best.model
  }

  /// Every hand turns a little between two pictures: the few numbers of a shift and a turn are soon believed. Perspective beyond
  /// that is rarer than a scene that is not flat, or that light has changed, both of which eight numbers fit a little: its
  /// gain in agreement must be large as well as sure.
  private static func isBetter(
    _ other: StructureAgreement, than agreement: StructureAgreement, _ model: AlignmentModel
  ) -> Bool {
    let gain = other.mean - agreement.mean
    let advantage = other.advantage(over: [agreement])
    return model == .homography ? min(gain, advantage) > 0 && gain * advantage > 0.035 : gain > 0.05 || advantage > 3
  }

  private static func block(_ index: Int, of count: Int) -> Int { min(side - 1, index * side / max(1, count)) }

  /// The agreement of each place under the model fitted to all blocks but the place's own.
  private func heldOut(_ candidate: Candidate) -> StructureAgreement {
    let maps = Self.maps(candidate, refinement)
    let (width, height) = (flash.width, flash.height)
    // The more tiles, the surer; but with so many nothing is left to chance.
    return StructureAgreement(flash, ambient, atLeast: 1500, execution: execution) { place in
      maps[Self.block(Int(place.y), of: height) * Self.side + Self.block(Int(place.x), of: width)]
    }
  }

  private static func maps(_ candidate: Candidate, _ refinement: Refinement) -> [Homography] {
    let none = [Homography](repeating: candidate.map, count: side * side)
    guard let pass = candidate.pass else { return none }
    let points = refinement.points
    var blocks = [MotionQuadratic](repeating: MotionQuadratic(), count: side * side)
    for (index, tile) in pass.tiles.enumerated() {
      let (row, column) = (index / points.columns, index % points.columns)
      blocks[block(row, of: points.rows) * side + block(column, of: points.columns)].add(tile)
    }
    let total = pass.total
    return blocks.map { block in
      var others = total
      others.add(block, sign: -1)
      return others.minimum(basis: candidate.model.basis)
        .flatMap { refinement.frame.moved(candidate.map, by: $0) } ?? candidate.map
    }
  }
}

extension RefinementPass {
  /// The root mean square of the shifts that single tiles would still like, in samples, weighted with what each tile knows; NaN
  /// where no tile knows anything.
  func residual(radius: Double) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for shift in tiles.compactMap(\.shift) {
      sum += (shift.x * shift.x + shift.y * shift.y) * shift.information
      weight += shift.information
    }
    return weight > 0 ? (sum / weight).squareRoot() * radius : .nan
  }

  /// Takes weight from tiles that want to go elsewhere than most: there the lights have changed the picture's edges
  /// coherently (a shadow beside an object), or something moved, and each pixel alone looks credible. `limit` is the shift at
  /// which a tile no longer counts, in units of the median shift.
  mutating func distrustStrays(beyond limit: Double) {
    let lengths = tiles.map { tile in tile.shift.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() } }
    let sorted = lengths.compactMap(\.self).sorted()
    guard sorted.count >= 12 else { return }
    let limit = sorted[sorted.count / 2] * limit
    guard limit > 0 else { return }
    for index in tiles.indices {
      guard let length = lengths[index] else { continue }
      let t = max(0, 1 - (length / limit) * (length / limit))
      tiles[index].scale(by: t * t)
    }
  }
}
