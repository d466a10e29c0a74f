import ConstantColor
import Glibc
import Raster

/// A page whose glare is filled from another picture of it, which has none: the ambient frame.
///
/// What mirrors the flash hides print, or washes it out. The other picture is divided by what is lightest around each place in it: its
/// shadows leave their edges, but print can be read.
public struct GlareFilled<Source: PixelSource, Other: PixelSource>: PixelSource {
  private let even: EvenedPicture<Source>
  private let paper: PaperWhite
  private let other: Other
  private let white: LocalWhite?

  /// - Parameters:
  ///   - source: the page, and `paper` its white.
  ///   - other: the other picture in the same geometry, linear sRGB primaries; not looked at where there is no glare.
  public init(_ source: Source, _ paper: PaperWhite, other: Other, execution: Execution = .serial) {
    even = EvenedPicture(source, paper)
    (self.paper, self.other) = (paper, other)
    white =
      paper.hasGlare
      ? LocalWhite(
        PaperCells(
          reduced(other, toAtMost: 1_500_000, clipping: .counted, execution: execution), within: nil,
          execution: execution)) : nil
  }

  /// Where the page has pixels.
  public var bounds: Rectangle { even.bounds }

  /// See ``PixelSource/read(_:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    guard !rectangle.isEmpty, destination.count >= rectangle.count else { return }
    even.read(rectangle, into: destination)
    guard let white else { return }
    func place(_ index: Int) -> SIMD2<Double> {
      SIMD2(Double(rectangle.x + index % rectangle.width), Double(rectangle.y + index / rectangle.width))
    }
    guard (0..<rectangle.count).contains(where: { paper.glare(at: place($0)) > 0 }) else { return }
    let fill = other.image(rectangle)
    for index in 0..<rectangle.count {
      let part = paper.glare(at: place(index))
      guard part > 0 else { continue }
      let filled = fill.pixels[index].rgb / white.white(at: place(index))
      guard filled.x.isFinite, filled.y.isFinite, filled.z.isFinite else { continue }
      let pixel = destination[index]
      destination[index] = Pixel(rgb: pixel.rgb + part * (filled - pixel.rgb), alpha: pixel.w)
    }
  }
}

/// The lightest surface around each place, which is paper where there is some.
struct LocalWhite {
  private let cells: PaperCells

  init(_ cells: PaperCells) { self.cells = cells }

  /// White at a place; not a number where nothing was measured.
  func white(at place: SIMD2<Double>) -> SIMD3<Float> {
    let grid = (place - cells.origin) / cells.step
    let x = min(max(grid.x, 0), Double(cells.columns - 1))
    let y = min(max(grid.y, 0), Double(cells.rows - 1))
    let (left, top) = (Int(x), Int(y))
    let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
    var (sum, total) = (SIMD3<Float>.zero, Float(0))
    for (column, row, weight) in [
      (left, top, (1 - u) * (1 - v)), (left + 1, top, u * (1 - v)), (left, top + 1, (1 - u) * v),
      (left + 1, top + 1, u * v),
    ] where column < cells.columns && row < cells.rows {
      let cell = cells.cells[row * cells.columns + column]
      guard cell.light.isFinite else { continue }
      let color = SIMD3(exp(cell.tint.x), 1, exp(cell.tint.y))
      sum += weight * exp(cell.light) / luminance(color) * color
      total += weight
    }
    return total > 0 ? sum / total : SIMD3(repeating: .nan)
  }
}
