import CGEGL
import GEGL
import Raster

/// How an area operation runs: threads, cancellation, progress.
public struct Run {
  private let operation: UnsafeMutablePointer<GeglOperation>
  /// Threads and cancellation, for kernels.
  public var execution: Execution { Run.execution }

  init(_ operation: UnsafeMutablePointer<GeglOperation>) { self.operation = operation }

  /// Tells the host how far the operation is, 0...1.
  public func progress(_ fraction: Double) { gegl_operation_progress(operation, min(max(0, fraction), 1), nil) }

  /// Cuts `area` into bands, computes them with `body` on GEGL's threads, and writes them to `sink`.
  /// `body` is given the band and memory for exactly its pixels, which may hold anything.
  ///
  /// - Parameter columns: cuts bands that are wider, for a body that does little: so much of both pictures stays in the cache.
  public func bands(
    _ area: Rectangle, columns: Int = .max, to sink: Sink, _ body: (Rectangle, MutablePixels) -> Void
  ) {
    bands(area, columns, to: sink, bytesPerPixel: MemoryLayout<Pixel>.size) { band, bytes in
      body(band, MutablePixels(bytes.baseAddress, count: band.count))
    }
  }

  /// The same for an operation with one float a pixel.
  public func sampleBands(
    _ area: Rectangle, to sink: Sink, _ body: (Rectangle, UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    bands(area, .max, to: sink, bytesPerPixel: MemoryLayout<Float>.size) { band, bytes in
      body(band, bytes.bindMemory(to: Float.self))
    }
  }

  private func bands(
    _ area: Rectangle, _ columns: Int, to sink: Sink, bytesPerPixel: Int,
    _ body: (Rectangle, UnsafeMutableRawBufferPointer) -> Void
  ) {
    let bands = area.tiles(width: columns, height: Run.bandRows)
    let size = min(columns, area.width) * min(Run.bandRows, area.height) * bytesPerPixel
    execution.parallelFor(bands.count) { turns in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: MemoryLayout<Pixel>.alignment)
      defer { memory.deallocate() }
      for index in turns {
        let band = bands[index]
        let part = UnsafeMutableRawBufferPointer(rebasing: memory[..<(band.count * bytesPerPixel)])
        // A cancelled rendering is thrown away, but it must not leave rows unwritten.
        if !execution.cancellation.isCancelled { body(band, part) }
        sink.write(band, bytes: UnsafeRawBufferPointer(part), bytesPerPixel: bytesPerPixel)
      }
    }
  }

  /// The rows of a band.
  public static let bandRows = 64

  /// The token that stops all operations of this process: a whole-image step is one call for GEGL,
  /// which could not be interrupted otherwise. Hosts that know nothing of it never cancel.
  public static let cancellation = CancellationToken()

  /// Makes operations work again after a cancellation: what was unfinished then is forgotten, so that
  /// nobody reads it, and the token is reset. Call it when no rendering runs any more.
  public static func recover() {
    let operations = unfinished.take()
    cancellation.reset()
    for operation in operations {
      gegl_operation_invalidate(operation, nil, 1)
      g_object_unref(UnsafeMutableRawPointer(operation))
    }
  }

  /// Remembers an operation whose result is void because it was cancelled meanwhile.
  static func noteIfUnfinished(_ operation: UnsafeMutablePointer<GeglOperation>) {
    if cancellation.isCancelled { unfinished.add(operation) }
  }

  private static let unfinished = UnfinishedOperations()

  /// GEGL's threads, and ``cancellation``.
  public static let execution = Execution(cancellation: cancellation, threads: { Library.threads }) { count, body in
    Library.parallelFor(count, body)
  }
}

/// The operations that were stopped in the middle, each once, kept alive.
private final class UnfinishedOperations: @unchecked Sendable {
  private let lock = Lock()
  private var operations: [UnsafeMutablePointer<GeglOperation>] = []

  func add(_ operation: UnsafeMutablePointer<GeglOperation>) {
    lock.withLock {
      guard !operations.contains(operation) else { return }
      g_object_ref(UnsafeMutableRawPointer(operation))
      operations.append(operation)
    }
  }

  func take() -> [UnsafeMutablePointer<GeglOperation>] {
    lock.withLock {
      defer { operations = [] }
      return operations
    }
  }
}
