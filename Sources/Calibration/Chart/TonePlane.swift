import ConstantColor
import Raster

/// A picture prepared for seeing edges: how fast its colour changes at each pixel.
///
/// Channels are brought to a common scale (camera values know no white balance), and values compressed by a square
/// root, after which the noise of light is about the same everywhere.
struct TonePlane {
  let width, height: Int
  /// The change of colour over two pixels, in both directions together; 0 on the picture's border.
  let gradient: [Float]

  /// The gradient of `image` after smoothing with [1 2 1]² / 16.
  ///
  /// - Parameter scale: the value of each channel that becomes 1.
  init(_ image: Image, scale: SIMD3<Float>, execution: Execution) {
    let (width, height) = (image.bounds.width, image.bounds.height)
    self.width = width
    self.height = height
    guard width > 2, height > 2 else {
      gradient = [Float](repeating: 0, count: width * height)
      return
    }
    let tones = Self.tones(image, scale: scale, execution: execution)
    var gradient = [Float](repeating: 0, count: width * height)
    tones.withUnsafeBufferPointer { tones in
      gradient.withUnsafeMutableBufferPointer { buffer in
        nonisolated(unsafe) let buffer = buffer
        nonisolated(unsafe) let tones = tones
        execution.forEach(height - 2) { row in
          let first = (row + 1) * width
          for index in first + 1..<first + width - 1 {
            let dx = tones[index + 1] - tones[index - 1]
            let dy = tones[index + width] - tones[index - width]
            buffer[index] = (dx * dx + dy * dy).sum().squareRoot()
          }
        }
      }
    }
    self.gradient = gradient
  }

  private static func tones(_ image: Image, scale: SIMD3<Float>, execution: Execution) -> [SIMD4<Float>] {
    let (width, height) = (image.bounds.width, image.bounds.height)
    let factor = SIMD4<Float>(1 / scale.x, 1 / scale.y, 1 / scale.z, 0)
    var tones = [SIMD4<Float>](repeating: .zero, count: width * height)
    image.withPixels { pixels in
      tones.withUnsafeMutableBufferPointer { buffer in
        nonisolated(unsafe) let pixels = pixels
        nonisolated(unsafe) let buffer = buffer
        execution.forEach(height) { y in
          let rows = SIMD3(max(y - 1, 0), y, min(y + 1, height - 1)) &* SIMD3(repeating: width)
          func column(_ x: Int) -> SIMD4<Float> {
            pixels[rows.x + x] + 2 * pixels[rows.y + x] + pixels[rows.z + x]
          }
          var (left, middle) = (column(0), column(0))
          for x in 0..<width {
            let right = column(min(x + 1, width - 1))
            let mean = (left + 2 * middle + right) / 16
            buffer[y * width + x] = compressed(mean * factor)
            (left, middle) = (middle, right)
          }
        }
      }
    }
    return tones
  }

  /// The square root, made linear near 0 so that the noise of a dark area does not become edges.
  @inline(__always)
  private static func compressed(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let offset = SIMD4<Float>(repeating: 0.01)
    return (value.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 4)) + offset).squareRoot()
  }
}

extension Image {
  /// The picture at half its size, each pixel the mean of four.
  func halved() -> Image {
    Image(Rectangle(width: bounds.width / 2, height: bounds.height / 2)) { x, y in
      (self[2 * x, 2 * y] + self[2 * x + 1, 2 * y] + self[2 * x, 2 * y + 1] + self[2 * x + 1, 2 * y + 1]) / 4
    }
  }

  /// What counts as bright in each channel: the value that one pixel in twenty exceeds; nil for a dark picture.
  func brightness() -> SIMD3<Float>? {
    // Twenty thousand pixels tell a percentile to a fraction of a per cent.
    let step = max(1, pixels.count / 20_000)
    var result = SIMD3<Float>()
    for channel in 0..<3 {
      let values = stride(from: 0, to: pixels.count, by: step).map { pixels[$0][channel] }.sorted()
      guard !values.isEmpty else { return nil }
      result[channel] = values[min(values.count - 1, values.count * 95 / 100)]
    }
    guard result.max() > 0, result.max() < 1e30 else { return nil }
    // A channel without light has nothing to say; enlarging it would only show noise.
    return result.clamped(
      lowerBound: SIMD3(repeating: result.max() / 50), upperBound: SIMD3(repeating: .greatestFiniteMagnitude))
  }
}
