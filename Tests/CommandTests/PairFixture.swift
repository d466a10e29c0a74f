import GEGL
import Glibc
import Photo
import Raster
import TestSupport

/// Small pairs of photographs on disk.
struct PairFixture {
  let folder: TemporaryFolder
  let flash, ambient: String

  /// A pair whose flash-only light is known: a textured scene, warm ambient light, 16 bit, sRGB.
  init(width: Int = 96, height: Int = 64, named format: String = "png") throws {
    Library.start()
    folder = try TemporaryFolder()
    flash = folder.path + "/flash.\(format)"
    ambient = folder.path + "/ambient.\(format)"
    try Self.write(flash, width, height, light: [0.7, 0.6, 0.5])
    try Self.write(ambient, width, height, light: [0.35, 0.2, 0.08])
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  var inputs: [String] { ["--flash", flash, "--ambient", ambient] }

  static func write(_ path: String, _ width: Int, _ height: Int, light: [Double]) throws {
    let destination = try PictureDestination(path)
    let sample = destination.format.sample()
    try destination.write(PictureLayout(width: width, height: height, channels: 3, sample: sample)) { rows, bytes in
      for row in 0..<rows.count {
        for index in 0..<(width * 3) {
          let (x, y, channel) = (index / 3, rows.lowerBound + row, index % 3)
          let reflectance = (x / 9 + y / 7) % 2 == 0 ? 0.8 : 0.3 + 0.4 * Double((x * 31 + y * 17) % 64) / 64
          let encoded = min(max(pow(reflectance * light[channel], 1 / 2.4) * 1.055 - 0.055, 0), 1)
          let place = row * width * 3 + index
          if sample == .uint8 {
            bytes.storeBytes(of: UInt8(encoded * 255), toByteOffset: place, as: UInt8.self)
          } else {
            bytes.storeBytes(of: UInt16(encoded * 65535), toByteOffset: place * 2, as: UInt16.self)
          }
        }
      }
    }
  }

  static func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}

/// The samples of a picture file as 16-bit numbers, decoded by this project's loader.
func samples(_ path: String, _ format: String = "R'G'B' u16") throws -> [UInt16] {
  Library.start()
  let picture = try PictureLoader.load(path)
  let space = picture.buffer.format?.space
  return try picture.buffer.read(picture.buffer.extent, format: PixelFormat(format, space: space), as: UInt16.self)
}
