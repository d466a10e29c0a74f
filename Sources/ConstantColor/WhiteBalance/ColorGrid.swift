import Raster

/// Colours that change slowly over a frame, on a grid of cells; bilinear between their centres.
struct ColorGrid: Equatable, Sendable {
  /// The size of the grid in cells.
  let columns, rows: Int
  /// What the grid spans in the full frame, from the corner of its first cell on.
  let rectangle: Rectangle
  /// The side of a cell in pixels.
  let side: Int
  /// One colour a cell, row after row.
  var colors: [SIMD3<Float>]

  /// A grid with the cells of a reduced picture.
  init(_ reduction: Reduction, _ colors: [SIMD3<Float>]) {
    (columns, rows) = (reduction.image.bounds.width, reduction.image.bounds.height)
    (rectangle, side) = (reduction.rectangle, max(1, reduction.factor))
    self.colors = colors
  }

  private func place(_ pixel: Int, _ origin: Int, _ count: Int) -> (cell: Int, share: Float) {
    let position = (Float(pixel - origin) + 0.5) / Float(side) - 0.5
    let limited = max(0, min(position, Float(count - 1)))
    return (Int(limited), limited - limited.rounded(.down))
  }

  /// The colours along one row of pixels after the other.
  struct Rows {
    private let grid: ColorGrid
    private let columns: [(cell: Int, share: Float)]
    private let width: Int
    /// Three values a pixel, side by side: on the row of cells above, and the change to the row below.
    private var above, change: [Float]
    private var current: Int?
    private var share: Float = 0

    /// Rows of the pixels `x` to `x + width`.
    init(_ grid: ColorGrid, x: Int, width: Int) {
      self.grid = grid
      // Whole vectors, so that the last may be read.
      self.width = (width + 7) / 8 * 8
      columns = (0..<self.width).map { grid.place(x + $0, grid.rectangle.x, grid.columns) }
      above = [Float](repeating: 0, count: 3 * self.width)
      change = above
    }

    /// Goes to a row of the full frame.
    mutating func move(to y: Int) {
      let (cell, share) = grid.place(y, grid.rectangle.y, grid.rows)
      self.share = share
      guard cell != current else { return }
      current = cell
      let below = min(cell + 1, grid.rows - 1)
      for (index, column) in columns.enumerated() {
        let right = min(column.cell + 1, grid.columns - 1)
        func mix(_ row: Int) -> SIMD3<Float> {
          let (a, b) = (grid.colors[row * grid.columns + column.cell], grid.colors[row * grid.columns + right])
          return a + (b - a) * column.share
        }
        let (upper, lower) = (mix(cell), mix(below))
        for channel in 0..<3 {
          above[channel * width + index] = upper[channel]
          change[channel * width + index] = lower[channel] - upper[channel]
        }
      }
    }

    /// The colours of eight pixels of the row, from the one at this index on: a multiple of eight within the width.
    @inline(__always)
    func callAsFunction(_ index: Int) -> ColorVector {
      above.withUnsafeBufferPointer { above in
        change.withUnsafeBufferPointer { change in
          guard let above = above.baseAddress, let change = change.baseAddress else { return .zero }
          @inline(__always) func channel(_ number: Int) -> Vector8 {
            let place = number &* width &+ index
            return Vector8(at: above + place) + Vector8(at: change + place) * share
          }
          return ColorVector(channel(0), channel(1), channel(2))
        }
      }
    }
  }
}
