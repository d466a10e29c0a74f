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
    space = inputPads.lazy.compactMap { pad in
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
  /// The pad `aux`.
  public let aux: (any PixelSource)?
  /// The pad `aux2`.
  public let aux2: (any PixelSource)?
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
    guard format.bytesPerPixel == MemoryLayout<Pixel>.size, pixels.count >= rectangle.count else { return }
    pixels.withUnsafeBytes { write(rectangle, bytes: $0) }
  }

  /// Writes single floats, row after row; the output's format must be one of one float.
  public func write(_ rectangle: Rectangle, _ samples: UnsafeBufferPointer<Float>) {
    guard format.bytesPerPixel == MemoryLayout<Float>.size, samples.count >= rectangle.count else { return }
    write(rectangle, bytes: UnsafeRawBufferPointer(samples))
  }

  /// Writes zeros: transparent black, or 0.
  public func clear(_ rectangle: Rectangle) {
    var area = GeglRectangle(rectangle)
    gegl_buffer_clear(buffer.pointer, &area)
  }

  private func write(_ rectangle: Rectangle, bytes: UnsafeRawBufferPointer) {
    guard !rectangle.isEmpty, let base = bytes.baseAddress else { return }
    var area = GeglRectangle(rectangle)
    gegl_buffer_set(buffer.pointer, &area, 0, format.babl, base, 0)
  }
}

/// How an area operation runs: threads, cancellation, progress.
public struct Run {
  private let operation: UnsafeMutablePointer<GeglOperation>
  /// Threads and cancellation, for kernels.
  public var execution: Execution { Run.execution }

  init(_ operation: UnsafeMutablePointer<GeglOperation>) { self.operation = operation }

  /// Tells the host how far the operation is, 0...1.
  public func progress(_ fraction: Double) { gegl_operation_progress(operation, min(max(0, fraction), 1), nil) }

  /// Cuts `area` into bands, computes them with `body` on GEGL's threads, and writes them to `sink`.
  /// `body` is given the band and memory for exactly its pixels.
  public func bands(_ area: Rectangle, to sink: Sink, _ body: (Rectangle, MutablePixels) -> Void) {
    let bands = area.bands(of: Run.bandRows)
    execution.parallelFor(bands.count) { range in
      var memory = [Pixel](repeating: .zero, count: area.width * min(Run.bandRows, area.height))
      for index in range {
        let band = bands[index]
        memory.withUnsafeMutableBytes { bytes in
          let pixels = MutablePixels(bytes.baseAddress, count: band.count)
          // A cancelled rendering is thrown away, but it must not leave rows unwritten.
          if !execution.cancellation.isCancelled { body(band, pixels) }
          sink.write(band, pixels.readable)
        }
      }
    }
  }

  /// The same for an operation with one float a pixel.
  public func sampleBands(_ area: Rectangle, to sink: Sink, _ body: (Rectangle, UnsafeMutableBufferPointer<Float>) -> Void) {
    let bands = area.bands(of: Run.bandRows)
    execution.parallelFor(bands.count) { range in
      var memory = [Float](repeating: 0, count: area.width * min(Run.bandRows, area.height))
      for index in range {
        let band = bands[index]
        memory.withUnsafeMutableBufferPointer { floats in
          let values = UnsafeMutableBufferPointer(rebasing: floats[..<band.count])
          if !execution.cancellation.isCancelled { body(band, values) }
          sink.write(band, UnsafeBufferPointer(values))
        }
      }
    }
  }

  /// The rows of a band.
  public static let bandRows = 64

  /// The token that stops all operations of this process: a whole-image step is one call for GEGL,
  /// which could not be interrupted otherwise. Hosts that know nothing of it never cancel.
  public static let cancellation = CancellationToken()

  /// GEGL's threads, and ``cancellation``.
  public static let execution = Execution(cancellation: cancellation) { count, body in
    Library.parallelFor(count, body)
  }
}
