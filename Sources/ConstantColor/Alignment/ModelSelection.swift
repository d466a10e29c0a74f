/// Chooses the simplest model of motion that the pair gives evidence for.
///
/// Every model is fitted without one block of the frame and judged on that block, for each block in turn (leave-one-block-out
/// cross-validation, Stone 1974): a model with too many numbers does badly where it has not seen.
struct ModelSelection {
  /// Blocks per side of the frame.
  static let side = 4

  private let blocks: [MotionQuadratic]
  private let total: MotionQuadratic
  private let frame: MotionFrame
  /// The map that the quadratics are about.
  private let map: Homography

  /// Groups the tiles of the pass at `map` into blocks.
  init(_ refinement: Refinement, _ pass: RefinementPass, at map: Homography) {
    let points = refinement.points
    var blocks = [MotionQuadratic](repeating: MotionQuadratic(), count: Self.side * Self.side)
    for row in 0..<points.rows {
      for column in 0..<points.columns {
        let block = row * Self.side / points.rows * Self.side + column * Self.side / points.columns
        let index = row * points.columns + column
        if index < pass.tiles.count { blocks[block].add(pass.tiles[index]) }
      }
    }
    self.blocks = blocks
    total = pass.total
    frame = refinement.frame
    self.map = map
  }

  /// The best of `candidates` (from simple to general, each with its estimate): one wins over a simpler one only where its gain on
  /// unseen blocks exceeds twice the uncertainty of that gain.
  func choose(_ candidates: [(model: AlignmentModel, map: Homography)]) -> AlignmentModel {
    guard var best = candidates.first else { return .identity }
    guard var bestCosts = costs(best) else { return candidates.last?.model ?? .identity }
    for candidate in candidates.dropFirst() {
      guard let costs = costs(candidate) else { continue }
      let gains = zip(bestCosts, costs).map { $0 - $1 }
      let mean = gains.reduce(0, +) / Double(gains.count)
      let squares = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let uncertainty = (squares / Double(max(1, gains.count - 1)) * Double(gains.count)).squareRoot()
      if mean * Double(gains.count) > 2 * uncertainty { (best, bestCosts) = (candidate, costs) }
    }
    return best.model
  }

  /// The cost of each block under the model fitted to all other blocks; nil where the model cannot be fitted.
  private func costs(_ candidate: (model: AlignmentModel, map: Homography)) -> [Double]? {
    guard let origin = frame.motion(from: map, to: candidate.map) else { return nil }
    var costs: [Double] = []
    for block in blocks {
      var others = total
      others.add(block, sign: -1)
      guard let q = others.minimum(origin: origin, basis: candidate.model.basis) else { return nil }
      costs.append(block.value(q))
    }
    return costs
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
