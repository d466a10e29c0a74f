import Raster

/// Finds where a frame contradicts the others, in one tile.
final class AverageOutliers {
  private let count: Int
  private let values: UnsafeMutablePointer<Vector8>
  private let sorted: UnsafeMutablePointer<Vector8>
  private let distances: UnsafeMutablePointer<Vector8>

  private let limits: OutlierLimits

  init(frames: Int, _ limits: OutlierLimits) {
    count = frames
    self.limits = limits
    values = .allocate(capacity: 3 * frames)
    values.initialize(repeating: .zero, count: 3 * frames)
    sorted = values + frames
    distances = sorted + frames
  }

  deinit { values.deallocate() }

  /// Neighbours share some of their noise (demosaicing, resampling, JPEG): nine count like four.
  private static let shareOfNine: Float = 1.0 / 4
  private static let shareOfEightyOne: Float = 1.0 / 36
  /// Light that changes from place to place: a hundredth, as a standard deviation.
  private static let unsteadiness: Float = 0.01

  /// Fills the outlier planes; returns whether there is any.
  func find(_ tile: AverageTile) -> Bool {
    let planes = tile.planes
    var any = Vector8.zero
    for y in 5..<max(5, planes.height - 5) {
      var x = 0
      while x < planes.width {
        let place = y &* planes.stride &+ x
        let votes = votes(tile, place)
        measure(tile, place, votes, isWide: false)
        for frame in 0..<count {
          Vector8(distances[frame] .> limits.narrow).store(at: tile.plane(frame, AverageTile.Plane.outlier) + place)
        }
        measure(tile, place, votes, isWide: true)
        for frame in 0..<count {
          let target = tile.plane(frame, AverageTile.Plane.outlier) + place
          let hasVote = Vector8(at: tile.plane(frame, AverageTile.Plane.trust) + place) .!= 0
          let isOutlier = hasVote .& ((Vector8(at: target) .> 0) .| (distances[frame] .> limits.wide))
          Vector8(isOutlier).store(at: target)
          any = any.greater(Vector8(isOutlier))
        }
        x &+= 8
      }
    }
    return any.max() > 0
  }

  /// How many frames have something to say.
  @inline(__always)
  private func votes(_ tile: AverageTile, _ place: Int) -> Vector8 {
    var votes = Vector8.zero
    for frame in 0..<count {
      votes += Vector8(Vector8(at: tile.plane(frame, AverageTile.Plane.trust) + place) .!= 0)
    }
    return votes
  }

  /// The distances of all frames that have a value where another has one, too, at some of the tile's pixels.
  func distances(_ tile: AverageTile, inset: Int, width: Int, height: Int) -> (narrow: [Float], wide: [Float]) {
    var found: (narrow: [Float], wide: [Float]) = ([], [])
    for y in stride(from: 1, to: height, by: 3) {
      for x in stride(from: 0, to: width, by: 8) {
        let place = (y + inset) * tile.planes.stride + x + inset
        let votes = votes(tile, place)
        for isWide in [false, true] {
          measure(tile, place, votes, isWide: isWide)
          for lane in 0..<min(8, width - x) where votes[lane] > 1 {
            for frame in 0..<count where tile.plane(frame, AverageTile.Plane.trust)[place + lane] != 0 {
              if isWide {
                found.wide.append(distances[frame][lane])
              } else {
                found.narrow.append(distances[frame][lane])
              }
            }
          }
        }
      }
    }
    return found
  }

  /// The frames' squared distances from their median, over the variance, summed over the channels.
  @inline(__always)
  private func measure(_ tile: AverageTile, _ place: Int, _ votes: Vector8, isWide: Bool) {
    for frame in 0..<count { distances[frame] = .zero }
    // Of n frames one is a part of their median; a lone frame has no distance.
    let share =
      Vector8(repeating: isWide ? Self.shareOfEightyOne : Self.shareOfNine)
      * (1 - 1 / votes.greater(Vector8(repeating: 1)))
    for channel in 0..<3 {
      let offset = channel &* tile.planes.size &+ place
      for frame in 0..<count {
        let mean = tile.plane(frame, AverageTile.Plane.mean) + offset
        let value = isWide ? ninth(mean, tile.planes.stride) : Vector8(at: mean)
        values[frame] = value
        let hasVote = Vector8(at: tile.plane(frame, AverageTile.Plane.trust) + place) .!= 0
        sorted[frame] = Vector8(repeating: .infinity).replacing(with: value, where: hasVote)
      }
      let median = median(of: votes)
      let room = tile.shared(AverageTile.Plane.room) + offset
      let light = Vector8.zero.greater(median)
      let unsteady = light * Self.unsteadiness
      let allowed: Vector8 =
        (isWide ? ninth(room, tile.planes.stride) : Vector8(at: room)) + unsteady * unsteady + 1e-12
      for frame in 0..<count {
        let noise = tile.noise[frame]
        let variance: Vector8 = (light * noise.gain[channel] + noise.floor[channel]) * share + allowed
        let distance = values[frame] - median
        distances[frame] += distance * distance / variance
      }
    }
  }

  /// The mean of nine places three pixels apart: of 3 × 3 means that is the mean of 9 × 9 pixels.
  @inline(__always)
  private func ninth(_ address: UnsafeMutablePointer<Float>, _ stride: Int) -> Vector8 {
    @inline(__always) func row(_ address: UnsafeMutablePointer<Float>) -> Vector8 {
      Vector8(at: address - 3) + Vector8(at: address) + Vector8(at: address + 3)
    }
    return (row(address - 3 * stride) + row(address) + row(address + 3 * stride)) * (1.0 / 9)
  }

  /// The median of the first `votes` of ``sorted``, after sorting; 0 without votes.
  @inline(__always)
  private func median(of votes: Vector8) -> Vector8 {
    for last in stride(from: count &- 1, to: 0, by: -1) {
      for index in 0..<last {
        let (a, b) = (sorted[index], sorted[index &+ 1])
        sorted[index] = a.lesser(b)
        sorted[index &+ 1] = a.greater(b)
      }
    }
    var (lower, upper) = (Vector8.zero, Vector8.zero)
    for index in 0..<count {
      let rank = Float(index)
      // Of m values those of ranks ⌊(m − 1)/2⌋ and ⌊m/2⌋.
      lower = lower.replacing(with: sorted[index], where: (votes .>= 2 * rank + 1) .& (votes .<= 2 * rank + 2))
      upper = upper.replacing(
        with: sorted[index], where: (votes .>= 2 * rank) .& (votes .<= 2 * rank + 1) .& (votes .> 0))
    }
    return (lower + upper) * 0.5
  }
}
