import ColorScience
import Photo
import Raster

/// A result and its confidence, small and next to each other: for contact sheets.
struct DevelopmentPreview {
  /// Means of linear light, sRGB primaries.
  var result: ReducedPicture
  /// Means, 0...1.
  var confidence: ReducedPicture

  init(_ box: Rectangle) {
    result = ReducedPicture(box)
    confidence = ReducedPicture(box)
  }

  func write(to destination: PictureDestination) throws {
    let (width, height) = (result.width, result.height)
    let sample = destination.format.sample()
    let layout = PictureLayout(width: 2 * width, height: height, channels: 3, sample: sample)
    let attachments = PictureAttachments(icc: RGBSpace.sRGB.iccProfile)
    try destination.write(layout, attachments) { rows, bytes in
      for (line, row) in rows.enumerated() {
        for x in 0..<(2 * width) {
          let isResult = x < width
          let mean = isResult ? result.mean(x, row) : confidence.mean(x - width, row)
          for channel in 0..<3 {
            let value = min(max(Double(mean[channel]), 0), 1)
            // A confidence of one half looks like the middle between black and white.
            let encoded = isResult ? TransferFunction.sRGB.encode(value) : value
            let place = (line * 2 * width + x) * 3 + channel
            switch sample {
            case .uint8: bytes.storeBytes(of: UInt8(encoded * 255 + 0.5), toByteOffset: place, as: UInt8.self)
            case .uint16: bytes.storeBytes(of: UInt16(encoded * 65535 + 0.5), toByteOffset: place * 2, as: UInt16.self)
            case .float32: bytes.storeBytes(of: Float(encoded), toByteOffset: place * 4, as: Float.self)
            }
          }
        }
      }
    }
  }
}

/// Means over the cells of a grid of a picture that comes in bands.
struct ReducedPicture {
  /// The grid.
  let width, height: Int
  private let box: Rectangle
  private var sums: [Pixel]

  /// The longest side.
  private static let side = 320

  init(_ box: Rectangle) {
    let scale = min(1, Double(Self.side) / Double(max(box.width, box.height, 1)))
    width = max(1, Int((Double(box.width) * scale).rounded()))
    height = max(1, Int((Double(box.height) * scale).rounded()))
    self.box = box
    sums = [Pixel](repeating: .zero, count: width * height)
  }

  /// Adds rows of the picture; what is no number counts as nothing.
  mutating func add(_ pixels: [Pixel], _ band: Rectangle) {
    guard band.width == box.width, pixels.count == band.width * band.height else { return }
    for line in 0..<band.height {
      let y = (band.y - box.y + line) * height / max(box.height, 1)
      guard (0..<height).contains(y) else { continue }
      for x in 0..<band.width {
        let pixel = pixels[line * band.width + x]
        guard (pixel * 0).sum() == 0 else { continue }
        sums[y * width + x * width / band.width] += Pixel(pixel.x, pixel.y, pixel.z, 1)
      }
    }
  }

  /// The mean of a cell; black where nothing was added.
  func mean(_ x: Int, _ y: Int) -> Pixel {
    let sum = sums[y * width + x]
    return sum.w > 0 ? sum / sum.w : .zero
  }
}
