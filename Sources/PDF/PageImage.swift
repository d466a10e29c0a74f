import CCairo
import Glibc
import Photo

/// The picture of a PDF's page.
public struct PageImage: Sendable {
  /// How its pixels stand in the file.
  public enum Encoding: Sendable {
    /// A whole JPEG file, of one or three channels.
    case jpeg([UInt8])
    /// Bytes of red, green and blue, row by row, without loss.
    case rgb([UInt8])
    /// A byte a pixel, without loss.
    case grey([UInt8])
    /// A byte a pixel, of which 128 and more is white: one bit each in the file.
    case bilevel([UInt8])
  }

  /// The size in pixels, 1...32767.
  public let width, height: Int
  private let encoding: Encoding

  /// A picture; nil for a size that no page has, or too few bytes.
  public init?(width: Int, height: Int, _ encoding: Encoding) {
    guard (1...32767).contains(width), (1...32767).contains(height) else { return nil }
    let (bytes, least) =
      switch encoding {
      case .jpeg(let bytes): (bytes.count, 4)
      case .rgb(let bytes): (bytes.count, 3 * width * height)
      case .grey(let bytes), .bilevel(let bytes): (bytes.count, width * height)
      }
    guard bytes >= least else { return nil }
    (self.width, self.height, self.encoding) = (width, height, encoding)
  }

  /// Paints the picture, a pixel a unit.
  func paint(_ context: OpaquePointer, path: String) throws {
    let isBilevel = if case .bilevel = encoding { true } else { false }
    let format = isBilevel ? CAIRO_FORMAT_A1 : CAIRO_FORMAT_RGB24
    guard let surface = cairo_image_surface_create(format, Int32(width), Int32(height)),
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface)
    else { throw PhotoError(path, "a page of \(width) × \(height) pixels is too large for this machine's memory") }
    defer { cairo_surface_destroy(surface) }
    let stride = Int(cairo_image_surface_get_stride(surface))
    // Before the pixels are written: a surface with a JPEG must not be touched any more.
    cairo_surface_mark_dirty(surface)
    switch encoding {
    case .jpeg(let bytes): try attach(bytes, to: surface, path)
    case .rgb(let bytes):
      fill(data, stride) { index in
        [0, 1, 2].reduce(0) { $0 << 8 | UInt32(bytes[3 * index + $1]) }
      }
    case .grey(let bytes): fill(data, stride) { 0x10101 * UInt32(bytes[$0]) }
    case .bilevel(let bytes): fillInk(bytes, data, stride)
    }
    if case .bilevel = encoding {
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
      cairo_set_source_rgb(context, 0, 0, 0)
      cairo_mask_surface(context, surface, 0, 0)
    } else {
      cairo_set_source_surface(context, surface, 0, 0)
      cairo_paint(context)
    }
  }

  /// Gives the surface the JPEG that goes into the file as it is. The surface's own pixels stay untouched zeros.
  private func attach(_ bytes: [UInt8], to surface: OpaquePointer, _ path: String) throws {
    guard let copy = malloc(bytes.count) else {
      throw PhotoError(path, "a page of \(bytes.count) bytes is too large for this machine's memory")
    }
    bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(copy, base, bytes.count) } }
    let status = cairo_surface_set_mime_data(
      surface, "image/jpeg", copy.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), { free($0) }, copy)
    guard status == CAIRO_STATUS_SUCCESS else {
      free(copy)
      throw PhotoError(path, "cannot write the PDF: \(String(cString: cairo_status_to_string(status)))")
    }
  }

  private func fill(_ data: UnsafeMutablePointer<UInt8>, _ stride: Int, _ pixel: (Int) -> UInt32) {
    let memory = UnsafeMutableRawPointer(data)
    for y in 0..<height {
      for x in 0..<width {
        memory.storeBytes(of: pixel(y * width + x), toByteOffset: y * stride + 4 * x, as: UInt32.self)
      }
    }
  }

  /// Bits of ink, the first pixel in the lowest bit on a little-endian machine.
  private func fillInk(_ bytes: [UInt8], _ data: UnsafeMutablePointer<UInt8>, _ stride: Int) {
    let isLittle = 1.littleEndian == 1
    for y in 0..<height {
      for x in 0..<width where bytes[y * width + x] < 128 {
        data[y * stride + x / 8] |= isLittle ? 1 << UInt8(x % 8) : 0x80 >> UInt8(x % 8)
      }
    }
  }
}
