import CGEGL
import GEGL
import Raster

/// What is known of the inputs before processing, and what the operation may decide then.
public struct Preparation {
  private let operation: UnsafeMutablePointer<GeglOperation>
  /// The colour space of `input`, or of the first pad that has one; sRGB where nothing is connected.
  /// All pads are converted into it.
  public let space: ColorSpace?
  /// The space that the pictures on all input pads are converted into: ``space`` unless changed.
  public var inputSpace: ColorSpace?
  /// The format of the output; "RGBA float" in ``space`` unless changed.
  public var output: PixelFormat?
  /// What went wrong: said to the host, once, when it is something new.
  private(set) var warnings: [String] = []

  init(_ operation: UnsafeMutablePointer<GeglOperation>, inputPads: [String]) {
    self.operation = operation
    // Not gegl_operation_get_source_space, which answers for "input" whatever pad is asked for.
    space =
      inputPads.lazy.compactMap { pad in
        gegl_operation_get_source_format(operation, pad).flatMap { ColorSpace(babl_format_get_space($0)) }
      }.first
    inputSpace = space
    output = Self.linear(space)
  }

  /// Tells the host, through GLib's log, that a property cannot be used, in one sentence for people.
  public mutating func warn(_ sentence: String) { warnings.append(sentence) }

  /// The space of the pad's own format, before conversion; nil where nothing is connected.
  public func sourceSpace(of pad: String) -> ColorSpace? {
    gegl_operation_get_source_format(operation, pad).flatMap { ColorSpace(babl_format_get_space($0)) }
  }

  /// Where the picture on a pad has pixels; nil where nothing is connected.
  public func bounds(of pad: String) -> Rectangle? {
    gegl_operation_source_get_bounding_box(operation, pad).map { Rectangle($0.pointee) }
  }

  /// Linear light, four floats, in a space.
  static func linear(_ space: ColorSpace?) -> PixelFormat? {
    PixelFormat(babl_format_with_space("RGBA float", space?.babl))
  }
}

/// The pictures on an area operation's input pads; nil where nothing is connected or nothing came.
public struct Inputs {
  /// The pad `input`.
  public let input: (any PixelSource)?
  /// The pads beside it, in order: `aux`, `aux2` and so on, as far as the operation has them.
  public let auxiliaries: [(any PixelSource)?]
  /// The pad `aux`.
  public var aux: (any PixelSource)? { auxiliaries.first ?? nil }
  /// The pad `aux2`.
  public var aux2: (any PixelSource)? { auxiliaries.dropFirst().first ?? nil }

  /// How many pads beside `input` a ``Collector`` has.
  public static let collectorCapacity = 16
}

/// Where an area operation writes its result. Writing disjoint parts from several threads is safe.
public struct Sink: @unchecked Sendable {
  private let buffer: Buffer
  private let format: PixelFormat

  init(_ buffer: Buffer, format: PixelFormat) {
    self.buffer = buffer
    self.format = format
  }

  /// Writes pixels of four floats, row after row; the output's format must be one of four floats.
  public func write(_ rectangle: Rectangle, _ pixels: Pixels) {
    pixels.withUnsafeBytes { write(rectangle, bytes: $0, bytesPerPixel: MemoryLayout<Pixel>.size) }
  }

  /// Writes zeros: transparent black, or 0.
  public func clear(_ rectangle: Rectangle) {
    var area = GeglRectangle(rectangle)
    gegl_buffer_clear(buffer.pointer, &area)
  }

  /// Writes the pixels of a rectangle, row after row; nothing where they are fewer, or of another size than the output's.
  func write(_ rectangle: Rectangle, bytes: UnsafeRawBufferPointer, bytesPerPixel: Int) {
    guard format.bytesPerPixel == bytesPerPixel, bytes.count >= rectangle.count * bytesPerPixel, !rectangle.isEmpty,
      let base = bytes.baseAddress
    else { return }
    var area = GeglRectangle(rectangle)
    gegl_buffer_set(buffer.pointer, &area, 0, format.babl, base, 0)
  }
}
