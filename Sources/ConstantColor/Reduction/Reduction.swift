import Raster

/// A picture made smaller by a whole factor, for statistics: each pixel is the mean of one cell.
///
/// Two pictures reduced over the same rectangle lie on the same grid, so their pixels correspond.
public struct Reduction: Sendable {
  /// The reduced picture; its top left pixel is (0, 0). Alpha: the mean trust of the pixels that
  /// count, 0 where a cell holds none.
  public let image: Image
  /// How many pixels of the source a reduced pixel spans, in each direction.
  public let factor: Int
  /// The part of the source that was reduced: cell (0, 0) begins at its origin.
  public let rectangle: Rectangle

  /// Which cells count as measured.
  public enum Clipping: Sendable {
    /// Clipped pixels count like any other.
    case counted
    /// One pixel at or above 1.0 in any channel, or without trust (alpha 0), voids its cell (alpha 0):
    /// the mean of a cell that is partly clipped is biased.
    case voids
  }

  /// The largest number of pixels that is looked at; beyond it (an infinite plane) there are no statistics.
  public static let limit = 1 << 33

  /// A reduction that is already at hand, such as one that another kernel made or a test.
  public init(image: Image, factor: Int = 1, rectangle: Rectangle? = nil) {
    self.image = image
    self.factor = max(1, factor)
    self.rectangle = rectangle ?? image.bounds
  }

  /// The smallest whole factor that leaves at most `pixels` of a rectangle, or nil without statistics
  /// (an empty or infinite rectangle).
  public static func factor(for rectangle: Rectangle, toAtMost pixels: Int) -> Int? {
    let (count, overflow) = rectangle.width.multipliedReportingOverflow(by: rectangle.height)
    guard !overflow, count > 0, count <= limit else { return nil }
    let target = max(1, pixels)
    var factor = max(1, Int((Double(count) / Double(target)).squareRoot()))
    func cells(_ factor: Int) -> Int { cellCount(rectangle.width, factor) * cellCount(rectangle.height, factor) }
    while cells(factor) > target, factor < max(rectangle.width, rectangle.height) { factor += 1 }
    return factor
  }

  fileprivate static func cellCount(_ length: Int, _ factor: Int) -> Int { (length + factor - 1) / factor }
}

/// Box averages by a whole factor on a grid that starts at the rectangle's origin.
///
/// Colours are averaged over the pixels of a cell that are finite and have an alpha above 0, all with
/// the same weight; a pixel that is not finite is left out. The result does not depend on threads.
///
/// - Parameters:
///   - source: the picture; it is read in pieces of a few hundred kilobytes.
///   - rectangle: what to reduce; default the source's bounds. Empty or infinite gives an empty picture.
///   - toAtMost: how many reduced pixels there may be.
///   - clipping: whether a clipped pixel voids its cell.
public func reduced(
  _ source: some PixelSource, over rectangle: Rectangle? = nil, toAtMost pixels: Int = 1_000_000,
  clipping: Reduction.Clipping = .voids, execution: Execution = .serial
) -> Reduction {
  let rectangle = rectangle ?? source.bounds
  guard let factor = Reduction.factor(for: rectangle, toAtMost: pixels) else {
    return Reduction(image: Image(Rectangle(width: 0, height: 0)), factor: 1, rectangle: Rectangle(width: 0, height: 0))
  }
  let columns = Reduction.cellCount(rectangle.width, factor)
  let rows = Reduction.cellCount(rectangle.height, factor)
  // Pieces are bounded in both directions: a panorama of few, very long rows must not be one piece.
  let piece = max(1, min(columns, 65536 / max(1, factor * factor) + 1))
  let pieces = (columns + piece - 1) / piece
  var image = Image(Rectangle(width: columns, height: rows))
  image.withMutablePixels { target in
    nonisolated(unsafe) let target = target
    nonisolated(unsafe) let source = source
    execution.forEach(rows * pieces) { index in
      let row = index / pieces
      let first = (index % pieces) * piece
      let count = min(piece, columns - first)
      let x = rectangle.x + first * factor
      let y = rectangle.y + row * factor
      let area = Rectangle(
        x: x, y: y, width: min(count * factor, rectangle.maxX - x), height: min(factor, rectangle.maxY - y))
      let band = source.image(area)
      band.withPixels { band in
        for cell in 0..<count {
          let left = cell * factor
          target[row * columns + first + cell] = mean(
            band, width: area.width, columns: left..<min(left + factor, area.width), rows: area.height,
            clipping: clipping)
        }
      }
    }
  }
  return Reduction(image: image, factor: factor, rectangle: rectangle)
}

/// The mean of one cell.
@inline(__always)
private func mean(
  _ band: Pixels, width: Int, columns: Range<Int>, rows: Int, clipping: Reduction.Clipping
) -> Pixel {
  // Almost everywhere all pixels count; a sum that is finite has finite terms.
  var sum = Pixel.zero
  var highest = Pixel.zero
  var lowest = Pixel(repeating: .infinity)
  for y in 0..<rows {
    for x in columns {
      let pixel = band[y &* width &+ x]
      sum += pixel
      highest = highest.greater(pixel)
      lowest = lowest.lesser(pixel)
    }
  }
  guard lowest.w > 0, (sum * 0 .== Pixel.zero) == SIMDMask(repeating: true) else {
    return meanOfDefined(band, width: width, columns: columns, rows: rows, clipping: clipping)
  }
  var result = sum / Float(rows * columns.count)
  if clipping == .voids, highest.rgb.max() >= 1 { result.w = 0 }
  return result
}

/// The mean of those pixels of a cell that count.
@inline(never)
private func meanOfDefined(
  _ band: Pixels, width: Int, columns: Range<Int>, rows: Int, clipping: Reduction.Clipping
) -> Pixel {
  var sum = Pixel.zero
  var count: Float = 0
  var isVoid = false
  for y in 0..<rows {
    for x in columns {
      let pixel = band[y * width + x]
      let isFinite = (pixel * 0 .== Pixel.zero) == SIMDMask(repeating: true)
      if clipping == .voids, pixel.x >= 1 || pixel.y >= 1 || pixel.z >= 1 || !(pixel.w > 0) { isVoid = true }
      guard isFinite, pixel.w > 0 else { continue }
      sum += pixel
      count += 1
    }
  }
  guard count > 0 else { return .zero }
  var result = sum / count
  if isVoid { result.w = 0 }
  return result
}
