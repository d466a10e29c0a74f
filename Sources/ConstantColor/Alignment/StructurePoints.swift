import Raster

/// The places of a flash frame's structure that say most about motion, spread over the whole frame.
struct StructurePoints {
  /// One sample with its gradient.
  struct Point {
    var structure, gradientX, gradientY: SIMD4<Float>
    var x, y: Float
  }

  /// Samples per side of a tile.
  static let tile = 32
  /// Samples per side of a cell; the points of a tile are in the order of its cells.
  static let cell = 8
  /// About how many points are kept in all.
  static let limit = 250_000

  let columns, rows: Int
  let width, height: Int
  /// The points of each tile, row after row.
  let tiles: [[Point]]
  /// How many there are.
  var count: Int { tiles.reduce(0) { $0 + $1.count } }

  /// Selects in each tile the points with the strongest gradients.
  init(_ plane: StructurePlane, execution: Execution) {
    let tile = Self.tile
    let columns = (plane.width + tile - 1) / tile
    let rows = (plane.height + tile - 1) / tile
    let quota = max(tile * tile / 8, min(tile * tile, Self.limit / max(1, columns * rows)))
    self.columns = columns
    self.rows = rows
    width = plane.width
    height = plane.height
    tiles = execution.map(columns * rows, placeholder: []) { index in
      Self.select(
        plane, quota,
        Rectangle(x: index % columns * tile, y: index / columns * tile, width: tile, height: tile)
          .intersection(Rectangle(x: 1, y: 1, width: plane.width - 2, height: plane.height - 2)))
    }
  }

  private static func cells(of area: Rectangle) -> [Rectangle] {
    area.bands(of: cell).flatMap { band in
      stride(from: band.x / cell * cell, to: band.maxX, by: cell).map { x in
        Rectangle(x: x, y: band.y, width: cell, height: band.height).intersection(area)
      }
    }
  }

  private static func select(_ plane: StructurePlane, _ quota: Int, _ area: Rectangle) -> [Point] {
    guard !area.isEmpty else { return [] }
    var points: [Point] = []
    var strengths: [Float] = []
    points.reserveCapacity(area.count)
    strengths.reserveCapacity(area.count)
    plane.samples.withUnsafeBufferPointer { samples in
      for cell in cells(of: area) {
        for place in 0..<cell.count {
          let (x, y) = (cell.x + place % cell.width, cell.y + place / cell.width)
          let i = y * plane.width + x
          // NaN in any neighbour makes the channel's gradient NaN, and so leaves the channel out.
          let gradientX = (samples[i + 1] - samples[i - 1]) * 0.5
          let gradientY = (samples[i + plane.width] - samples[i - plane.width]) * 0.5
          let known = (gradientX .== gradientX) .& (gradientY .== gradientY) .& (samples[i] .== samples[i])
          let dx = gradientX.replacing(with: 0, where: .!known)
          let dy = gradientY.replacing(with: 0, where: .!known)
          let strength = (dx * dx + dy * dy).sum()
          guard strength > 1e-4 else { continue }
          strengths.append(strength)
          points.append(
            Point(
              structure: samples[i].replacing(with: .nan, where: .!known), gradientX: dx, gradientY: dy, x: Float(x),
              y: Float(y)))
        }
      }
    }
    guard points.count > quota else { return points }
    let threshold = strengths.element(at: strengths.count - 1 - quota)
    return zip(points, strengths).compactMap { $1 > threshold ? $0 : nil }
  }
}
