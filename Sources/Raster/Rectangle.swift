/// A rectangle of whole pixels: x to the right, y down. It may lie anywhere, also at negative places.
public struct Rectangle: Equatable, Hashable, Sendable {
  /// The left column and the top row.
  public var x, y: Int
  /// The size in pixels; a rectangle without pixels has a width or height of 0.
  public var width, height: Int

  /// A rectangle; a negative size counts as empty.
  @inlinable public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// The rectangle of a picture whose top left pixel is (0, 0).
  @inlinable public init(width: Int, height: Int) {
    self.init(x: 0, y: 0, width: width, height: height)
  }

  /// The first column to the right of the rectangle.
  @inlinable public var maxX: Int { x + width }
  /// The first row below the rectangle.
  @inlinable public var maxY: Int { y + height }
  /// True where there is no pixel inside.
  @inlinable public var isEmpty: Bool { width == 0 || height == 0 }
  /// The number of pixels.
  @inlinable public var count: Int { width * height }

  /// The pixels that both rectangles have.
  @inlinable public func intersection(_ other: Rectangle) -> Rectangle {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rectangle(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// The rectangle grown by `margin` pixels on all four sides.
  @inlinable public func expanded(by margin: Int) -> Rectangle {
    Rectangle(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  /// Whether the pixel is inside.
  @inlinable public func contains(x column: Int, y row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }

  /// The rectangle cut into full-width bands of at most `rows` rows, from the top. Bands lie on a
  /// fixed grid (multiples of `rows`), so that they do not depend on where the rectangle begins.
  @inlinable public func bands(of rows: Int) -> [Rectangle] {
    guard !isEmpty, rows > 0 else { return [] }
    var bands: [Rectangle] = []
    var top = y
    while top < maxY {
      let grid = Int((Double(top) / Double(rows)).rounded(.down)) * rows + rows
      let bottom = min(grid, maxY)
      bands.append(Rectangle(x: x, y: top, width: width, height: bottom - top))
      top = bottom
    }
    return bands
  }
}

extension Rectangle {
  /// The rectangle cut into tiles, row after row: rows as `bands(of:)` has them, columns from its left side. The last may be
  /// smaller.
  public func tiles(width: Int, height: Int) -> [Rectangle] {
    bands(of: height).flatMap { band in
      stride(from: band.x, to: band.maxX, by: max(1, min(width, band.width))).map { x in
        Rectangle(x: x, y: band.y, width: min(max(1, width), band.maxX - x), height: band.height)
      }
    }
  }
}
