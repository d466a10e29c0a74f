import ColorScience
import Glibc
import Raster

/// A picture as screens show it: sRGB, 8 bits, red, green, blue, alpha; made small enough for where it is shown.
public struct Preview: Equatable, Sendable {
  /// The size in pixels.
  public let width, height: Int
  /// Four bytes a pixel, row after row.
  public private(set) var bytes: [UInt8]

  /// The part of a picture inside `area` (nil: all of it), made smaller where it does not fit; never larger.
  ///
  /// Pixels are averaged as linear light. What is brighter than white is white; what is not a number is magenta, so that
  /// it is seen; where there are no data (alpha 0) there is nothing.
  ///
  /// - Parameters:
  ///   - source: linear light with sRGB primaries.
  ///   - size: the largest width and height.
  ///   - stops: the exposure: a factor of 2 to this power.
  /// - Returns: nil where it was cancelled.
  public init?(
    _ source: some PixelSource, in area: Rectangle? = nil, fitting size: (width: Int, height: Int), stops: Double = 0,
    execution: Execution = .serial
  ) {
    let area = area.map { $0.intersection(source.bounds) } ?? source.bounds
    let shrink = max(
      Double(area.width) / Double(max(1, size.width)), Double(area.height) / Double(max(1, size.height)), 1)
    let width = area.isEmpty ? 0 : max(1, Int((Double(area.width) / shrink).rounded(.down)))
    let height = area.isEmpty ? 0 : max(1, Int((Double(area.height) / shrink).rounded(.down)))
    let gain = Float(exp2(stops.isFinite ? min(max(stops, -40), 40) : 0))
    let rows = execution.map(height, placeholder: [UInt8]()) { row in
      // The rows of the picture that this one is the mean of.
      let (first, last) = (
        area.height * row / height, max(area.height * row / height + 1, area.height * (row + 1) / height)
      )
      var sums = [Pixel](repeating: .zero, count: width)
      var counts = [Float](repeating: 0, count: width)
      var broken = [Bool](repeating: false, count: width)
      // A few rows at a time: a picture may be shown at a hundredth of its size.
      for top in stride(from: first, to: last, by: 64) {
        let band = Rectangle(x: area.x, y: area.y + top, width: area.width, height: min(64, last - top))
        let image = source.image(band)
        image.withPixels { pixels in
          for y in 0..<band.height {
            for x in 0..<band.width {
              let column = x * width / band.width
              let pixel = pixels[y * band.width + x]
              counts[column] += 1
              guard pixel.w > 0 else { continue }
              if (pixel * 0).sum() == 0 {
                sums[column] += pixel * SIMD4(pixel.w, pixel.w, pixel.w, 1)
              } else {
                broken[column] = true
              }
            }
          }
        }
      }
      return (0..<width).flatMap { Self.shown(sums[$0], counts[$0], gain, isBroken: broken[$0]) }
    }
    if execution.cancellation.isCancelled { return nil }
    (self.width, self.height) = (width, height)
    bytes = rows.flatMap { $0 }
  }

  /// A picture of bytes; nil where they are not four a pixel.
  public init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width >= 0, height >= 0, width < 1 << 20, height < 1 << 20, bytes.count == 4 * width * height else {
      return nil
    }
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  private static func shown(_ sum: Pixel, _ count: Float, _ gain: Float, isBroken: Bool) -> [UInt8] {
    if isBroken { return [255, 0, 255, 255] }
    guard sum.w > 0, count > 0 else { return [0, 0, 0, 0] }
    let color = sum.rgb / sum.w * gain
    let alpha = min(max(sum.w / count, 0), 1)
    return [table(color.x), table(color.y), table(color.z), UInt8((alpha * 255).rounded())]
  }

  /// sRGB's curve in 16384 steps of the fourth root, which are much finer than those of 8 bits.
  private static func table(_ value: Float) -> UInt8 {
    let bounded = min(max(value, 0), 1)
    return curve[Int((bounded.squareRoot().squareRoot() * 16383).rounded())]
  }

  private static let curve: [UInt8] = (0...16383).map { step in
    let root = Double(step) / 16383
    let value = RGBSpace.sRGB.transferFunction.encode(root * root * root * root)
    return UInt8(min(max((value * 255).rounded(), 0), 255))
  }

  /// Both pictures beside each other, with `gap` empty columns between them; the smaller one on top.
  public func beside(_ other: Preview, gap: Int = 2) -> Preview {
    let gap = max(0, gap)
    let (width, height) = (self.width + gap + other.width, max(self.height, other.height))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width * height)
    for row in 0..<height {
      bytes += line(row)
      bytes += [UInt8](repeating: 0, count: 4 * gap)
      bytes += other.line(row)
    }
    return Preview(width: width, height: height, bytes: bytes) ?? self
  }

  private func line(_ row: Int) -> ArraySlice<UInt8> {
    row < height ? bytes[(4 * width * row)..<(4 * width * (row + 1))] : ArraySlice(repeating: 0, count: 4 * width)
  }

  /// The picture with empty pixels on its right and below, up to a size that is not smaller; each pixel repeated.
  func enlarged(width newWidth: Int, height newHeight: Int, repeating: (x: Int, y: Int) = (1, 1)) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 4 * newWidth * newHeight)
    for y in 0..<min(newHeight, height * repeating.y) {
      for x in 0..<min(newWidth, width * repeating.x) {
        let from = 4 * (y / repeating.y * width + x / repeating.x)
        let to = 4 * (y * newWidth + x)
        for channel in 0..<4 { result[to + channel] = bytes[from + channel] }
      }
    }
    return result
  }

  /// The exposure in stops at which the brightest parts (but a hundredth of the pixels) are just below white; 0 for a
  /// picture without light. Looks at not more than some ten thousand pixels.
  public static func automaticStops(_ source: some PixelSource, in area: Rectangle? = nil) -> Double {
    let area = area.map { $0.intersection(source.bounds) } ?? source.bounds
    guard !area.isEmpty else { return 0 }
    let step = max(1, Int((Double(area.height) / 128).rounded(.up)))
    var values: [Float] = []
    for y in stride(from: area.y, to: area.maxY, by: step) {
      let row = source.image(Rectangle(x: area.x, y: y, width: area.width, height: 1))
      for x in stride(from: 0, to: area.width, by: max(1, area.width / 256)) {
        let pixel = row.pixels[x]
        let brightest = max(pixel.x, pixel.y, pixel.z)
        if pixel.w > 0, brightest.isFinite, brightest > 0 { values.append(brightest) }
      }
    }
    guard !values.isEmpty else { return 0 }
    values.sort()
    return Double(log2f(0.9 / values[(values.count - 1) * 99 / 100]))
  }
}
