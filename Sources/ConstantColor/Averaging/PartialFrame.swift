import Raster

/// A frame of a picture, of which it may cover a part only: elsewhere in the picture its alpha is 0.
struct PartialFrame: PixelSource {
  /// Where the picture has pixels.
  let bounds: Rectangle
  private let frame: any PixelSource
  private let isPartial: Bool

  /// The part of a frame that lies in a picture.
  init(_ frame: any PixelSource, of bounds: Rectangle) {
    self.frame = frame
    self.bounds = bounds
    isPartial = frame.bounds.intersection(bounds) != bounds
  }

  /// See ``PixelSource/read(_:into:)``.
  func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    frame.read(rectangle, into: destination)
    guard isPartial, !bounds.isEmpty else { return }
    // Beyond the picture its edge is repeated.
    for row in 0..<rectangle.height {
      let y = min(max(rectangle.y + row, bounds.y), bounds.maxY - 1)
      for column in 0..<rectangle.width {
        let x = min(max(rectangle.x + column, bounds.x), bounds.maxX - 1)
        guard !frame.bounds.contains(x: x, y: y) else { continue }
        destination[row * rectangle.width + column].w = 0
      }
    }
  }
}
