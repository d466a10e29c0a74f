import Glibc
import Raster

/// Sums over the surroundings of each cell of a small grid that do not reach across edges, for values that are known only here
/// and there: carried into the rest, they go along surfaces and lights, not through them.
///
/// The domain transform (Gastal and Oliveira, "Domain transform for edge-aware image and video processing", SIGGRAPH 2011) as
/// a recursive filter: along rows and columns, back and forth, a value fades with each step, and more where the guide
/// changes. What is summed beside it, such as weights or denominators, makes ratios of the sums: a normalised convolution.
struct EdgeAwareExtension {
  private let columns, rows: Int
  /// How far apart neighbours are: (x, y) and (x + 1, y); (x, y) and (x, y + 1).
  private var across, down: [Float]

  private static let passes = 3

  /// - Parameters:
  ///   - guide: a value for each cell, row after row; nil where it is unknown, which is no edge.
  ///   - distance: how much of an edge lies between two values, in steps from cell to cell.
  init<Guide>(columns: Int, rows: Int, guide: [Guide?], distance: (Guide, Guide) -> Float) {
    (self.columns, self.rows) = (columns, rows)
    across = [Float](repeating: 1, count: columns * rows)
    down = across
    func step(_ a: Int, _ b: Int) -> Float {
      guard let first = guide[a], let second = guide[b] else { return 1 }
      let edge = distance(first, second)
      return edge > 0 ? 1 + min(edge, 1e6) : 1
    }
    for y in 0..<rows {
      for x in 0..<columns {
        let place = y * columns + x
        if x + 1 < columns { across[place] = step(place, place + 1) }
        if y + 1 < rows { down[place] = step(place, place + columns) }
      }
    }
  }

  /// The sums of values around each cell, Gaussian in the plain with this standard deviation, in cells.
  func callAsFunction(_ values: [Pixel], deviation: Float) -> [Pixel] {
    var values = values
    for pass in 1...Self.passes {
      let share = 3.0.squareRoot() * exp2(Double(Self.passes - pass)) / (exp2(2 * Double(Self.passes)) - 1).squareRoot()
      let fade = -2.0.squareRoot() / max(Double(deviation) * share, 1e-3)
      for row in 0..<rows { filter(&values, row * columns, 1, columns, across, fade) }
      for column in 0..<columns { filter(&values, column, columns, rows, down, fade) }
    }
    return values
  }

  private func filter(
    _ values: inout [Pixel], _ start: Int, _ step: Int, _ count: Int, _ distances: [Float], _ fade: Double
  ) {
    guard count > 1 else { return }
    func kept(_ index: Int) -> Float { Float(exp(fade * Double(distances[start + index * step]))) }
    for index in 1..<count {
      let (place, share) = (start + index * step, kept(index - 1))
      values[place] += (values[place - step] - values[place]) * share
    }
    for index in stride(from: count - 2, through: 0, by: -1) {
      let (place, share) = (start + index * step, kept(index))
      values[place] += (values[place + step] - values[place]) * share
    }
  }
}
