import Raster

/// The last step of a tile's average: what is left of the frames, weighed, and how far it can be trusted.
final class AverageBlend {
  private typealias Mask = SIMDMask<SIMD8<Int32>>
  private typealias Plane = AverageTile.Plane

  private let gains: [SIMD3<Float>]
  /// 1 where a frame is neither without a value nor near what contradicts the others.
  private let used: UnsafeMutablePointer<Vector8>
  private let lanes = Vector8(0, 1, 2, 3, 4, 5, 6, 7)

  /// A blend of frames with these gains to the common exposure.
  init(_ gains: [SIMD3<Float>]) {
    self.gains = gains
    used = .allocate(capacity: gains.count)
    used.initialize(repeating: .zero, count: gains.count)
  }

  deinit { used.deallocate() }

  /// How much less exposure is clearly less: a third of a stop, farther than noise reaches.
  private static let clearlyLess: Float = 1.25
  /// Twice the least trust, for a little reason.
  private static let littleTrust = 2 * ResidualMap.leastTrust

  /// Writes the part `tile` of `rectangle`, which lies `inset` within the planes; counts the pixels of each frame.
  func write(
    _ work: AverageTile, _ tile: Rectangle, of rectangle: Rectangle, hasOutliers: Bool,
    bound: AmbientAverage.Bound?, inset: Int, into output: MutablePixels
  ) -> [(voting: Int, rejected: Int)] {
    var counts = gains.map { _ in (voting: 0, rejected: 0) }
    for y in 0..<tile.height {
      if hasOutliers { spreadColumns(work, y + inset) }
      let row = (tile.y - rectangle.y + y) * rectangle.width + tile.x - rectangle.x
      var x = 0
      while x < tile.width {
        let count = min(8, tile.width &- x)
        let place = (y &+ inset) &* work.planes.stride &+ x &+ inset
        let isOpen = vote(work, place, x &+ inset, hasOutliers, lanes .< Float(count), &counts)
        var pixels = mean(work, place)
        if hasOutliers, Vector8(isOpen).max() > 0 { settle(work, place, bound, isOpen, &pixels) }
        pixels.store(output, row &+ x, count: count)
        x &+= 8
      }
    }
    return counts
  }

  // MARK: Votes

  /// A frame is left out in the neighbourhood of what contradicts the others, two pixels far: first along columns.
  private func spreadColumns(_ work: AverageTile, _ y: Int) {
    let stride = work.planes.stride
    for frame in gains.indices {
      let (line, target) = (work.plane(frame, Plane.outlier) + y * stride, row(work, frame))
      var x = 0
      while x < work.planes.width {
        var highest = Vector8(at: line + x)
        for step in [-2, -1, 1, 2] { highest = highest.greater(Vector8(at: line + (x &+ step &* stride))) }
        highest.store(at: target + x)
        x &+= 8
      }
    }
  }

  @inline(__always)
  private func row(_ work: AverageTile, _ frame: Int) -> UnsafeMutablePointer<Float> {
    work.shared(Plane.rows) + frame &* work.planes.stride
  }

  /// Fills ``used``; returns where no majority agrees.
  @inline(__always)
  private func vote(
    _ work: AverageTile, _ place: Int, _ x: Int, _ hasOutliers: Bool, _ isInside: Mask,
    _ counts: inout [(voting: Int, rejected: Int)]
  ) -> Mask {
    var (votes, inliers, left) = (Vector8.zero, Vector8.zero, Vector8.zero)
    for frame in gains.indices {
      let hasVote = Vector8(at: work.plane(frame, Plane.trust) + place) .!= 0
      votes += Vector8(hasVote)
      guard hasOutliers else {
        used[frame] = Vector8(hasVote)
        counts[frame].voting += Int(Vector8(hasVote .& isInside).sum())
        continue
      }
      let line = row(work, frame) + x
      var isNear = Vector8(at: line) .> 0
      for step in [-2, -1, 1, 2] { isNear .|= Vector8(at: line + step) .> 0 }
      let isOutlier = Vector8(at: work.plane(frame, Plane.outlier) + place) .> 0
      inliers += Vector8(hasVote .& .!isOutlier)
      used[frame] = Vector8(hasVote .& .!isNear)
      left += used[frame]
      counts[frame].voting += Int(Vector8(hasVote .& isInside).sum())
      counts[frame].rejected += Int(Vector8(hasVote .& isNear .& isInside).sum())
    }
    return (votes .> 0) .& ((left .== 0) .| (inliers * 2 .<= votes))
  }

  // MARK: Values

  /// The precision-weighted mean of what is used.
  @inline(__always)
  private func mean(_ work: AverageTile, _ place: Int) -> PixelVector {
    var limit = Vector8.zero
    for frame in gains.indices {
      let isClipped = (used[frame] .> 0) .& (Vector8(at: work.plane(frame, Plane.trust) + place) .< 0)
      limit = limit.greater(Vector8.zero.replacing(with: gains[frame].y * Self.clearlyLess, where: isClipped))
    }
    let level = work.colour(work.shared(Plane.smooth), place)
    var (sum, weights) = (ColorVector.zero, ColorVector.zero)
    var (trusted, total) = (Vector8.zero, Vector8.zero)
    var (rest, bound) = (work.colour(work.plane(0, Plane.value), place), ColorVector.zero)
    for frame in stride(from: gains.count &- 1, through: 0, by: -1) {
      let value = work.colour(work.plane(frame, Plane.value), place)
      let trust = Vector8(at: work.plane(frame, Plane.trust) + place)
      let weight = precision(work, frame, level)
      let isUsable = (used[frame] .> 0) .& (trust .> 0) .& (Vector8(repeating: gains[frame].y) .>= limit)
      let share = ColorVector.zero.replacing(with: weight, where: isUsable)
      sum = sum + value * share
      weights = weights + share
      trusted += share.y * trust
      total += weight.y
      rest = rest.replacing(with: value, where: trust .!= 0)
      bound = bound.replacing(with: value, where: trust .< 0)
    }
    let isKnown = weights.y .> 0
    // What is clipped shows it, for those who count.
    let colour = rest.replacing(with: bound, where: limit .> 0).replacing(with: sum / weights, where: isKnown)
    let trust = (trusted / total).greater(Vector8(repeating: Self.littleTrust))
    return PixelVector(colour, Vector8.zero.replacing(with: trust.lesser(Vector8(repeating: 1)), where: isKnown))
  }

  @inline(__always)
  private func precision(_ work: AverageTile, _ frame: Int, _ level: ColorVector) -> ColorVector {
    let variance = work.noise[frame].variance(level)
    return ColorVector(1 / variance.x, 1 / variance.y, 1 / variance.z)
  }

  /// Takes one frame's value where the frames contradict each other: the only one that the flash frame leaves possible,
  /// with the trust of one among several; else the first, with the least trust.
  @inline(never)
  private func settle(
    _ work: AverageTile, _ place: Int, _ bound: AmbientAverage.Bound?, _ isOpen: Mask, _ pixels: inout PixelVector
  ) {
    let level = work.colour(work.shared(Plane.smooth), place)
    var (possible, total) = (Vector8.zero, Vector8.zero)
    for frame in gains.indices {
      let hasVote = Vector8(at: work.plane(frame, Plane.trust) + place) .!= 0
      used[frame] = Vector8(hasVote .& isPossible(work, place, frame, bound))
      possible += used[frame]
      total += precision(work, frame, level).y
    }
    for isChoice in [false, true] {
      for frame in stride(from: gains.count &- 1, through: 0, by: -1) {
        let value = work.colour(work.plane(frame, Plane.value), place)
        let trust = Vector8(at: work.plane(frame, Plane.trust) + place)
        let isDecided = (possible .== 1) .& (used[frame] .> 0)
        let share = (trust * precision(work, frame, level).y / total).greater(Vector8(repeating: Self.littleTrust))
        let alpha = Vector8(repeating: ResidualMap.leastTrust).replacing(with: share, where: isDecided)
          .replacing(with: 0, where: trust .< 0)
        // First whatever has a value, then what is possible, over it.
        let isTaken = isOpen .& (isChoice ? isDecided .| ((used[frame] .> 0) .& (trust .> 0)) : trust .> 0)
        pixels.colour = pixels.colour.replacing(with: value, where: isTaken)
        pixels.alpha = pixels.alpha.replacing(with: alpha, where: isTaken)
      }
    }
  }

  /// Whether a frame's light, in the flash frame's exposure, is no more than that holds.
  private func isPossible(
    _ work: AverageTile, _ place: Int, _ frame: Int, _ bound: AmbientAverage.Bound?
  ) -> Mask {
    var isPossible = Mask(repeating: true)
    guard let bound else { return isPossible }
    let (size, stride) = (work.planes.size, work.planes.stride)
    for channel in 0..<3 {
      let flash = work.shared(Plane.flash) + (channel * size + place)
      @inline(__always) func row(_ line: UnsafeMutablePointer<Float>) -> Vector8 {
        Vector8(at: line - 1) + Vector8(at: line) + Vector8(at: line + 1)
      }
      let most = (row(flash - stride) + row(flash) + row(flash + stride)) * (1.0 / 9)
      let mean = Vector8(at: work.plane(frame, Plane.mean) + (channel * size + place))
      let light = Vector8.zero.greater(mean) * bound.ratio
      let noise = work.noise[frame].scaled(by: SIMD3(repeating: bound.ratio))
      let doubt = light * bound.uncertainty
      let room = Vector8(at: work.shared(Plane.room) + (channel * size + place)) * (bound.ratio * bound.ratio)
      // Nine neighbours count like four.
      let flashVariance: Vector8 = Vector8.zero.greater(most) * bound.noise.gain[channel] + bound.noise.floor[channel]
      let ambientVariance: Vector8 = light * noise.gain[channel] + noise.floor[channel]
      let variance: Vector8 = (flashVariance + ambientVariance) * 0.25 + doubt * doubt + room
      isPossible .&= light - most .<= 4 * variance.squareRoot()
    }
    return isPossible
  }
}
