import CGEGL

/// The error of a rendering that was asked to stop.
public struct RenderingCancelled: Error, CustomStringConvertible, Sendable {
  /// What happened, for people.
  public var description: String { "stopped before the picture was finished" }
  /// The error.
  public init() {}
}

extension Node {
  /// Computes `rectangle` of the node's result into memory: rows of pixels in `format`, without gaps.
  /// `destination` must hold exactly that many bytes.
  ///
  /// The corresponding C function is `gegl_node_blit`.
  public func read(
    _ rectangle: GeglRectangle, format: PixelFormat, into destination: UnsafeMutableRawBufferPointer
  ) throws {
    let bytes = Int(rectangle.width) * Int(rectangle.height) * format.bytesPerPixel
    guard rectangle.width > 0, rectangle.height > 0, destination.count == bytes, let base = destination.baseAddress else {
      throw GEGLError("the memory for a band of \(rectangle.width) × \(rectangle.height) pixels has the wrong size")
    }
    var rectangle = rectangle
    gegl_node_blit(pointer, 1, &rectangle, format.babl, base, 0, GEGL_BLIT_DEFAULT)
  }

  /// The samples of `rectangle` of the node's result, row after row, in `format`.
  public func read<Sample: BitwiseCopyable>(
    _ rectangle: GeglRectangle, format: PixelFormat, as type: Sample.Type
  ) throws -> [Sample] {
    let count = max(0, Int(rectangle.width)) * max(0, Int(rectangle.height)) * format.bytesPerPixel
      / MemoryLayout<Sample>.stride
    return try [Sample](unsafeUninitializedCapacity: count) { samples, initialized in
      try read(rectangle, format: format, into: UnsafeMutableRawBufferPointer(samples))
      initialized = count
    }
  }

  /// Computes `rectangle` band by band, from the top, and hands each to `body`: the band, and its
  /// pixels in `format`. Only one band is in memory at a time.
  ///
  /// Throws ``RenderingCancelled`` once `isCancelled` is true between two bands or after the last;
  /// what whole-image operations were computing then is void (see ``Node/invalidate()``).
  /// `progress` is told the finished fraction, 0...1.
  public func renderBands(
    of rectangle: GeglRectangle, format: PixelFormat, rows: Int? = nil,
    isCancelled: () -> Bool = { false }, progress: (Double) -> Void = { _ in },
    _ body: (GeglRectangle, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    guard !rectangle.isEmpty else { return }
    let width = Int(rectangle.width)
    let rows = rows ?? Node.bandRows(width: width)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: width * min(rows, Int(rectangle.height)) * format.bytesPerPixel, alignment: 64)
    defer { memory.deallocate() }
    var done = 0
    while done < Int(rectangle.height) {
      if isCancelled() { throw RenderingCancelled() }
      let count = min(rows, Int(rectangle.height) - done)
      let band = GeglRectangle(
        x: rectangle.x, y: rectangle.y + gint(done), width: rectangle.width, height: gint(count))
      let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<(width * count * format.bytesPerPixel)])
      try read(band, format: format, into: part)
      if isCancelled() { throw RenderingCancelled() }
      try body(band, UnsafeRawBufferPointer(part))
      done += count
      progress(Double(done) / Double(rectangle.height))
    }
  }

  /// How many rows a band has: whole rows of GEGL's tiles (128), about a megapixel in all.
  static func bandRows(width: Int) -> Int { max(1, (1 << 20) / (128 * max(1, width))) * 128 }
}
