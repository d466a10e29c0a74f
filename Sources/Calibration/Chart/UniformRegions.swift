import Raster

/// The even areas of a picture at all sizes that patches of a chart can have, and which of them are near a place.
struct UniformRegions {
  /// All of them.
  private(set) var all: [UniformRegion] = []
  /// Regions sorted into octaves of their side, each with a grid of squares twice as wide.
  private var octaves: [[GridCell: [Int32]]] = Array(repeating: [:], count: 12)

  private struct GridCell: Hashable {
    var x, y: Int32
  }

  /// Looks at the picture and at half, a quarter and an eighth of its size: noise falls and patches get small enough.
  init(_ image: Image, scale: SIMD3<Float>, execution: Execution) {
    var levels = [image]
    while levels.count < 4, let last = levels.last, min(last.bounds.width, last.bounds.height) >= 64 {
      levels.append(last.halved())
    }
    let found = execution.map(levels.count, placeholder: [UniformRegion]()) { level in
      let plane = TonePlane(levels[level], scale: scale, execution: .serial)
      return UniformRegionSearch.regions(of: plane) { execution.cancellation.isCancelled }
    }
    for (level, regions) in found.enumerated() {
      for region in regions { add(region, scale: Double(1 << level)) }
    }
  }

  private mutating func add(_ region: UniformRegion, scale: Double) {
    var region = region
    // Half a pixel at each edge has the edge's own gradient and is missing.
    let growth = (region.side + 1) / region.side
    region.center = (region.center + 0.5) * scale - 0.5
    region.moments *= growth * growth * scale * scale
    region.area *= growth * growth * scale * scale
    guard let octave = octave(region.side) else { return }
    let cell = gridCell(region.center, octave)
    // Nested areas of nearly the same middle and size are one; the squarest stands for it.
    for other in octaves[octave][cell, default: []] {
      let known = all[Int(other)]
      let difference = region.center - known.center
      if length(difference) < 0.06 * region.side, abs(region.area / known.area - 1) < 0.2 {
        if abs(region.fill - 1) < abs(known.fill - 1) { all[Int(other)] = region }
        return
      }
    }
    octaves[octave][cell, default: []].append(Int32(truncatingIfNeeded: all.count))
    all.append(region)
  }

  private func octave(_ side: Double) -> Int? {
    guard side >= 1, side < 4096 else { return nil }
    return min(octaves.count - 1, Int(side).bitWidth - Int(side).leadingZeroBitCount - 1)
  }

  private func gridCell(_ point: SIMD2<Double>, _ octave: Int) -> GridCell {
    let size = Double(2 << octave)
    func index(_ value: Double) -> Int32 { Int32(min(max(value / size, -1e6), 1e6).rounded(.down)) }
    return GridCell(x: index(point.x), y: index(point.y))
  }

  /// Calls `body` with the index of every region within `radius` of `point` whose side is in `sides`.
  func forEach(near point: SIMD2<Double>, radius: Double, sides: ClosedRange<Double>, _ body: (Int) -> Void) {
    guard radius.isFinite, abs(point.x) < 1e6, abs(point.y) < 1e6 else { return }
    guard let first = octave(max(1, sides.lowerBound)), let last = octave(min(4095, sides.upperBound)), first <= last
    else { return }
    for octave in first...last where !octaves[octave].isEmpty {
      let low = gridCell(point - radius, octave)
      let high = gridCell(point + radius, octave)
      for y in low.y...high.y {
        for x in low.x...high.x {
          for index in octaves[octave][GridCell(x: x, y: y)] ?? [] {
            let region = all[Int(index)]
            if sides.contains(region.side), length(region.center - point) <= radius { body(Int(index)) }
          }
        }
      }
    }
  }
}
