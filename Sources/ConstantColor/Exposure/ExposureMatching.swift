import Raster

/// Brings pixels of the ambient frame to the exposure of the flash frame.
public struct ExposureMatching: Sendable {
  private let area: Rectangle
  private let isVertical: Bool
  /// The factor of each row (or column) of the area; one for all without flicker.
  private let factors: [Pixel]

  /// The factors of an area of the full-size frame.
  public init(_ ratio: ExposureRatio, over area: Rectangle) {
    self.area = area
    isVertical = ratio.flicker?.isVertical ?? true
    guard let flicker = ratio.flicker else {
      factors = [Pixel(rgb: ratio.channels, alpha: 1)]
      return
    }
    let places = isVertical ? area.y..<area.maxY : area.x..<area.maxX
    factors = places.map { Pixel(rgb: ratio.channels * flicker.factor(at: Double($0)), alpha: 1) }
  }

  /// Scales pixels, row after row, in place; alpha stays. Pixels beside the area are taken for its edge's.
  public func apply(to pixels: MutablePixels, of band: Rectangle) {
    guard pixels.count >= band.count, let first = factors.first else { return }
    guard factors.count > 1 else {
      for index in 0..<band.count { pixels[index] *= first }
      return
    }
    @inline(__always) func factor(_ place: Int) -> Pixel { factors[min(max(place, 0), factors.count - 1)] }
    for row in 0..<band.height {
      let start = row * band.width
      if isVertical {
        let factor = factor(band.y - area.y + row)
        for x in 0..<band.width { pixels[start + x] *= factor }
      } else {
        for x in 0..<band.width { pixels[start + x] *= factor(band.x - area.x + x) }
      }
    }
  }
}

/// The ambient frame in the flash frame's exposure, computed as it is read.
public struct MatchedFrame: PixelSource {
  private let frame: any PixelSource
  private let matching: ExposureMatching

  /// A frame that is aligned, and what brings it to the flash frame's exposure.
  public init(_ frame: any PixelSource, _ matching: ExposureMatching) {
    (self.frame, self.matching) = (frame, matching)
  }

  /// See ``PixelSource/bounds``.
  public var bounds: Rectangle { frame.bounds }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    frame.read(rectangle, into: destination)
    matching.apply(to: destination, of: rectangle)
  }
}
