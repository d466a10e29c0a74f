import ConstantColor
import Glibc
import Raster

/// A picture of a page on a coarse grid: what the lightest surface around each node is, which on a page is paper.
struct PaperCells {
  /// A node.
  struct Cell {
    /// The logarithm of the luminance of the lightest surface; not a number where nothing was measured.
    var light: Float
    /// Red and blue of it, as logarithms, relative to green.
    var tint: SIMD2<Float>
  }

  /// The nodes, row by row.
  var cells: [Cell]
  let columns, rows: Int
  /// The distance between nodes, and the first node's place, in pixels of the picture.
  let step: Double
  let origin: SIMD2<Double>

  /// Nodes along the longer side.
  private static let nodes = 96

  /// Measures a picture.
  ///
  /// - Parameters:
  ///   - picture: reduced; linear sRGB primaries.
  ///   - outline: only what is inside counts; in pixels of the source.
  init(_ picture: Reduction, within outline: PageOutline?, execution: Execution) {
    let image = picture.image
    let (width, height) = (image.bounds.width, image.bounds.height)
    let size = max(4, (max(width, height) + Self.nodes - 1) / Self.nodes)
    columns = max(1, (width + size - 1) / size)
    rows = max(1, (height + size - 1) / size)
    let factor = Double(picture.factor)
    step = Double(size) * factor
    origin =
      SIMD2(Double(picture.rectangle.x), Double(picture.rectangle.y)) + SIMD2(repeating: step / 2 - 0.5)
    let inner = outline?.scaled(
      by: 1 / factor, from: SIMD2(Double(picture.rectangle.x), Double(picture.rectangle.y)))
    let columns = columns
    cells = execution.map(columns * rows, placeholder: Cell(light: .nan, tint: .zero)) { index in
      let (x, y) = (index % columns * size, index / columns * size)
      // Windows overlap, so that each holds the space between two lines of writing.
      let window = Rectangle(x: x, y: y, width: size, height: size).expanded(by: size / 2 + 1)
        .intersection(image.bounds)
      return Self.lightest(image, window, inner) ?? Cell(light: .nan, tint: .zero)
    }
  }

  /// The mean of the lightest surface of a window: what lies around its ninth decile, found by mean shift.
  private static func lightest(_ image: Image, _ window: Rectangle, _ outline: PageOutline?) -> Cell? {
    var pixels: [Pixel] = []
    pixels.reserveCapacity(window.count)
    for y in window.y..<window.maxY {
      for x in window.x..<window.maxX {
        let pixel = image[x, y]
        guard pixel.w > 0, pixel.rgb.min() > 0 else { continue }
        if let outline, outline.depth(of: SIMD2(Double(x), Double(y))) < 1.5 { continue }
        pixels.append(Pixel(rgb: pixel.rgb, alpha: luminance(pixel.rgb)))
      }
    }
    // A sliver of the page is not enough.
    guard pixels.count * 5 >= window.count, pixels.count >= 8 else { return nil }
    let order = pixels.map(\.w).sorted()
    var level = order[order.count * 9 / 10]
    var mean = Pixel.zero
    for width: Float in [0.08, 0.05, 0.04, 0.04] {
      var (sum, count) = (Pixel.zero, Float(0))
      for pixel in pixels where abs(pixel.w - level) < width * level {
        sum += pixel
        count += 1
      }
      guard count > 0 else { return nil }
      mean = sum / count
      level = mean.w
    }
    guard mean.rgb.min() > 0, mean.w.isFinite else { return nil }
    return Cell(light: log(mean.w), tint: SIMD2(log(mean.x / mean.y), log(mean.z / mean.y)))
  }

  /// A node's place, -1...1 along the longer side of the grid.
  func place(_ index: Int) -> SIMD2<Double> {
    let longest = Double(max(columns, rows, 2) - 1)
    return SIMD2(2 * Double(index % columns) - Double(columns - 1), 2 * Double(index / columns) - Double(rows - 1))
      / longest
  }

  /// A node's column and row.
  func column(of index: Int) -> SIMD2<Double> { SIMD2(Double(index % columns), Double(index / columns)) }

  /// The nodes next to a node.
  func neighbours(_ index: Int) -> [Int] {
    let (x, y) = (index % columns, index / columns)
    var result: [Int] = []
    if x > 0 { result.append(index - 1) }
    if x + 1 < columns { result.append(index + 1) }
    if y > 0 { result.append(index - columns) }
    if y + 1 < rows { result.append(index + columns) }
    return result
  }
}

/// The luminance Y of linear sRGB.
@inline(__always) func luminance(_ rgb: SIMD3<Float>) -> Float { 0.2126 * rgb.x + 0.7152 * rgb.y + 0.0722 * rgb.z }
