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

  /// Scales the pixels of a part of the area, row after row, in place; alpha stays.
  public func apply(to pixels: MutablePixels, of band: Rectangle) {
    guard pixels.count >= band.count, band.intersection(area) == band, let first = factors.first else { return }
    if factors.count == 1 {
      for index in 0..<band.count { pixels[index] *= first }
    } else {
      for row in 0..<band.height {
        let start = row * band.width
        if isVertical {
          let factor = factors[band.y - area.y + row]
          for x in 0..<band.width { pixels[start + x] *= factor }
        } else {
          for x in 0..<band.width { pixels[start + x] *= factors[band.x - area.x + x] }
        }
      }
    }
  }
}
