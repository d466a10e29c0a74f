import Raster

extension Execution {
  /// Computes a rectangle tile by tile, possibly several at the same time; after a cancellation tiles are left out.
  ///
  /// - Parameters:
  ///   - make: makes what computes one tile after the other, in memory of its own.
  ///   - run: computes a tile: its pixels, row after row.
  ///   - body: is given where a tile lies, and its pixels.
  func forEachTile<Work>(
    of rectangle: Rectangle, width: Int, height: Int, make: () -> Work,
    run: (Work, Rectangle, MutablePixels) -> Void, _ body: (Rectangle, MutablePixels) -> Void
  ) {
    let tiles = rectangle.tiles(width: width, height: height)
    parallelFor(tiles.count) { turns in
      if cancellation.isCancelled { return }
      let work = make()
      var memory = Image(Rectangle(width: min(width, rectangle.width), height: min(height, rectangle.height)))
      memory.withMutablePixels { pixels in
        for index in turns {
          let tile = tiles[index]
          if cancellation.isCancelled { return }
          let part = pixels.suffix(from: 0, count: tile.count)
          run(work, tile, part)
          body(tile, part)
        }
      }
    }
  }
}

extension MutablePixels {
  /// Takes over the pixels of a tile of the rectangle that these are the pixels of.
  func take(_ pixels: MutablePixels, of tile: Rectangle, in rectangle: Rectangle) {
    for row in 0..<tile.height {
      let start = (tile.y - rectangle.y + row) * rectangle.width + tile.x - rectangle.x
      for x in 0..<tile.width { self[start + x] = pixels[row * tile.width + x] }
    }
  }
}
