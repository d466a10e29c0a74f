import Raster

/// Measures the patches of a chart.
public enum ChartSampling {
  /// The side of the sampled part of a patch, in units of the pitch: patches fill about 0.85 of it, and an error of
  /// 0.1 in the place of a patch must not reach its edge.
  public static let share = 0.55

  /// The 24 patches of a chart in a picture, from dark skin to black.
  ///
  /// Pixels are signed and mean what they say: nothing is clipped at 0, so that the mean of noise around black is
  /// not biased. Outliers are rejected on both sides alike. The same for any number of threads.
  ///
  /// - Parameters:
  ///   - source: the picture at full size. The same geometry may be used for other pictures of the pair, aligned
  ///     with it: the flash frame tells what is clipped, the difference holds the colours.
  ///   - share: the side of the sampled part in units of the pitch, 0.1...0.8.
  /// - Returns: 24 samples; after a cancellation some are without pixels.
  public static func sample(
    _ source: some PixelSource, geometry: ChartGeometry, share: Double = share, execution: Execution = .serial
  ) -> [PatchSample] {
    let share = share.isFinite ? min(max(share, 0.1), 0.8) : Self.share
    var samples = (0..<ChartGeometry.patchCount).map { PatchSample(patch: $0, isInside: false) }
    samples.withUnsafeMutableBufferPointer { buffer in
      nonisolated(unsafe) let buffer = buffer
      nonisolated(unsafe) let source = source
      execution.forEach(buffer.count) { patch in
        let pixels = PatchPixels(
          source, geometry: geometry, patch: patch, share: share, cancellation: execution.cancellation)
        buffer[patch] = PatchStatistics(pixels).sample(patch: patch)
      }
    }
    return samples
  }
}

/// The pixels inside one patch, with their places in it.
struct PatchPixels {
  /// Colour and place: x and y run from -1 to 1 over the sampled part.
  private(set) var values: [(color: SIMD3<Float>, place: SIMD2<Float>)] = []
  private(set) var clipped = 0
  private(set) var undefined = 0
  /// Whether all of the patch lies within the picture.
  private(set) var isInside = true

  /// More pixels than this do not make a mean better than the chart's print is even.
  private static let capacity = 1 << 17
  /// The pixels that are read at once.
  private static let band = 1 << 15

  init(
    _ source: some PixelSource, geometry: ChartGeometry, patch: Int, share: Double, cancellation: CancellationToken
  ) {
    let corners = geometry.quadrilateral(of: patch, share: share)
    let bounds = source.bounds
    let largest = 4e6
    isInside = corners.allSatisfy { bounds.contains($0) }
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
      left > -largest, right < largest, top > -largest, bottom < largest, let inverse = geometry.homography.inverse
    else { return }
    let (x, y) = (Int(left.rounded(.down)), Int(top.rounded(.down)))
    let box = Rectangle(x: x, y: y, width: Int(right) - x + 2, height: Int(bottom) - y + 2).intersection(bounds)
    guard !box.isEmpty else { return }
    // Every n-th row and column of a patch that is large, with n odd: both phases of a colour filter are met.
    var step = 1
    while box.width / step * (box.height / step) > Self.capacity { step += 2 }
    let middle = ChartGeometry.place(of: patch)
    let rowsAtOnce = step > 1 ? 1 : max(1, Self.band / box.width)
    for first in stride(from: box.y, to: box.maxY, by: step > 1 ? step : rowsAtOnce) {
      if cancellation.isCancelled { return }
      let rows = min(rowsAtOnce, box.maxY - first)
      let band = source.image(Rectangle(x: box.x, y: first, width: box.width, height: rows))
      band.withPixels { band in
        for row in 0..<rows {
          for column in stride(from: 0, to: box.width, by: step) {
            let point = SIMD2(Double(box.x + column), Double(first + row))
            // The inverse of a map with positive depth has positive depth within the chart.
            guard let place = inverse.apply(to: point) else { continue }
            let offset = (place - middle) * (2 / share)
            guard abs(offset.x) <= 1, abs(offset.y) <= 1 else { continue }
            add(band[row * box.width + column], at: SIMD2(Float(offset.x), Float(offset.y)))
          }
        }
      }
    }
  }

  private mutating func add(_ pixel: Pixel, at place: SIMD2<Float>) {
    if max(pixel.x, pixel.y, pixel.z) >= 1 { clipped += 1 }
    guard pixel.w > 0, pixel.x.isFinite, pixel.y.isFinite, pixel.z.isFinite else {
      undefined += 1
      return
    }
    values.append((pixel.rgb, place))
  }
}
