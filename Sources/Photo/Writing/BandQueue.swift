import GEGL
import Glibc
import Raster
import Synchronization

/// Bands of rows on their way from the thread that makes them to the one that encodes them.
///
/// There are two: one is filled while the other is encoded, since the libraries of the file formats
/// compress on one thread and would leave the other processors idle.
final class BandQueue: @unchecked Sendable {
  private let layout: PictureLayout
  private let rows: Int
  private let bands: [UnsafeMutableRawBufferPointer]
  private let empty: Semaphore
  private let full = Semaphore(0)
  private let isStopped = Atomic(false)
  /// The band that is encoded; known to the encoding thread alone.
  private var taken = 0

  /// Small against a frame, large against what handing it over costs.
  private static let size = 4 << 20

  init(_ layout: PictureLayout) {
    self.layout = layout
    // A multiple of 32, the rows of an OpenEXR chunk or two.
    rows = min(layout.height, max(1, Self.size / layout.rowBytes / 32) * 32)
    let bytes = rows * layout.rowBytes
    bands = (0..<(rows < layout.height ? 2 : 1)).map { _ in .allocate(byteCount: bytes, alignment: 64) }
    empty = Semaphore(UInt32(bands.count))
  }

  deinit { for band in bands { band.deallocate() } }

  /// Fills all bands, one after the other; returns early when the encoder has stopped.
  func fill(_ fill: PictureDestination.Fill, cancellation: CancellationToken) throws {
    do {
      for (index, y) in stride(from: 0, to: layout.height, by: rows).enumerated() {
        empty.wait()
        if isStopped.load(ordering: .acquiring) { return }
        if cancellation.isCancelled { throw RenderingCancelled() }
        let range = y..<min(y + rows, layout.height)
        let band = bands[index % bands.count]
        try fill(range, UnsafeMutableRawBufferPointer(rebasing: band[..<(range.count * layout.rowBytes)]))
        full.signal()
      }
    } catch {
      stop()
      throw error
    }
  }

  /// The next band, valid until the next call, and how many rows it has; nil at the end or when stopped.
  func take() -> (UnsafeRawPointer, Int)? {
    if taken > 0 { empty.signal() }
    let left = layout.height - taken * rows
    guard left > 0 else { return nil }
    full.wait()
    guard !isStopped.load(ordering: .acquiring), let band = bands[taken % bands.count].baseAddress else { return nil }
    taken += 1
    return (UnsafeRawPointer(band), min(rows, left))
  }

  /// Ends the waiting on either side.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    empty.signal()
    full.signal()
  }
}

/// A counting semaphore.
private final class Semaphore {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ count: UInt32) { sem_init(semaphore, 0, count) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func wait() {
    // Interrupted by signals, such as the one that asks for a cancellation.
    while sem_wait(semaphore) != 0, errno == EINTR {}
  }

  func signal() { sem_post(semaphore) }
}
