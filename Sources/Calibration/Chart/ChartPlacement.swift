import ConstantColor
import Raster

/// One way to lay the chart onto a lattice: which cell is dark skin, and which way its rows run.
struct ChartPlacement {
  /// From chart coordinates to pixels of the reduced picture.
  var map: Homography
  var agreement: ChartAgreement

  /// The placement whose colours agree best, over all positions and four turns; nil where none fits into the picture.
  ///
  /// - Parameter minimumCells: how many of the 24 patches must be regions of the lattice.
  static func best(
    on lattice: PatchLattice, minimumCells: Int, in image: Image
  ) -> ChartPlacement? {
    var colors = [SIMD3<Double>?](repeating: nil, count: lattice.regions.count)
    var isSampled = [Bool](repeating: false, count: lattice.regions.count)
    var best: ChartPlacement?
    let reach = PatchLattice.reach
    for turn in 0..<4 {
      for row in -reach...reach {
        for column in -reach...reach {
          var cells = 0
          var indices: [Int] = []
          for patch in 0..<ChartGeometry.patchCount {
            let (x, y) = place(ofPatch: patch, turn: turn)
            guard let index = PatchLattice.index(column: column + x, row: row + y) else { break }
            indices.append(index)
            if lattice.regions[index] >= 0 { cells += 1 }
          }
          guard indices.count == ChartGeometry.patchCount, cells >= minimumCells else { continue }
          var measured: [SIMD3<Double>] = []
          for index in indices {
            if !isSampled[index] {
              isSampled[index] = true
              let side = 2 * reach + 1
              colors[index] = image.color(
                ofCellAt: SIMD2(Double(index % side - reach), Double(index / side - reach)), of: lattice.map)
            }
            guard let color = colors[index] else { break }
            measured.append(color)
          }
          guard let agreement = ChartAgreement(measured), agreement.score > best?.agreement.score ?? -.infinity,
            let map = lattice.map.concatenating(after: turned(turn, column: column, row: row))
          else { continue }
          best = ChartPlacement(map: map, agreement: agreement)
        }
      }
    }
    return best
  }

  /// The chart with this map, its colours measured anew; nil where a patch is outside of the picture.
  init?(map: Homography, in image: Image) {
    var measured: [SIMD3<Double>] = []
    for index in 0..<ChartGeometry.patchCount {
      guard let color = image.color(ofCellAt: ChartGeometry.place(of: index), of: map) else { return nil }
      measured.append(color)
    }
    guard let agreement = ChartAgreement(measured) else { return nil }
    self.map = map
    self.agreement = agreement
  }

  private init(map: Homography, agreement: ChartAgreement) {
    self.map = map
    self.agreement = agreement
  }

  private static func place(ofPatch patch: Int, turn: Int) -> (Int, Int) {
    let (x, y) = (patch % ChartGeometry.columns, patch / ChartGeometry.columns)
    switch turn {
    case 0: return (x, y)
    case 1: return (-y, x)
    case 2: return (-x, -y)
    default: return (y, -x)
    }
  }

  private static func turned(_ turn: Int, column: Int, row: Int) -> Homography {
    let (x, y) = (place(ofPatch: 1, turn: turn), place(ofPatch: ChartGeometry.columns, turn: turn))
    return Homography([
      Double(x.0), Double(y.0), Double(column), Double(x.1), Double(y.1), Double(row), 0, 0, 1,
    ]) ?? .identity
  }
}

extension Image {
  /// The mean colour of the inner half of a cell; nil where it is not all within the picture.
  fileprivate func color(ofCellAt place: SIMD2<Double>, of map: Homography) -> SIMD3<Double>? {
    guard let axes = ChartGeometry.axes(map, at: place), length(axes.0) < 1e6, length(axes.1) < 1e6 else { return nil }
    // As many points as there are pixels, within reason: the mean of a few would be noise.
    let half = Int(min(max((length(axes.0) + length(axes.1)) / 8, 2), 10))
    let step = 0.25 / Double(half)
    var sum = SIMD3<Double>.zero
    for y in -half...half {
      for x in -half...half {
        guard let point = map.apply(to: place + step * SIMD2(Double(x), Double(y))), bounds.contains(point) else {
          return nil
        }
        let pixel = self[Int(point.x.rounded()), Int(point.y.rounded())]
        sum += SIMD3(Double(pixel.x), Double(pixel.y), Double(pixel.z))
      }
    }
    return sum / Double((2 * half + 1) * (2 * half + 1))
  }
}
