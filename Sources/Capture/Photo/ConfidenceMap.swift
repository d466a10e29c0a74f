import Development
import Photo
import Raster

/// For each pixel of a constant-colour photo, how far its colour can be trusted: the probability that its error is within the
/// tolerance (``PhotoSettings/processing``), as far as the pair tells.
public struct ConfidenceMap: Sendable {
  /// The size in pixels: that of the photo.
  public let width, height: Int
  /// The confidence of each pixel, row by row, 0 (none) to 1 (full).
  public let values: [Float]
  /// The mean in which the centre weighs more than the edges, 0...1.
  public let centerWeightedMean: Double
  private let exif: ExifBlock?

  init(width: Int, height: Int, values: [Float], centerWeightedMean: Double, exif: ExifBlock?) {
    (self.width, self.height, self.values) = (width, height, values)
    (self.centerWeightedMean, self.exif) = (centerWeightedMean, exif)
  }

  /// The confidence of each pixel, row by row, from 0 (none) to 255 (full), as the reference system has it.
  public var bytes: [UInt8] { values.map { $0 > 0 ? UInt8(min($0, 1) * 255 + 0.5) : 0 } }

  /// The confidence of a pixel, x to the right, y down, from (0, 0); 0 outside the picture.
  public subscript(x: Int, y: Int) -> Float {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return 0 }
    return values[y * width + x]
  }

  /// The mean confidence of an area; nil where it is not inside the picture.
  public func mean(_ area: PixelArea) -> Double? {
    guard let rectangle = area.rectangle(inside: PixelArea(x: 0, y: 0, width: width, height: height)) else {
      return nil
    }
    var sum = 0.0
    for row in rectangle.y..<rectangle.maxY {
      for column in rectangle.x..<rectangle.maxX { sum += Double(self[column, row]) }
    }
    return sum / Double(rectangle.count)
  }

  /// The part of the picture whose confidence is below a threshold, 0...1.
  public func fraction(below threshold: Float) -> Double {
    values.isEmpty ? 0 : Double(values.count { $0 < threshold }) / Double(values.count)
  }

  /// Writes the map as plain linear numbers: .png and .tif 16 bit, .exr float, .jpg 8 bit.
  ///
  /// - Throws: `PhotoError`
  public func write(to path: String) throws {
    let box = Rectangle(width: width, height: height)
    try PictureDestination(path).writeMap(box, exif: exif, execution: .serial) { band in
      Array(values[(band.y * width)..<(band.maxY * width)])
    }
  }
}
