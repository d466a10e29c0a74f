import Raster

/// A frame averaged over square blocks until it is small enough to hold: the base of a registration pyramid.
///
/// Red, green and blue are sums weighted with the fourth lane, the part of the block that is known.
struct ReducedFrame {
  var width, height: Int
  /// Frame pixels per side of a block.
  var factor: Int
  var pixels: [SIMD4<Float>]
  /// Bits 0...2: red, green, blue are clipped within the block; bit 3: the block is unknown.
  var flags: [UInt8]

  static let unknown: UInt8 = 8

  /// The largest number of blocks that is kept.
  static let capacity = 1_500_000

  /// The side of a block for a frame; nil for frames that have no pixels or claim more than a camera's.
  static func factor(for bounds: Rectangle) -> Int? {
    let limit = 1 << 22
    let places = -64 * limit...64 * limit
    guard !bounds.isEmpty, bounds.width <= limit, bounds.height <= limit, places.contains(bounds.x),
      places.contains(bounds.y), bounds.count <= 1 << 32
    else { return nil }
    var factor = 1
    while (bounds.width / factor) * (bounds.height / factor) > capacity { factor += 1 }
    return factor
  }

  /// Reads `source` band by band. Blocks that the right and bottom edges would cut are left out.
  init(_ source: some PixelSource, factor: Int, execution: Execution) {
    let bounds = source.bounds
    let columns = bounds.width / factor
    let rows = bounds.height / factor
    width = columns
    height = rows
    self.factor = factor
    pixels = [SIMD4<Float>](repeating: .zero, count: columns * rows)
    flags = [UInt8](repeating: Self.unknown, count: columns * rows)
    guard columns > 0, rows > 0 else { return }
    // Bands of about a quarter of a megabyte stay in the processor's cache between reading and summing.
    let rowsPerBand = max(1, 16_384 / max(1, bounds.width * factor))
    let bands = (rows + rowsPerBand - 1) / rowsPerBand
    pixels.withUnsafeMutableBufferPointer { pixelBuffer in
      flags.withUnsafeMutableBufferPointer { flagBuffer in
        nonisolated(unsafe) let pixels = pixelBuffer
        nonisolated(unsafe) let flags = flagBuffer
        execution.forEach(bands) { band in
          let first = band * rowsPerBand
          let count = min(rowsPerBand, rows - first)
          let rectangle = Rectangle(
            x: bounds.x, y: bounds.y + first * factor, width: columns * factor, height: count * factor)
          withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: rectangle.count) { memory in
            let view = MutablePixels(memory.baseAddress.map { UnsafeMutableRawPointer($0) }, count: rectangle.count)
            source.read(rectangle, into: view)
            let readable = view.readable
            for row in 0..<count {
              for column in 0..<columns {
                let (sum, flag) = Self.block(
                  readable, at: row * factor * rectangle.width + column * factor, stride: rectangle.width, side: factor)
                pixels[(first + row) * columns + column] = sum
                flags[(first + row) * columns + column] = flag
              }
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private static func block(_ pixels: Pixels, at start: Int, stride: Int, side: Int) -> (SIMD4<Float>, UInt8) {
    var sum = SIMD4<Float>.zero
    var highest = SIMD4<Float>.zero
    for row in 0..<side {
      for column in 0..<side {
        var pixel = pixels[start &+ row &* stride &+ column]
        // One comparison catches NaN, both infinities and numbers no light has.
        let sane = (pixel .< 1e6) .& (pixel .> -1e6)
        guard pixel.w > 0, sane[0], sane[1], sane[2] else { continue }
        pixel.w = 0
        highest = highest.greater(pixel)
        pixel = pixel.lesser(SIMD4(repeating: 1))
        pixel.w = 1
        sum += pixel
      }
    }
    guard sum.w > 0 else { return (.zero, unknown) }
    let clipped = highest .>= SIMD4(repeating: 1)
    return (
      sum / Float(side * side), (clipped[0] ? 1 : 0) | (clipped[1] ? 2 : 0) | (clipped[2] ? 4 : 0)
    )
  }

  private init(width: Int, height: Int, factor: Int) {
    self.width = width
    self.height = height
    self.factor = factor
    pixels = [SIMD4<Float>](repeating: .zero, count: width * height)
    flags = [UInt8](repeating: Self.unknown, count: width * height)
  }

  /// Half the size: means over 2 × 2, a flag where at least two of the four have it.
  func halved() -> ReducedFrame {
    var half = ReducedFrame(width: width / 2, height: height / 2, factor: factor * 2)
    for y in 0..<half.height {
      for x in 0..<half.width {
        let i = 2 * y * width + 2 * x
        half.pixels[y * half.width + x] =
          ((pixels[i] + pixels[i + 1]) + (pixels[i + width] + pixels[i + width + 1])) * 0.25
        let (a, b, c, d) = (flags[i], flags[i + 1], flags[i + width], flags[i + width + 1])
        half.flags[y * half.width + x] = (a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d)
      }
    }
    return half
  }
}
