import ConstantColor
import Raster

/// A chart that was found in a picture.
public struct FoundChart: Sendable {
  /// Where it is, in pixels of the picture.
  public var geometry: ChartGeometry
  /// How well its colours agree with the chart's, 0...1: the part of their variance that a 3×3 matrix and uneven
  /// light explain.
  public var agreement: Double
  /// How many of the 24 patches were seen as even areas of their own, with edges all around.
  public var seenPatches: Int
  /// The distance of those from the grid (RMS), in units of the pitch.
  public var residual: Double
}

/// Finds the 24-patch ColorChecker in a picture.
///
/// Even areas of about square shape are collected at four sizes of a reduced picture (``UniformRegionSearch``),
/// lattices grown from neighbours that lie alike, and the 6 × 4 patches laid onto each lattice in every position and
/// turn. The colours decide: the best placement is a chart only if a camera could have made its 24 colours from the
/// chart's. Nothing is asked of white balance, exposure, orientation or background; dark patches that melt into
/// their frame may be missing.
public enum ChartFinder {
  /// The chart in a picture of linear light (camera RGB, or any other RGB), which may be noisy and negative.
  ///
  /// The picture is looked at in at most 1.4 million pixels. The same for any number of threads.
  public static func find(
    in source: some PixelSource, execution: Execution = .serial
  ) throws(ChartError) -> FoundChart {
    let reduction = reduced(source, toAtMost: 1_400_000, clipping: .counted, execution: execution)
    guard min(reduction.image.bounds.width, reduction.image.bounds.height) >= smallestPicture else {
      throw .size
    }
    let found = try find(reduced: reduction.image, execution: execution)
    guard let geometry = found.geometry.enlarged(by: reduction.factor, from: reduction.rectangle) else {
      throw .noGrid
    }
    return FoundChart(
      geometry: geometry, agreement: found.agreement, seenPatches: found.seenPatches, residual: found.residual)
  }

  /// A row of four patches needs this many pixels.
  private static let smallestPicture = 24
  /// A lattice with fewer cells has too many ways to look like a chart.
  private static let fewestPatches = 8
  /// What must be seen of a chart in the end: half of its patches, unless its colours leave no doubt, on a grid as
  /// true as a lens and a print make it.
  private static let fewestSeenPatches = 12
  private static let largestResidual = 0.05
  /// The part of the pitch that a patch fills; the whole of each must be in the picture.
  private static let patchShare = 0.8
  /// Charts in real pictures reach 0.9 and more, also from JPEG with a tone curve; other grids stay below 0.6.
  private static let leastAgreement = 0.85
  private static let sureAgreement = 0.95

  private static func find(reduced image: Image, execution: Execution) throws(ChartError) -> FoundChart {
    guard let brightness = image.brightness() else { throw .dark }
    let regions = UniformRegions(image, scale: brightness, execution: execution)
    let seeds = execution.map((regions.all.count + 255) / 256, placeholder: [LatticeSeed]()) { part in
      (part * 256..<min(part * 256 + 256, regions.all.count)).compactMap { LatticeSeed(at: $0, in: regions) }
    }.flatMap { $0 }.sorted { ($1.support, $0.region) < ($0.support, $1.region) }
    var isUsed = [Bool](repeating: false, count: regions.all.count)
    var best: ChartPlacement?
    for seed in seeds.prefix(mostSeeds) {
      if execution.cancellation.isCancelled { throw .cancelled }
      guard !isUsed[seed.region], let lattice = PatchLattice(seed: seed, in: regions), lattice.count >= fewestPatches
      else { continue }
      for cell in lattice.cells { isUsed[cell.region] = true }
      guard let placement = ChartPlacement.best(on: lattice, minimumCells: fewestPatches, in: image),
        placement.agreement.score > best?.agreement.score ?? -.infinity
      else { continue }
      best = placement
    }
    if execution.cancellation.isCancelled { throw .cancelled }
    guard let best else { throw .noGrid }
    guard let found = refined(best, regions: regions, in: image, brightness: brightness) else {
      throw .otherColors(agreement: max(0, best.agreement.score))
    }
    return found
  }

  /// Bounds the time in pictures that are full of small things.
  private static let mostSeeds = 4000

  /// The placement on all patches that can be seen, and whether it is a chart.
  private static func refined(
    _ placement: ChartPlacement, regions: UniformRegions, in image: Image, brightness: SIMD3<Float>
  ) -> FoundChart? {
    var best = placement
    var cells: [(column: Int, row: Int, region: Int)] = []
    for _ in 0..<3 {
      let lattice = PatchLattice(
        map: best.map, columns: 0..<ChartGeometry.columns, rows: 0..<ChartGeometry.rows, in: regions)
      cells = lattice.cells
      guard let map = fitted(cells, regions: regions), let next = ChartPlacement(map: map, in: image)
      else { break }
      best = next
    }
    let residual = root(distances(cells, from: best.map, regions: regions))
    if let map = ChartRefinement(image, scale: brightness).refined(best.map),
      let next = ChartPlacement(map: map, in: image), next.agreement.score > best.agreement.score - 0.02
    {
      best = next
    }
    guard residual <= largestResidual, cells.count >= fewestSeenPatches || best.agreement.score >= sureAgreement,
      cells.count >= fewestPatches, best.agreement.score >= leastAgreement, best.agreement.hasOrderedNeutrals,
      let geometry = try? ChartGeometry(homography: best.map), geometry.isInside(image.bounds, share: patchShare)
    else { return nil }
    return FoundChart(
      geometry: geometry, agreement: best.agreement.score, seenPatches: cells.count,
      residual: residual)
  }

  /// The map through the middles of the regions, without those that lie off: shadows and glare cut pieces away.
  private static func fitted(_ cells: [(column: Int, row: Int, region: Int)], regions: UniformRegions) -> Homography? {
    var kept = cells
    var map: Homography?
    for _ in 0..<3 {
      map = ProjectiveFit.homography(
        from: kept.map { SIMD2(Double($0.column), Double($0.row)) }, to: kept.map { regions.all[$0.region].center })
      guard let map else { return nil }
      let distances = distances(cells, from: map, regions: regions)
      let limit = max(0.02, 2.5 * distances.sorted()[distances.count / 2])
      let near = zip(cells, distances).filter { $0.1 < limit }.map(\.0)
      guard near.count >= fewestPatches, near.count != kept.count else { break }
      kept = near
    }
    return map
  }

  /// The root of the mean square.
  private static func root(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(max(1, values.count))).squareRoot()
  }

  /// How far the middle of each region is from where the map has its cell, in units of the pitch.
  private static func distances(
    _ cells: [(column: Int, row: Int, region: Int)], from map: Homography, regions: UniformRegions
  ) -> [Double] {
    cells.map { cell in
      let place = SIMD2(Double(cell.column), Double(cell.row))
      guard let point = map.apply(to: place), let axes = ChartGeometry.axes(map, at: place) else { return 1 }
      return length(regions.all[cell.region].center - point) / max(1e-9, abs(cross(axes.0, axes.1))).squareRoot()
    }
  }
}
