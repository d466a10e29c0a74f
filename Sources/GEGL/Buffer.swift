import CGEGL
import Raster

/// A picture that GEGL holds, in tiles, possibly swapped to disk: a `GeglBuffer`.
public final class Buffer: @unchecked Sendable {
  /// The GObject, owned by this value.
  public let pointer: OpaquePointer

  /// Takes over a reference that the caller owns.
  public init(owned pointer: OpaquePointer) { self.pointer = pointer }

  /// Shares a buffer that somebody else owns.
  public convenience init(shared pointer: OpaquePointer) {
    g_object_ref(UnsafeMutableRawPointer(pointer))
    self.init(owned: pointer)
  }

  /// A buffer of zeros.
  public convenience init(_ extent: Rectangle, format: PixelFormat) throws {
    var area = GeglRectangle(extent)
    guard let pointer = gegl_buffer_new(&area, format.babl) else {
      throw GEGLError("cannot make a picture of \(extent.width) × \(extent.height) pixels")
    }
    self.init(owned: pointer)
  }

  /// A buffer filled from an array of samples that `format` describes.
  public convenience init<Sample: BitwiseCopyable>(
    _ extent: Rectangle, format: PixelFormat, samples: [Sample]
  ) throws {
    try self.init(extent, format: format)
    try write(samples, to: extent, format: format)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Where the buffer has pixels.
  public var extent: Rectangle {
    gegl_buffer_get_extent(pointer).map { Rectangle($0.pointee) } ?? Rectangle(width: 0, height: 0)
  }

  /// How its pixels are stored.
  public var format: PixelFormat? { PixelFormat(gegl_buffer_get_format(pointer)) }

  /// Declares that the stored numbers mean something else; a format of another pixel size is refused.
  ///
  /// The corresponding C function is `gegl_buffer_set_format`.
  public func reinterpret(as format: PixelFormat) throws {
    guard format.bytesPerPixel == self.format?.bytesPerPixel else {
      throw GEGLError("pixels of \(self.format?.bytesPerPixel ?? 0) bytes cannot be read as '\(format.name)'")
    }
    _ = gegl_buffer_set_format(pointer, format.babl)
  }

  /// The samples of `rectangle`, row after row, converted to `format`. Outside the buffer they are 0.
  public func read<Sample: BitwiseCopyable>(
    _ rectangle: Rectangle, format: PixelFormat, as type: Sample.Type
  ) throws -> [Sample] {
    let count = try sampleCount(rectangle, format, Sample.self)
    var area = GeglRectangle(rectangle)
    let samples = [Sample](unsafeUninitializedCapacity: count) { samples, initialized in
      gegl_buffer_get(pointer, &area, 1, format.babl, samples.baseAddress, 0, GEGL_ABYSS_NONE)
      initialized = count
    }
    try Library.checkPixels()
    return samples
  }

  /// Writes samples of `format` into `rectangle`.
  public func write<Sample: BitwiseCopyable>(_ samples: [Sample], to rectangle: Rectangle, format: PixelFormat) throws {
    let count = try sampleCount(rectangle, format, Sample.self)
    guard samples.count == count else {
      throw GEGLError("\(samples.count) samples given where the rectangle takes \(count)")
    }
    var area = GeglRectangle(rectangle)
    samples.withUnsafeBytes {
      gegl_buffer_set(pointer, &area, 0, format.babl, $0.baseAddress, 0)
    }
  }

  /// A copy in the same format, whose first pixel is elsewhere.
  ///
  /// The corresponding C function is `gegl_buffer_copy`.
  public func copy(at x: Int = 0, _ y: Int = 0) throws -> Buffer {
    guard let format else { throw GEGLError("the picture has no pixel format") }
    let copy = try Buffer(Rectangle(x: x, y: y, width: extent.width, height: extent.height), format: format)
    var from = GeglRectangle(extent)
    var to = GeglRectangle(copy.extent)
    gegl_buffer_copy(pointer, &from, GEGL_ABYSS_NONE, copy.pointer, &to)
    return copy
  }

  /// A copy in another format, smaller by a factor: each pixel is the mean of those that it stands for. The origin stays.
  ///
  /// The corresponding C function is `gegl_buffer_get`.
  public func reduced(by factor: Double, format: PixelFormat) throws -> Buffer {
    let scale = factor > 0 && factor < 1 ? factor : 1
    func scaled(_ length: Int) -> Int { Int((Double(length) * scale).rounded()) }
    let small = Rectangle(
      x: scaled(extent.x), y: scaled(extent.y), width: max(1, scaled(extent.width)),
      height: max(1, scaled(extent.height)))
    let copy = try Buffer(small, format: format)
    var area = GeglRectangle(small)
    let bytes = [UInt8](unsafeUninitializedCapacity: small.count * format.bytesPerPixel) { memory, count in
      gegl_buffer_get(pointer, &area, scale, format.babl, memory.baseAddress, 0, GEGL_ABYSS_CLAMP)
      count = small.count * format.bytesPerPixel
    }
    try copy.write(bytes, to: small, format: format)
    return copy
  }

  /// Hands what was written to whoever shares the pixels, such as a host.
  ///
  /// The corresponding C function is `gegl_buffer_flush`.
  public func flush() { gegl_buffer_flush(pointer) }

  private func sampleCount<Sample>(_ rectangle: Rectangle, _ format: PixelFormat, _: Sample.Type) throws -> Int {
    let bytes = rectangle.count * format.bytesPerPixel
    guard bytes % MemoryLayout<Sample>.stride == 0 else {
      throw GEGLError("pixels of '\(format.name)' do not divide into samples of \(MemoryLayout<Sample>.stride) bytes")
    }
    return bytes / MemoryLayout<Sample>.stride
  }
}
