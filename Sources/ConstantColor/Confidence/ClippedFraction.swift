import Raster

/// The share of pixels that either frame clipped, without their neighbourhood.
public enum ClippedFraction {
  /// How many pixels have a channel at or above 1.0 in either frame.
  public static func count(flash: Pixels, ambient: Pixels?) -> Int {
    var clipped = 0
    for index in 0..<flash.count {
      var highest = flash[index].rgb.max()
      if let ambient, index < ambient.count { highest = max(highest, ambient[index].rgb.max()) }
      if highest >= 1 { clipped += 1 }
    }
    return clipped
  }

  /// The fraction over the flash frame's bounds; NaN for an empty or infinite frame.
  ///
  /// - Parameters:
  ///   - flash: the flash frame.
  ///   - ambient: the ambient frame in the flash frame's geometry, before its exposure is matched.
  public static func measure(
    flash: some PixelSource, ambient: (any PixelSource)?, execution: Execution = .serial
  ) -> Double {
    let bounds = flash.bounds
    guard Reduction.factor(for: bounds, toAtMost: 1) != nil else { return .nan }
    let bands = bounds.bands(of: 32)
    nonisolated(unsafe) let sources = (flash: flash, ambient: ambient)
    let counts = execution.map(bands.count, placeholder: 0) { index in
      let flash = sources.flash.image(bands[index])
      let ambient = sources.ambient?.image(bands[index])
      return flash.withPixels { flash in
        ambient.map { $0.withPixels { count(flash: flash, ambient: $0) } } ?? count(flash: flash, ambient: nil)
      }
    }
    return Double(counts.reduce(0, +)) / Double(bounds.count)
  }
}
