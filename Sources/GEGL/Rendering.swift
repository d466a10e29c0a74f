import CGEGL
import Raster

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
    _ rectangle: Rectangle, format: PixelFormat, into destination: UnsafeMutableRawBufferPointer
  ) throws {
    let bytes = rectangle.count * format.bytesPerPixel
    guard !rectangle.isEmpty, destination.count == bytes, let base = destination.baseAddress else {
      throw GEGLError("the memory for a band of \(rectangle.width) × \(rectangle.height) pixels has the wrong size")
    }
    // Of a node without a picture GEGL writes nothing.
    if boundingBox.isEmpty { destination.initializeMemory(as: UInt8.self, repeating: 0) }
    var area = GeglRectangle(rectangle)
    gegl_node_blit(pointer, 1, &area, format.babl, base, 0, GEGL_BLIT_DEFAULT)
    try Library.checkPixels()
  }

  /// The whole result, in the format that it has by itself. Throws where there is none.
  public func buffer() throws -> Buffer {
    guard let buffer = cgegl_node_to_buffer(graph.pointer, pointer) else {
      throw GEGLError("'\(operation)' gives no picture")
    }
    return Buffer(owned: buffer)
  }

  /// The samples of `rectangle` of the node's result, row after row, in `format`.
  public func read<Sample: BitwiseCopyable>(
    _ rectangle: Rectangle, format: PixelFormat, as type: Sample.Type
  ) throws -> [Sample] {
    let count = rectangle.count * format.bytesPerPixel / MemoryLayout<Sample>.stride
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
    of rectangle: Rectangle, format: PixelFormat, rows: Int? = nil,
    isCancelled: () -> Bool = { false }, progress: (Double) -> Void = { _ in },
    _ body: (Rectangle, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let rows = rows ?? Node.bandRows(width: rectangle.width)
    let bytesPerRow = rectangle.width * format.bytesPerPixel
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytesPerRow * min(rows, rectangle.height), alignment: 64)
    defer { memory.deallocate() }
    for band in rectangle.bands(of: rows) {
      if isCancelled() { throw RenderingCancelled() }
      let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<(bytesPerRow * band.height)])
      try read(band, format: format, into: part)
      if isCancelled() { throw RenderingCancelled() }
      try body(band, UnsafeRawBufferPointer(part))
      progress(Double(band.maxY - rectangle.y) / Double(rectangle.height))
    }
  }

  /// How many rows a band has: whole rows of GEGL's tiles (128), about a megapixel in all.
  static func bandRows(width: Int) -> Int { max(1, (1 << 20) / (128 * max(1, width))) * 128 }
}
