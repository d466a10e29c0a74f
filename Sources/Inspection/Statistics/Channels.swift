import Raster

/// Which components of a pixel a measurement is about, and what they are called.
public struct Channels: Equatable, Sendable {
  /// Their names.
  public let names: [String]
  /// Which component of a pixel each of them is.
  let components: [Int]

  /// Red, green and blue.
  public static let rgb = Channels(names: ["R", "G", "B"], components: [0, 1, 2])
  /// Red, green, blue and alpha.
  public static let rgba = Channels(names: ["R", "G", "B", alpha], components: [0, 1, 2, 3])
  /// One channel, such as a confidence: the first component.
  public static let grey = Channels(names: ["Y"], components: [0])
  /// One channel and alpha.
  public static let greyAlpha = Channels(names: ["Y", alpha], components: [0, 3])
  /// The name of alpha.
  public static let alpha = "A"

  private init(names: [String], components: [Int]) { (self.names, self.components) = (names, components) }
}

extension PixelSource {
  /// Hands the pixels of a rectangle to accumulators, band by band, several at a time; merges them in order, so that the
  /// result does not depend on threads. Nil where it was cancelled.
  ///
  /// - Parameters:
  ///   - make: an empty accumulator.
  ///   - body: adds the pixels of a band.
  func accumulate<Accumulator>(
    _ area: Rectangle, _ execution: Execution, make: () -> Accumulator, merge: (inout Accumulator, Accumulator) -> Void,
    _ body: (inout Accumulator, Pixels) -> Void
  ) -> Accumulator? {
    let bands = area.bands(of: max(1, (1 << 18) / max(1, area.width)))
    // As many parts as there could be threads; each has its own accumulator, which may be large.
    let parts = min(8, max(1, bands.count))
    var results = execution.map(parts, placeholder: Accumulator?.none) { part in
      var accumulator = make()
      var memory: [Pixel] = []
      for band in bands[(bands.count * part / parts)..<(bands.count * (part + 1) / parts)] {
        if execution.cancellation.isCancelled { return nil }
        if memory.count < band.count { memory = [Pixel](repeating: .zero, count: band.count) }
        memory.withUnsafeMutableBytes { bytes in
          let pixels = MutablePixels(bytes.baseAddress, count: band.count)
          read(band, into: pixels)
          body(&accumulator, pixels.readable)
        }
      }
      return accumulator
    }
    if execution.cancellation.isCancelled { return nil }
    guard var all = results.first ?? nil else { return nil }
    results.removeFirst()
    for case let part? in results { merge(&all, part) }
    return all
  }
}
