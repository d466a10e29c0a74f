import CGEGL
import Raster

/// A buffer as a source of linear RGBA pixels, for kernels that know no GEGL.
///
/// The pixels are those of `format` (four floats: "RGBA float" in some space). Reading is safe from
/// several threads at once.
public struct BufferSource: PixelSource, @unchecked Sendable {
  private let buffer: Buffer
  private let format: PixelFormat
  /// The stored format, where that is the same without alpha: pixels are then made here, which babl takes four times as long
  /// for.
  private let opaque: PixelFormat?
  /// Where the picture has pixels.
  public let bounds: Rectangle

  /// The part of `buffer` inside `bounds` (nil: all of it), read as `format`, which must have pixels
  /// of four floats.
  public init?(_ buffer: Buffer, format: PixelFormat, bounds: Rectangle? = nil) {
    guard format.bytesPerPixel == MemoryLayout<Pixel>.size else { return nil }
    self.buffer = buffer
    self.format = format
    let rgb = try? PixelFormat("RGB float", space: format.space)
    opaque = format.encoding == "RGBA float" && rgb?.babl == buffer.format?.babl ? rgb : nil
    self.bounds = bounds.map { $0.intersection(buffer.extent) } ?? buffer.extent
  }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readRepeatingEdges(rectangle, bounds: bounds, into: destination) { inside, base, stride in
      var area = GeglRectangle(inside)
      // Three floats of every four, at the end of each row.
      let gap = opaque == nil ? 0 : inside.width * MemoryLayout<Float>.size
      gegl_buffer_get(
        buffer.pointer, &area, 1, (opaque ?? format).babl, base + gap, gint(clamping: stride), GEGL_ABYSS_NONE)
      guard gap > 0 else { return }
      for row in 0..<inside.height {
        let (source, target) = (base + row * stride + gap, base + row * stride)
        // What is written never reaches what is still to be read.
        for x in 0..<inside.width {
          let pixel = source.loadUnaligned(fromByteOffset: 12 &* x, as: EightBytes.self)
          let blue = source.loadUnaligned(fromByteOffset: 12 &* x &+ 8, as: Float.self)
          target.storeBytes(of: Pixel(pixel.0, pixel.1, blue, 1), toByteOffset: 16 &* x, as: Pixel.self)
        }
      }
    }
  }
}

/// Two floats.
private typealias EightBytes = (Float, Float)

/// A buffer as a part of another picture: zeros outside the buffer, and the edge pixels of the other picture's frame repeated
/// beyond it. Unlike with ``BufferSource`` a pixel has one value, whatever part of the buffer has been computed.
public struct FramedSource: PixelSource, @unchecked Sendable {
  private let buffer: Buffer?
  private let format: PixelFormat
  private let own: Rectangle
  private let frame: Rectangle?

  /// The part of `buffer` (nil: nothing was computed of it) inside `bounds`, read as `format`, which must have pixels of four
  /// floats, in a frame (nil: one without bounds).
  public init?(_ buffer: Buffer?, format: PixelFormat, bounds: Rectangle, frame: Rectangle?) {
    guard format.bytesPerPixel == MemoryLayout<Pixel>.size else { return nil }
    self.buffer = buffer
    self.format = format
    own = buffer.map { bounds.intersection($0.extent) } ?? Rectangle(width: 0, height: 0)
    self.frame = frame
  }

  /// The frame.
  public var bounds: Rectangle { frame ?? own }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readRepeatingEdges(rectangle, bounds: frame ?? rectangle, into: destination) { inside, base, stride in
      let size = MemoryLayout<Pixel>.size
      let part = inside.intersection(own)
      if part != inside {
        for row in 0..<inside.height {
          (base + row * stride).initializeMemory(as: UInt8.self, repeating: 0, count: inside.width * size)
        }
      }
      guard !part.isEmpty, let buffer else { return }
      var area = GeglRectangle(part)
      let start = base + (part.y - inside.y) * stride + (part.x - inside.x) * size
      gegl_buffer_get(buffer.pointer, &area, 1, format.babl, start, gint(clamping: stride), GEGL_ABYSS_NONE)
    }
  }
}

/// A node's result as a source of linear RGBA pixels: what is read is computed.
public struct NodeSource: PixelSource, @unchecked Sendable {
  private let node: Node
  private let format: PixelFormat
  /// Where the picture has pixels.
  public let bounds: Rectangle

  /// The node's result, read as `format`, which must have pixels of four floats.
  public init(_ node: Node, format: PixelFormat) throws {
    guard format.bytesPerPixel == MemoryLayout<Pixel>.size else {
      throw GEGLError("'\(format.name)' does not have pixels of four floats")
    }
    self.node = node
    self.format = format
    bounds = node.boundingBox
  }

  /// See ``PixelSource/read(_:into:)``. GEGL evaluates one request at a time.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    readRepeatingEdges(rectangle, bounds: bounds, into: destination) { inside, base, stride in
      var area = GeglRectangle(inside)
      NodeSource.evaluation.withLock {
        gegl_node_blit(node.pointer, 1, &area, format.babl, base, gint(clamping: stride), GEGL_BLIT_DEFAULT)
      }
    }
  }

  private static let evaluation = Lock()
}

/// A source that is read in bands of whole rows, of which the last is kept: for readers that go through a picture from top to
/// bottom in small pieces, each of which a node would be evaluated for.
public final class BandedSource: PixelSource, @unchecked Sendable {
  private let source: any PixelSource
  private let lock = Lock()
  private var band = Image(Rectangle(width: 0, height: 0))

  /// About a megapixel of a camera's frame.
  private static let rows = 256

  /// Bands of `source`.
  public init(_ source: any PixelSource) { self.source = source }

  /// See ``PixelSource/bounds``.
  public var bounds: Rectangle { source.bounds }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    let inside = bounds.intersection(rectangle)
    guard inside == rectangle, rectangle.height <= Self.rows else { return source.read(rectangle, into: destination) }
    lock.withLock {
      if band.bounds.intersection(rectangle) != rectangle {
        let height = min(Self.rows, bounds.maxY - rectangle.y)
        band = source.image(Rectangle(x: bounds.x, y: rectangle.y, width: bounds.width, height: height))
      }
      band.read(rectangle, into: destination)
    }
  }
}

/// Reads the part of `rectangle` inside `bounds` with `get` (which is given where that part begins
/// in the destination, and the destination's row length in bytes), then repeats the edge pixels
/// outwards. GEGL's own clamping repeats the edge of whatever buffer is at hand, which may be
/// larger than the picture.
private func readRepeatingEdges(
  _ rectangle: Rectangle, bounds: Rectangle, into destination: MutablePixels,
  get: (Rectangle, UnsafeMutableRawPointer, Int) -> Void
) {
  guard destination.count >= rectangle.count, !rectangle.isEmpty else { return }
  destination.withUnsafeBytes { memory in
    guard let base = memory.baseAddress else { return }
    let size = MemoryLayout<Pixel>.size
    let stride = rectangle.width * size
    guard !bounds.isEmpty else {
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      return
    }
    // Where nothing is inside, the nearest row, column or corner of the picture is read instead.
    let left = min(max(rectangle.x, bounds.x), bounds.maxX - 1)
    let right = min(max(rectangle.maxX - 1, bounds.x), bounds.maxX - 1)
    let top = min(max(rectangle.y, bounds.y), bounds.maxY - 1)
    let bottom = min(max(rectangle.maxY - 1, bounds.y), bounds.maxY - 1)
    let inside = Rectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    // The first place in the destination that shows column `left` and row `top`.
    let column = min(max(0, left - rectangle.x), rectangle.width - inside.width)
    let row = min(max(0, top - rectangle.y), rectangle.height - inside.height)
    get(inside, base + row * stride + column * size, stride)
    if inside == rectangle { return }
    for y in row..<(row + inside.height) {
      let line = MutablePixels(base + y * stride, count: rectangle.width)
      let (first, last) = (line[column], line[column + inside.width - 1])
      for x in 0..<column { line[x] = first }
      for x in (column + inside.width)..<rectangle.width { line[x] = last }
    }
    for y in 0..<row { (base + y * stride).copyMemory(from: base + row * stride, byteCount: stride) }
    let end = row + inside.height
    for y in end..<rectangle.height {
      (base + y * stride).copyMemory(from: base + (end - 1) * stride, byteCount: stride)
    }
  }
}
