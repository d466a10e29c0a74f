import Glibc
import Raster

/// What brings one of several ambient frames of a scene to the exposure of another, the reference.
///
/// Exposure settings, a lamp that flickers between the frames, and white balance make it one factor a channel. Lamps on
/// alternating current also flicker *within* a frame, whose rows are exposed one after the other: ``FlickerBands``.
public struct FrameMatch: Equatable, Sendable {
  /// Whether the frame takes part in the average. It does not where it shows something else.
  public internal(set) var isUsed = true
  /// The value in the reference's exposure of 1.0 in the frame's own.
  public internal(set) var gain = SIMD3<Float>(repeating: 1)
  /// The frame's light along the picture, relative to the mean of all frames.
  var bands = FlickerBands.none
  /// The noise of the frame as it is.
  public internal(set) var noise: NoiseModel

  /// Compares frames that lie on each other.
  ///
  /// The reference is the first frame that at least half of the others agree with. Without any agreement only the first
  /// frame is used.
  ///
  /// - Parameters:
  ///   - frames: the aligned ambient frames; alpha is trust, and nowhere more than 1/256 in a frame that shows something
  ///     else (see ``Alignment/seemsUnrelated(flash:ambient:execution:)``).
  ///   - bounds: the rectangle that counts.
  ///   - exposures: what metadata say of the frames' exposures, in any unit, 0 where they say nothing. They count only
  ///     where the pictures are too dark to tell.
  public static func match(
    _ frames: [any PixelSource], over bounds: Rectangle, exposures: [Double] = [], execution: Execution = .serial
  ) -> [FrameMatch] {
    let frames = frames.map { PartialFrame($0, of: bounds) }
    let small = frames.map { reduced($0, toAtMost: cells(of: bounds), execution: execution) }
    var matches = frames.map { FrameMatch(noise: NoiseEstimation.estimate($0, execution: execution)) }
    let candidates = frames.indices.filter { isTrusted(small[$0]) }
    guard let reference = reference(of: candidates, small, matches) ?? frames.indices.first else { return matches }
    var used = [reference]
    for index in frames.indices {
      let ratio = RatioOfFrames(small[reference], small[index], matches[reference].noise, matches[index].noise)
      // A frame that was found to show something else must not come back by chance.
      matches[index].isUsed = index == reference || candidates.contains(index) && ratio.isOfOneScene
      guard index != reference, matches[index].isUsed else { continue }
      used.append(index)
      matches[index].gain = ratio.gain ?? SIMD3(repeating: ratioOfExposures(reference, index, exposures))
    }
    let bands = FlickerBands.find(
      used.map { (small[$0], matches[$0].gain) }, noise: used.map { matches[$0].noise })
    for (index, bands) in zip(used, bands) { matches[index].bands = bands }
    return matches
  }

  /// How many cells are compared: of some two hundred pixels at twelve megapixels, of 25 in small pictures. They have hardly
  /// any noise, and are a picture yet.
  private static func cells(of bounds: Rectangle) -> Int {
    Reduction.factor(for: bounds, toAtMost: 1) == nil ? 0 : max(1000, min(60_000, bounds.count / 25))
  }

  /// A frame whose trust is nowhere above the least shows something else; one without any data agrees with everything.
  private static func isTrusted(_ frame: Reduction) -> Bool {
    let most = frame.image.pixels.lazy.map(\.w).max() ?? 0
    return most == 0 || most > 1.01 * ResidualMap.leastTrust
  }

  private static func reference(of candidates: [Int], _ small: [Reduction], _ matches: [FrameMatch]) -> Int? {
    candidates.first { one in
      let others = candidates.filter { $0 != one }
      let agreeing = others.filter {
        RatioOfFrames(small[one], small[$0], matches[one].noise, matches[$0].noise).isOfOneScene
      }
      return 2 * agreeing.count >= others.count
    } ?? candidates.first
  }

  private static func ratioOfExposures(_ reference: Int, _ index: Int, _ exposures: [Double]) -> Float {
    guard exposures.indices.contains(reference), exposures.indices.contains(index) else { return 1 }
    let ratio = exposures[reference] / exposures[index]
    return ratio > 1e-4 && ratio < 1e4 ? Float(ratio) : 1
  }

  /// The frame's noise in the reference's exposure.
  var scaledNoise: NoiseModel { noise.atLeast(.eightBitSRGB).scaled(by: gain) }
}

/// The ratio of two frames' exposures, from cells of both.
private struct RatioOfFrames {
  /// First exposure divided by second; nil where the pictures are too dark to tell.
  private(set) var gain: SIMD3<Float>?
  /// Whether the ratio is much the same everywhere. So it is where there is nothing to see.
  private(set) var isOfOneScene = true

  /// - Parameters:
  ///   - first, second: reductions over one rectangle.
  ///   - firstNoise, secondNoise: the noise of the full-size frames.
  init(_ first: Reduction, _ second: Reduction, _ firstNoise: NoiseModel, _ secondNoise: NoiseModel) {
    guard first.image.bounds == second.image.bounds else { return }
    let area = Float(first.factor * first.factor)
    var gain = SIMD3<Float>(repeating: .nan)
    for channel in 0..<3 {
      var pairs: [(Float, Float)] = []
      for (one, other) in zip(first.image.pixels, second.image.pixels) where one.w > 0 && other.w > 0 {
        guard RatioOfFrames.isBright(one.rgb, firstNoise, area, channel),
          RatioOfFrames.isBright(other.rgb, secondNoise, area, channel)
        else { continue }
        pairs.append((one[channel], other[channel]))
      }
      guard pairs.count >= Self.fewest else { continue }
      let median = pairs.map { $0.0 / $0.1 }.median
      let alike = pairs.filter { abs($0.0 - median * $0.1) < Self.room * $0.0 }
      if channel == 1 { isOfOneScene = Float(alike.count) > Self.leastAgreement * Float(pairs.count) }
      let sums = alike.reduce((0.0, 0.0)) { ($0.0 + Double($1.0), $0.1 + Double($1.1)) }
      if sums.1 > 0, alike.count >= Self.fewest { gain[channel] = Float(sums.0 / sums.1) }
    }
    // A channel that is too dark shares the exposure of the others.
    let known = (0..<3).map { gain[$0] }.filter { $0 > 1e-4 && $0 < 1e4 }.sorted()
    guard !known.isEmpty else { return }
    let middle = known[known.count / 2]
    self.gain = gain.replacing(with: middle, where: .!((gain .> 1e-4) .& (gain .< 1e4)))
  }

  private static let fewest = 40
  /// Moved light and shadow aside, cells of one scene keep their ratio to a few per cent; so much is left for flicker.
  private static let room: Float = 0.15
  /// Of two scenes some ten per cent of the cells agree by chance.
  private static let leastAgreement: Float = 0.3

  /// Whether noise moves a cell by less than a twentieth: more of it, and choosing bright cells would choose noise.
  @inline(__always)
  static func isBright(_ colour: SIMD3<Float>, _ noise: NoiseModel, _ area: Float, _ channel: Int) -> Bool {
    let value = colour[channel]
    let variance = (noise.gain[channel] * value + noise.floor[channel]) / area
    return value > 2e-4 && value < 65504 && value * value > 400 * variance
  }
}

/// How a frame's light varies along the picture because rows are exposed one after the other under lamps on
/// alternating current.
///
/// Turned pictures have columns instead of rows: the direction in which the frames differ more is taken.
struct FlickerBands: Equatable, Sendable {
  static let none = FlickerBands(isVertical: true, start: 0, length: 1, factors: [])

  /// Whether the light varies from row to row, rather than from column to column.
  let isVertical: Bool
  /// Where the first block begins, and how many rows a block has.
  private let start, length: Int
  /// What makes the light of each block that of the mean of all frames; empty: 1 everywhere.
  private let factors: [Float]

  private init(isVertical: Bool, start: Int, length: Int, factors: [Float]) {
    self.isVertical = isVertical
    self.start = start
    self.length = length
    self.factors = factors
  }

  /// The factor at a row (or column): blocks' middles are joined by straight lines.
  func factor(at place: Int) -> Float {
    guard let last = factors.indices.last else { return 1 }
    let position = (Float(place - start) + 0.5) / Float(length) - 0.5
    let block = min(max(position, 0), Float(last))
    let index = min(Int(block), max(0, last - 1))
    return factors[index] + (factors[min(index + 1, last)] - factors[index]) * (block - Float(index))
  }

  /// The bands of each frame, the first of which is the reference.
  ///
  /// The mean of the frames, not the reference, is what all are brought to: their phases are random, so that the mean
  /// flickers least.
  static func find(_ frames: [(small: Reduction, gain: SIMD3<Float>)], noise: [NoiseModel]) -> [FlickerBands] {
    let all = [true, false].map { isVertical in profiles(frames, noise, isVertical) }
    let spreads = all.map { $0.map(spread).max() ?? 0 }
    // Below a hundredth, noise and movement would be taken for flicker.
    guard frames.count > 1, let most = spreads.max(), most > 0.01 else { return frames.map { _ in .none } }
    let isVertical = spreads[0] >= spreads[1]
    let chosen = isVertical ? all[0] : all[1]
    let (small, count) = (frames[0].small, Float(frames.count))
    let mean = chosen[0].indices.map { block in expf(chosen.reduce(0) { $0 + logf($1[block]) } / count) }
    let cells = isVertical ? small.image.bounds.height : small.image.bounds.width
    let start = isVertical ? small.rectangle.y : small.rectangle.x
    return chosen.map { profile in
      FlickerBands(
        isVertical: isVertical, start: start, length: max(1, blockLength(cells) * small.factor),
        factors: zip(mean, profile).map { $0 / $1 })
    }
  }

  private static let blocks = 32
  /// Cells a block is long; the last one may be shorter.
  private static func blockLength(_ cells: Int) -> Int { max(1, (cells + blocks - 1) / blocks) }

  private static func spread(_ profile: [Float]) -> Float {
    (profile.reduce(0) { $0 + ($1 - 1) * ($1 - 1) } / Float(profile.count)).squareRoot()
  }

  /// The light of each frame's blocks relative to the reference.
  private static func profiles(
    _ frames: [(small: Reduction, gain: SIMD3<Float>)], _ noise: [NoiseModel], _ isVertical: Bool
  ) -> [[Float]] {
    guard let first = frames.first else { return [] }
    let (bounds, area) = (first.small.image.bounds, Float(first.small.factor * first.small.factor))
    let cells = isVertical ? bounds.height : bounds.width
    let size = blockLength(cells)
    let count = max(1, (cells + size - 1) / size)
    return frames.indices.map { frame in
      var ratios = [[Float]](repeating: [], count: count)
      guard frame > 0, frames[frame].small.image.bounds == bounds else { return ratios.map { _ in 1 } }
      for y in 0..<bounds.height {
        for x in 0..<bounds.width {
          let (one, other) = (first.small.image[x, y], frames[frame].small.image[x, y])
          guard one.w > 0, other.w > 0, RatioOfFrames.isBright(one.rgb, noise[0], area, 1),
            RatioOfFrames.isBright(other.rgb, noise[frame], area, 1)
          else { continue }
          ratios[(isVertical ? y : x) / size].append(other.y * frames[frame].gain.y / one.y)
        }
      }
      return ratios.map(level(of:))
    }
  }

  /// The ratio of a block; 1 where it is dark, or something moved through it: flicker is the same across a block.
  private static func level(of ratios: [Float]) -> Float {
    let median = ratios.median
    let alike = ratios.filter { abs($0 - median) < 0.1 * median }
    guard ratios.count >= 60, 3 * alike.count > 2 * ratios.count else { return 1 }
    return min(max(median, 0.5), 2)
  }
}
