import Raster

/// The gains of a ``GainMap`` along one row of pixels after the other, bilinear between the centres of its cells.
struct GainRows {
  private let map: GainMap
  private let width: Int
  /// Eleven values a pixel, side by side: along the row of cells above, and its change to the row of cells below.
  private var above: [Float]
  private var change: [Float]
  private var place: (x: Int, cell: Int)?
  private var fraction: Float = 0

  /// Room for rows of `width` pixels.
  init(_ map: GainMap, width: Int) {
    self.map = map
    self.width = width
    above = [Float](repeating: 0, count: 11 * width)
    change = above
  }

  /// Goes to a row of the full frame; column 0 is its pixel `x`.
  mutating func move(to y: Int, from x: Int) {
    let (cell, fraction) = map.row(y)
    self.fraction = fraction
    if let place, place == (x, cell) { return }
    place = (x, cell)
    let below = min(cell + 1, map.rows - 1)
    for column in 0..<width {
      let (left, share) = map.column(x + column)
      let right = min(left + 1, map.columns - 1)
      func mix(_ grid: [Pixel], _ row: Int) -> Pixel {
        let (a, b) = (grid[row * map.columns + left], grid[row * map.columns + right])
        return a + (b - a) * share
      }
      for (group, grid) in [map.ambient, map.flash, map.tone].enumerated() {
        let (upper, lower) = (mix(grid, cell), mix(grid, below))
        for channel in 0..<3 {
          above[(group * 3 + channel) * width + column] = upper[channel]
          change[(group * 3 + channel) * width + column] = lower[channel] - upper[channel]
        }
        guard group > 0 else { continue }
        above[(8 + group) * width + column] = upper.w
        change[(8 + group) * width + column] = lower.w - upper.w
      }
    }
  }

  @inline(__always)
  private func value(_ index: Int, _ x: Int) -> Vector8 {
    above.withUnsafeBufferPointer { above in
      change.withUnsafeBufferPointer { change in
        guard let above = above.baseAddress, let change = change.baseAddress else { return .zero }
        let place = index &* width &+ x
        return Vector8(at: above + place) + Vector8(at: change + place) * fraction
      }
    }
  }

  @inline(__always)
  private func colour(_ group: Int, _ x: Int) -> ColorVector {
    ColorVector(value(3 * group, x), value(3 * group + 1, x), value(3 * group + 2, x))
  }

  /// Gains from the flash frame to its flash-only part, for eight pixels.
  @inline(__always)
  func flash(_ x: Int) -> ColorVector { colour(1, x) }

  /// How far the ambient frame can be believed, for eight pixels.
  @inline(__always)
  func reliability(_ x: Int) -> Vector8 { value(9, x) }

  /// How much of the surroundings the flash lit, for eight pixels.
  @inline(__always)
  func nearness(_ x: Int) -> Vector8 { value(10, x) }

  /// The fill of eight pixels: the ambient frame in the flash's colours. What a channel cannot tell is taken from the
  /// others, and from the tone of what the flash lit nearby (``ChannelInformation``).
  @inline(__always)
  func fill(_ ambient: ColorVector, _ noise: ColorVector, _ x: Int) -> ColorVector {
    ChannelInformation.balance(ambient.positive, variance: noise, gains: colour(0, x), tone: colour(2, x))
  }
}
