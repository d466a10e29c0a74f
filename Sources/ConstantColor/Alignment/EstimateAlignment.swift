import Glibc
import Raster

/// Finds how `ambient` lies to `flash`, though their lights differ in strength, colour and direction.
///
/// Structure (``StructurePlane``) is compared, not brightness: phase correlation on a small level gives the start, robust
/// Gauss-Newton from coarse to fine the map, cross-validation the model, and the correlation of gradient magnitudes the
/// last word: the result is never worse than the frames as they lie. Both frames are read once, in bands.
public func estimateAlignment(
  flash: some PixelSource, ambient: some PixelSource, choice: AlignmentChoice = .auto, execution: Execution = .serial
) -> Alignment {
  let (here, there) = (flash.bounds, ambient.bounds)
  func unmoved(_ outcome: Alignment.Outcome) -> Alignment { .unmoved(outcome, flash: here, ambient: there) }
  guard choice != .none else { return unmoved(.notAsked) }
  guard let factor = ReducedFrame.factor(for: here), let other = ReducedFrame.factor(for: there) else {
    return unmoved(.noStructure)
  }
  let shared = max(factor, other)
  // Each on one thread: much of a pyramid is made step after step.
  let alone = execution.oneThread
  nonisolated(unsafe) let frames = (flash: flash, ambient: ambient)
  let pyramids = execution.map(2, placeholder: nil) { index -> StructurePyramid? in
    index == 0
      ? StructurePyramid(frames.flash, factor: shared, execution: alone)
      : StructurePyramid(frames.ambient, factor: shared, execution: alone)
  }
  guard let first = pyramids[0], let second = pyramids[1] else { return unmoved(.cancelled) }
  let registration = Registration(flash: first, ambient: second, execution: execution)
  let alignment = registration.run(choice)
  return execution.cancellation.isCancelled ? unmoved(.cancelled) : alignment ?? unmoved(.noStructure)
}

/// The steps of one registration, on two structure pyramids.
private struct Registration {
  let flash, ambient: StructurePyramid
  let execution: Execution
  private let levels: Int
  /// The level on which the whole frame is searched.
  private let searchLevel: Int
  /// Of the levels, from the finest to the coarsest that is used: their points are chosen once.
  private let refinements: [Refinement]

  init(flash: StructurePyramid, ambient: StructurePyramid, execution: Execution) {
    (self.flash, self.ambient, self.execution) = (flash, ambient, execution)
    let levels = min(flash.levels.count, ambient.levels.count)
    let fits = (0..<levels).first { index in
      let (f, a) = (flash.levels[index], ambient.levels[index])
      return max(f.width, f.height, a.width, a.height) <= PhaseCorrelation.largestSide
    }
    self.levels = levels
    searchLevel = fits ?? levels - 1
    refinements = (0..<min(levels, max(searchLevel, LocalRefinement.coarsest) + 1)).map {
      Refinement(flash: flash.levels[$0], ambient: ambient.levels[$0], execution: execution)
    }
  }

  func run(_ choice: AlignmentChoice) -> Alignment? {
    guard levels > 0 else { return nil }
    let general: AlignmentModel = choice == .translation ? .translation : .similarity
    guard let start = search(general) else { return nil }
    var (similar, projective) = (start, start)
    for level in (0..<max(searchLevel, 1)).reversed() {
      if execution.cancellation.isCancelled { return nil }
      similar = refine(similar, within: general, on: level, consensus: .fair) ?? similar
      // Perspective that a similarity leaves over may be more than the next finer level can take.
      guard general == .similarity, level > 0 else { continue }
      projective = refine(projective, within: .homography, on: level, consensus: .fair) ?? projective
    }
    return settle(similar, projective, general, choice)
  }

  /// A map of frames to the samples of a level, and back.
  private func onLevel(_ map: Homography, _ level: Int) -> Homography? {
    flash.samples(map, to: ambient, level)
  }

  private func onFrame(_ map: Homography, _ level: Int) -> Homography? {
    flash.placement(of: level).inverse.flatMap {
      ambient.placement(of: level).concatenating(after: map)?.concatenating(after: $0)
    }
  }

  private func agreement(_ map: Homography, on level: Int) -> StructureAgreement? {
    onLevel(map, level).map {
      StructureAgreement(flash.levels[level], ambient.levels[level], $0, execution: execution)
    }
  }

  private func refine(
    _ map: Homography, within model: AlignmentModel, on level: Int, consensus: Refinement.Consensus
  ) -> Homography? {
    onLevel(map, level)
      .flatMap {
        refinements[level].refine(
          $0, within: model, rounds: 6, deviation: 0.4, consensus: consensus, execution: execution)?.map
      }
      .flatMap { onFrame($0, level) }
  }

  /// The best start on the search level; nil where nothing rises above chance.
  private func search(_ model: AlignmentModel) -> Homography? {
    let level = searchLevel
    var found = [Homography.identity]
    // Steepness finds what contrast does not where one light comes from behind, contrast finds more in noise.
    for lanes in [SIMD4<Float>(0, 0, 0, 1), SIMD4(1, 1, 1, 0)] {
      let correlation = PhaseCorrelation(flash: flash.levels[level], ambient: ambient.levels[level], lanes: lanes)
      found += correlation.startingPoints(suppositions(model), execution: execution).prefix(4)
        .compactMap { onFrame($0.map, level) }
    }
    var best: (map: Homography, score: Double)?
    for start in found {
      if execution.cancellation.isCancelled { return nil }
      let map = refine(start, within: model, on: level, consensus: .loose) ?? start
      for candidate in [map, start] {
        guard candidate.isPlausible(over: flash.bounds), let score = agreement(candidate, on: level)?.mean else {
          continue
        }
        if score > best?.score ?? -.infinity { best = (candidate, score) }
      }
    }
    guard let best, risesAboveChance(best.map, on: level) else { return nil }
    return best.map
  }

  /// Rotations and scales to try: hand shake and focus breathing, and the zoom that frames of different size suggest.
  private func suppositions(_ model: AlignmentModel) -> [(rotation: Double, scale: Double)] {
    guard model != .translation else { return [(0, 1)] }
    var list: [(rotation: Double, scale: Double)] = []
    for degrees in [0.0, -1, 1, -2, 2, -3, 3, -4, 4] {
      for scale in [1.0, 0.975, 1.025] { list.append((degrees * .pi / 180, scale)) }
    }
    let (f, a) = (flash.bounds, ambient.bounds)
    let zoom = ((Double(a.width) * Double(a.height)) / (Double(f.width) * Double(f.height))).squareRoot()
    if abs(zoom - 1) > 0.02, zoom > 0.3, zoom < 3.5 {
      for degrees in [0.0, -1.5, 1.5] { list.append((degrees * .pi / 180, zoom)) }
    }
    return list
  }

  /// Whether `map` agrees better than the same map moved aside, everywhere and by more than the tiles scatter: a test that
  /// needs no threshold for noise.
  private func risesAboveChance(_ map: Homography, on level: Int) -> Bool {
    guard let agreement = agreement(map, on: level), agreement.count >= 4 else { return false }
    let plane = flash.levels[level]
    let aside = Double(min(plane.width, plane.height)) / 8 * Double(plane.factor)
    var decoys: [StructureAgreement] = []
    for step in 0..<8 {
      let angle = Double(step) * .pi / 4
      // Different distances, so that a regular pattern does not meet itself every time.
      let distance = aside * (1 + 0.13 * Double(step))
      let moved = map.concatenating(after: .translation(x: distance * cos(angle), y: distance * sin(angle)))
      if let decoy = moved.flatMap({ self.agreement($0, on: level) }) { decoys.append(decoy) }
    }
    guard !decoys.isEmpty, decoys.allSatisfy({ $0.mean + 0.06 < agreement.mean }) else { return false }
    return agreement.advantage(over: decoys) > 4
  }

  /// From the finest estimate to the model and the verified result.
  private func settle(
    _ similar: Homography, _ projective: Homography, _ general: AlignmentModel, _ choice: AlignmentChoice
  ) -> Alignment? {
    let middle = SIMD2(
      Double(flash.bounds.x) + Double(flash.bounds.width - 1) / 2,
      Double(flash.bounds.y) + Double(flash.bounds.height - 1) / 2)
    let shift = (similar.apply(to: middle) ?? middle) - middle
    var candidates: [(model: AlignmentModel, map: Homography)] = [
      (.identity, .identity), (.translation, .translation(x: shift.x, y: shift.y)),
    ]
    if general == .similarity {
      candidates.append((.similarity, similar))
      candidates.append((.homography, projective))
    }
    var judged: [ModelSelection.Candidate] = [(.identity, onLevel(.identity, 0) ?? .identity, nil)]
    for index in candidates.indices.dropFirst() {
      if candidates[index].model == .homography {
        candidates[index].map = better(of: candidates[index].map, candidates[index - 1].map)
      }
      guard let found = finest(candidates[index]), let map = onFrame(found.map, 0) else { continue }
      candidates[index].map = map
      judged.append((candidates[index].model, found.map, found.pass))
    }
    guard judged.count > 1, !execution.cancellation.isCancelled else { return nil }
    let selection = ModelSelection(
      flash: flash.levels[0], ambient: ambient.levels[0], refinement: refinements[0], execution: execution)
    let isOpen = choice != .homography
    let chosen = isOpen ? selection.choose(judged) : candidates.last?.model
    return verified(candidates.reversed(), preferring: chosen ?? .identity, choice)
  }

  /// The one of two maps that agrees better.
  private func better(of a: Homography, _ b: Homography) -> Homography {
    let level = min(1, levels - 1)
    guard a.isPlausible(over: flash.bounds), let first = agreement(a, on: level)?.mean else { return b }
    return first > agreement(b, on: level)?.mean ?? -1 ? a : b
  }

  /// The estimate of a model on the finest level: first with fair, then with strict consensus.
  private func finest(
    _ candidate: (model: AlignmentModel, map: Homography)
  ) -> (map: Homography, pass: RefinementPass)? {
    let refinement = refinements[0]
    guard candidate.model != .identity, let start = onLevel(candidate.map, 0) else { return nil }
    let fair = refinement.refine(
      start, within: candidate.model, rounds: 4, deviation: 0.3, consensus: .fair, execution: execution)
    return fair.flatMap {
      refinement.refine(
        $0.map, within: candidate.model, rounds: 10, deviation: $0.pass.deviation, consensus: .strict,
        execution: execution)
    }
  }

  /// The preferred model, unless a simpler one agrees no less. `ranked` goes from the most general model to identity.
  private func verified(
    _ ranked: [(model: AlignmentModel, map: Homography)], preferring chosen: AlignmentModel, _ choice: AlignmentChoice
  ) -> Alignment? {
    let level = min(1, levels - 1)
    let agreements = ranked.map { candidate in
      candidate.map.isPlausible(over: flash.bounds) ? agreement(candidate.map, on: level) : nil
    }
    let scores = agreements.map { $0?.mean ?? -1 }
    guard let last = scores.last, !execution.cancellation.isCancelled else { return nil }
    let preferred = ranked.firstIndex { $0.model == chosen } ?? ranked.count - 1
    var index = preferred
    while index < ranked.count - 1, scores[index] < max(last, scores[index + 1] - 0.005) { index += 1 }
    let map = ranked[index].map
    let local = LocalRefinement(flash: flash, ambient: ambient, refinements: refinements, execution: execution)
    let field = choice == .mesh ? local.field(around: map) : nil
    guard var pass = local.pass(map, field, 0, 0.2) else { return nil }
    let localResiduals = local.residuals(pass)
    pass.distrustStrays(beyond: Refinement.Consensus.fair.rawValue)
    let residual = pass.residual(radius: refinements[0].frame.radius) * Double(flash.levels[0].factor)
    var alignment = Alignment(
      homography: map, model: field == nil ? ranked[index].model : .mesh, residual: residual,
      overlap: Alignment.overlap(of: map, flash: flash.bounds, ambient: ambient.bounds), agreement: scores[index],
      outcome: index <= preferred ? .registered : .fellBack)
    alignment.field = field
    alignment.localResiduals = localResiduals
    return alignment
  }
}
