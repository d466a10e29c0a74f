import Raster

extension Rectangle {
  /// The rectangle cut into tiles, row after row: rows as `bands(of:)` has them, columns from its left side. The last may be
  /// smaller.
  func tiles(width: Int, height: Int) -> [Rectangle] {
    bands(of: height).flatMap { band in
      stride(from: band.x, to: band.maxX, by: width).map { x in
        Rectangle(x: x, y: band.y, width: min(width, band.maxX - x), height: band.height)
      }
    }
  }
}
