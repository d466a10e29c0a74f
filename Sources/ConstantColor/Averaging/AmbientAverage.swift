import Raster

/// The mean of several ambient frames of one scene, weighted by their precision, without what moved through them.
///
/// One subtracted frame adds its noise to the difference; the mean of n frames adds 1/n of it.
///
/// - *Rejection.* A frame's 3 × 3 and 9 × 9 means are compared with the median of all frames. What is farther from it
///   than noise explains, a small misregistration at edges and a change of the light by a few per cent aside, is left
///   out with its neighbourhood: a moving object goes as a whole. (Kappa-sigma clipping around the median; two scales,
///   as a faint object is large or not to be seen.)
/// - *Contradiction.* Where no majority agrees, as of two frames that differ, the flash frame may decide: it holds the
///   ambient light and more. Where it does not, the first frame is taken, with the least trust.
/// - *Clipping.* A clipped sample says that there is so much light or more. Where it agrees with the others, those of
///   like exposure are only the darker half of their noise: what counts then is a frame with clearly less exposure, and
///   without one the pixel is clipped.
///
/// Alpha is trust, as ``Warp`` gives it: the frames' own, less by the share of the precision that was left out, 1/256
/// where frames contradict each other, and 0 where the average is clipped or no frame has data. The average is in the
/// exposure of the first frame used. A single frame comes through as it is.
public struct AmbientAverage: Sendable {
  /// How far the result at a pixel looks.
  public static let margin = 8

  /// What brings each frame to the exposure of the first.
  public let matches: [FrameMatch]
  /// The indices of the frames that take part.
  public let used: [Int]

  /// Where the picture has pixels.
  public let bounds: Rectangle

  /// How far from the median frames commonly are; see ``OutlierLimits``.
  let limits: OutlierLimits

  /// Finds out how alike the frames are.
  ///
  /// - Parameters:
  ///   - frames: the aligned frames.
  ///   - matches: what brings them to one exposure (``FrameMatch/match(_:over:exposures:execution:)``).
  ///   - bounds: the rectangle over which they were matched.
  public init(
    _ frames: [any PixelSource], _ matches: [FrameMatch], over bounds: Rectangle, execution: Execution = .serial
  ) {
    self.matches = matches
    self.bounds = bounds
    used = frames.count == matches.count ? matches.indices.filter { matches[$0].isUsed } : []
    limits = OutlierLimits.measure(
      used.map { PartialFrame(frames[$0], of: bounds) }, used.map { matches[$0] }, over: bounds, execution: execution)
  }

  /// What the flash frame knows of the ambient light: there is never less light with the flash than without.
  public struct Bound {
    /// The flash frame.
    public var flash: any PixelSource
    /// Its noise.
    public var noise: NoiseModel
    /// Flash exposure divided by the exposure of the first ambient frame used.
    public var ratio: Float
    /// The ratio's relative standard error.
    public var uncertainty: Float

    /// A bound from its parts.
    public init(flash: any PixelSource, noise: NoiseModel, ratio: Float, uncertainty: Float) {
      self.flash = flash
      self.noise = noise
      self.ratio = ratio
      self.uncertainty = uncertainty
    }
  }

  /// How many pixels of each frame had something to say, and were left out nevertheless.
  public struct Census: Equatable, Sendable {
    /// Pixels with a value, clipped or not, frame by frame.
    public internal(set) var voting: [Int]
    /// Those that contradicted the others.
    public internal(set) var rejected: [Int]

    /// Nothing counted yet.
    public init(frames: Int) {
      voting = [Int](repeating: 0, count: frames)
      rejected = voting
    }

    /// The census of both parts together.
    public static func += (left: inout Census, right: Census) {
      for index in left.voting.indices where right.voting.indices.contains(index) {
        left.voting[index] += right.voting[index]
        left.rejected[index] += right.rejected[index]
      }
    }
  }

  /// Writes the average.
  ///
  /// - Parameters:
  ///   - rectangle: the pixels to compute; pieces give the same bits as the whole.
  ///   - frames: the aligned frames, in the order in which they were matched.
  ///   - bound: what the flash frame says; nil without one.
  ///   - output: `rectangle.count` pixels, row after row.
  /// - Returns: what was left out; of a single frame, nothing is counted.
  @discardableResult
  public func process(
    _ rectangle: Rectangle, _ frames: [any PixelSource], bound: Bound? = nil, into output: MutablePixels,
    execution: Execution = .serial
  ) -> Census {
    var census = Census(frames: matches.count)
    guard !rectangle.isEmpty, output.count >= rectangle.count, frames.count == matches.count, let first = used.first
    else { return census }
    guard used.count > 1 else {
      frames[first].read(rectangle, into: output)
      return census
    }
    let tiles = rectangle.tiles(width: AverageTile.width, height: AverageTile.height)
    var parts = [Census](repeating: census, count: tiles.count)
    parts.withUnsafeMutableBufferPointer { parts in
      nonisolated(unsafe) let parts = parts
      nonisolated(unsafe) let (frames, bound, output) = (
        used.map { PartialFrame(frames[$0], of: bounds) }, bound, output
      )
      execution.parallelFor(tiles.count) { turns in
        let work = AverageTile(used.map { matches[$0] }, limits)
        for index in turns {
          if execution.cancellation.isCancelled { return }
          let counts = work.run(tiles[index], of: rectangle, frames, bound, into: output)
          for (frame, count) in zip(used, counts) {
            parts[index].voting[frame] = count.voting
            parts[index].rejected[frame] = count.rejected
          }
        }
      }
    }
    for part in parts { census += part }
    return census
  }
}
