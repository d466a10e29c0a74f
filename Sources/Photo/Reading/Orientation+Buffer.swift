import CGEGL
import GEGL
import Raster

extension Orientation {
  /// The picture turned upright, in the same format; the same buffer where nothing is to be done.
  public func apply(to buffer: Buffer) throws -> Buffer {
    guard self != .upright, let format = buffer.format else { return buffer }
    let extent = buffer.extent
    let size = swapsSides ? (extent.height, extent.width) : (extent.width, extent.height)
    let result = try Buffer(Rectangle(width: size.0, height: size.1), format: format)
    let bytes = format.bytesPerPixel
    for band in result.extent.bands(of: 128) {
      let first = stored(x: 0, y: band.y, width: extent.width, height: extent.height)
      let last = stored(x: size.0 - 1, y: band.maxY - 1, width: extent.width, height: extent.height)
      let source = Rectangle(
        x: min(first.x, last.x), y: min(first.y, last.y), width: abs(first.x - last.x) + 1,
        height: abs(first.y - last.y) + 1)
      let moved = Rectangle(
        x: source.x + extent.x, y: source.y + extent.y, width: source.width, height: source.height)
      let pixels = try buffer.read(moved, format: format, as: UInt8.self)
      let turned = [UInt8](unsafeUninitializedCapacity: pixels.count) { output, count in
        pixels.withUnsafeBytes { input in
          turn(input, source, into: UnsafeMutableRawBufferPointer(output), band, extent, bytes)
        }
        count = pixels.count
      }
      try result.write(turned, to: band, format: format)
    }
    return result
  }

  private func turn(
    _ input: UnsafeRawBufferPointer, _ source: Rectangle, into output: UnsafeMutableRawBufferPointer, _ band: Rectangle,
    _ extent: Rectangle, _ bytes: Int
  ) {
    var to = 0
    for y in band.y..<band.maxY {
      let start = stored(x: 0, y: y, width: extent.width, height: extent.height)
      let next = stored(x: 1, y: y, width: extent.width, height: extent.height)
      // Along a row of the result the stored place moves by a constant step.
      let step = ((next.y - start.y) * source.width + next.x - start.x) * bytes
      var from = ((start.y - source.y) * source.width + start.x - source.x) * bytes
      for _ in 0..<band.width {
        for byte in 0..<bytes { output[to + byte] = input[from + byte] }
        to += bytes
        from += step
      }
    }
  }
}
