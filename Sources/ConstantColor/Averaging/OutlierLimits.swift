import Raster

/// How far from the median of all a frame may be: squared distance over variance, summed over three channels.
///
/// Where the noise model holds this is a number of standard errors. JPEG files have no such noise: compression flattens
/// most blocks, from which the model is measured, and moves others. So what is common in the frames at hand is no
/// contradiction.
struct OutlierLimits: Equatable, Sendable {
  /// For 3 × 3 means, and for 9 × 9 means.
  var narrow, wide: Float

  /// Beyond which it is no chance: once in a million pixels of normal noise. Real noise has longer tails.
  static let normal = OutlierLimits(narrow: 30, wide: 30)

  /// Looks at a hundred places of the frames.
  static func measure(
    _ frames: [PartialFrame], _ matches: [FrameMatch], over bounds: Rectangle, execution: Execution
  ) -> OutlierLimits {
    guard frames.count > 1, Reduction.factor(for: bounds, toAtMost: 1) != nil else { return .normal }
    let (columns, rows, side) = (12, 9, 16)
    nonisolated(unsafe) let frames = frames
    let found = execution.map(rows, placeholder: (narrow: [Float](), wide: [Float]())) { row in
      let work = AverageTile(matches, .normal)
      var found: (narrow: [Float], wide: [Float]) = ([], [])
      for column in 0..<columns {
        let x = bounds.x + max(0, bounds.width - side) * column / (columns - 1)
        let y = bounds.y + max(0, bounds.height - side) * row / (rows - 1)
        let tile = Rectangle(x: x, y: y, width: side, height: side).intersection(bounds)
        let part = work.distances(tile, frames)
        found.narrow += part.narrow
        found.wide += part.wide
      }
      return found
    }
    return OutlierLimits(
      narrow: normal.narrow * excess(found.flatMap(\.narrow)), wide: normal.wide * excess(found.flatMap(\.wide)))
  }

  /// How much larger the distances are than those of normal noise. Of the largest fifth nothing is said: something may
  /// have moved there.
  private static func excess(_ distances: [Float]) -> Float {
    guard distances.count > 100 else { return 1 }
    let sorted = distances.sorted()
    // The quantile of χ² with three degrees of freedom.
    let ratio = sorted[sorted.count * 4 / 5] / 4.64
    return min(max(ratio, 1), 30)
  }
}
