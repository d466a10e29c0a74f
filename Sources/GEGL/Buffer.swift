import CGEGL

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
  public convenience init(_ extent: GeglRectangle, format: PixelFormat) throws {
    var extent = extent
    guard extent.width >= 0, extent.height >= 0, let pointer = gegl_buffer_new(&extent, format.babl) else {
      throw GEGLError("cannot make a picture of \(extent.width) × \(extent.height) pixels")
    }
    self.init(owned: pointer)
  }

  /// A buffer filled from an array of samples that `format` describes.
  public convenience init<Sample: BitwiseCopyable>(
    _ extent: GeglRectangle, format: PixelFormat, samples: [Sample]
  ) throws {
    try self.init(extent, format: format)
    try write(samples, to: extent, format: format)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Where the buffer has pixels.
  public var extent: GeglRectangle { gegl_buffer_get_extent(pointer)?.pointee ?? GeglRectangle() }

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
    _ rectangle: GeglRectangle, format: PixelFormat, as type: Sample.Type
  ) throws -> [Sample] {
    let count = try sampleCount(rectangle, format, Sample.self)
    var rectangle = rectangle
    return [Sample](unsafeUninitializedCapacity: count) { samples, initialized in
      gegl_buffer_get(pointer, &rectangle, 1, format.babl, samples.baseAddress, 0, GEGL_ABYSS_NONE)
      initialized = count
    }
  }

  /// Writes samples of `format` into `rectangle`.
  public func write<Sample: BitwiseCopyable>(_ samples: [Sample], to rectangle: GeglRectangle, format: PixelFormat) throws {
    let count = try sampleCount(rectangle, format, Sample.self)
    guard samples.count == count else {
      throw GEGLError("\(samples.count) samples given where the rectangle takes \(count)")
    }
    var rectangle = rectangle
    samples.withUnsafeBytes {
      gegl_buffer_set(pointer, &rectangle, 0, format.babl, $0.baseAddress, 0)
    }
  }

  private func sampleCount<Sample>(_ rectangle: GeglRectangle, _ format: PixelFormat, _: Sample.Type) throws -> Int {
    let bytes = max(0, Int(rectangle.width)) * max(0, Int(rectangle.height)) * format.bytesPerPixel
    guard bytes % MemoryLayout<Sample>.stride == 0 else {
      throw GEGLError("pixels of '\(format.name)' do not divide into samples of \(MemoryLayout<Sample>.stride) bytes")
    }
    return bytes / MemoryLayout<Sample>.stride
  }
}

extension GeglRectangle {
  /// A rectangle whose top left pixel is (0, 0).
  public init(width: Int, height: Int) {
    self.init(x: 0, y: 0, width: gint(clamping: width), height: gint(clamping: height))
  }

  /// Whether this is GEGL's mark for a picture without bounds.
  public var isInfinite: Bool { withUnsafePointer(to: self) { cgegl_rectangle_is_infinite($0) != 0 } }

  /// Whether there is no pixel inside.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
}
