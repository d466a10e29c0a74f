import GEGL
import Photo

/// The picture of a pair's regions: 8-bit grey, a byte of ``Region``s a pixel.
public enum RegionMask {
  /// Reads one of the given size. Throws `PhotoError`.
  public static func read(_ path: String, width: Int, height: Int) throws -> [Region] {
    let picture = try PictureLoader.load(path)
    guard picture.width == width, picture.height == height else {
      throw PhotoError(
        path, "is \(picture.width) × \(picture.height) pixels, not \(width) × \(height); make the set again")
    }
    guard let format = picture.buffer.format, format.bytesPerPixel == 1, format.components == 1 else {
      throw PhotoError(path, "is no 8-bit grey picture; make the set again")
    }
    // In its own format nothing is converted.
    return try picture.buffer.read(picture.buffer.extent, format: format, as: UInt8.self).map { Region(rawValue: $0) }
  }

  /// Writes one. Throws `PhotoError`.
  public static func write(_ regions: [Region], width: Int, height: Int, to path: String) throws {
    guard regions.count == width * height else { throw PhotoError(path, "the mask has not a byte for each pixel") }
    let layout = PictureLayout(width: width, height: height, channels: 1, sample: .uint8)
    try PictureDestination(path).write(layout) { rows, bytes in
      for (place, index) in (rows.lowerBound * width..<rows.upperBound * width).enumerated() where place < bytes.count {
        bytes[place] = regions[index].rawValue
      }
    }
  }
}
