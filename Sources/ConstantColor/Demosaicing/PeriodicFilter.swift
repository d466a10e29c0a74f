import Raster

/// Demosaicing of any filter array that repeats, such as Fujifilm's X-Trans: ``DemosaicWeights``, eight pixels at a time.
struct PeriodicFilter {
  private static let side = DemosaicWeights.side
  private static let taps = side * side

  private let pattern: CFAPattern
  /// For each row of the pattern, each column that a vector may begin at, and each colour: the weights of the 25 samples,
  /// in each lane that of its own place.
  private let weights: [Vector8]
  /// The same for the mean of the samples of a colour, the nearest above all.
  private let means: [Vector8]
  /// 1 where one of the nine nearest samples is of the colour.
  private let near: [Vector8]

  /// The filter for weights of any array.
  init(_ weights: DemosaicWeights) {
    let pattern = weights.pattern
    self.pattern = pattern
    func table(_ weight: (_ x: Int, _ y: Int, _ color: Int, _ tap: Int) -> Float) -> [Vector8] {
      var table: [Vector8] = []
      for y in 0..<pattern.rows {
        for start in 0..<pattern.columns {
          for color in 0..<3 {
            for tap in 0..<Self.taps {
              var vector = Vector8.zero
              for lane in 0..<8 { vector[lane] = weight(start + lane, y, color, tap) }
              table.append(vector)
            }
          }
        }
      }
      return table
    }
    func offset(_ tap: Int) -> (x: Int, y: Int) {
      (tap % Self.side - DemosaicWeights.reach, tap / Self.side - DemosaicWeights.reach)
    }
    func isOfColor(_ x: Int, _ y: Int, _ color: Int, _ tap: Int) -> Bool {
      pattern[x + offset(tap).x, y + offset(tap).y] == color
    }
    func nearness(_ tap: Int) -> Float {
      let d = offset(tap)
      let distance = Float(1 + d.x * d.x + d.y * d.y)
      return 1 / (distance * distance)
    }
    self.weights = table { x, y, color, tap in Float(weights[x, y, color][tap]) }
    means = table { x, y, color, tap in
      let all = (0..<Self.taps).filter { isOfColor(x, y, color, $0) }
      if pattern[x, y] == color { return tap == Self.taps / 2 ? 1 : 0 }
      return all.contains(tap) ? nearness(tap) / all.reduce(0) { $0 + nearness($1) } : 0
    }
    near = table { x, y, color, tap in
      abs(offset(tap).x) <= 1 && abs(offset(tap).y) <= 1 && isOfColor(x, y, color, tap) ? 1 : 0
    }
  }

  /// Computes `count` pixels of a row that begins at (x, y) of the mosaic; see ``BayerFilter``.
  func apply(
    _ rows: BayerFilter.Rows, x first: Int, y: Int, hasClipping: Bool, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let row = CFAPattern.modulo(y, pattern.rows) * pattern.columns
    let highest = Vector8(repeating: MosaicRows.belowClipping)
    for x in Swift.stride(from: 0, to: count, by: 8) {
      let place = (row + CFAPattern.modulo(first + x, pattern.columns)) * 3
      var colour = estimate(weights, place, rows, x)
      if hasClipping {
        let plain = estimate(means, place, rows, x)
        let isClean = largest(rows, x) .< 1
        colour = plain.replacing(with: colour, where: isClean)
      }
      colour = ColorVector(colour.x.lesser(highest), colour.y.lesser(highest), colour.z.lesser(highest))
      if hasClipping {
        let marks = largestNear(place, rows, x)
        colour = ColorVector(
          colour.x.replacing(with: 1, where: marks.x .>= 1), colour.y.replacing(with: 1, where: marks.y .>= 1),
          colour.z.replacing(with: 1, where: marks.z .>= 1))
      }
      PixelVector(colour, Vector8(repeating: 1)).interleaved.store(at: output + 4 * x)
    }
  }

  @inline(__always)
  private func estimate(_ table: [Vector8], _ place: Int, _ rows: BayerFilter.Rows, _ x: Int) -> ColorVector {
    var sum = ColorVector.zero
    table.withUnsafeBufferPointer { table in
      guard let first = table.baseAddress.map({ $0 + place * Self.taps }) else { return }
      @inline(__always)
      func add(_ line: UnsafePointer<Float>, _ row: Int) {
        for tap in 0..<Self.side {
          let value = Vector8(at: line + x + tap - DemosaicWeights.reach)
          let weight = first + row * Self.side + tap
          sum.x += value * weight[0]
          sum.y += value * weight[Self.taps]
          sum.z += value * weight[2 * Self.taps]
        }
      }
      add(rows.above2, 0)
      add(rows.above, 1)
      add(rows.here, 2)
      add(rows.below, 3)
      add(rows.below2, 4)
    }
    return sum
  }

  private func largest(_ rows: BayerFilter.Rows, _ x: Int) -> Vector8 {
    var largest = Vector8.zero
    for line in [rows.above2, rows.above, rows.here, rows.below, rows.below2] {
      for dx in -DemosaicWeights.reach...DemosaicWeights.reach { largest = largest.greater(Vector8(at: line + x + dx)) }
    }
    return largest
  }

  private func largestNear(_ place: Int, _ rows: BayerFilter.Rows, _ x: Int) -> ColorVector {
    var largest = ColorVector.zero
    for (index, line) in [rows.above, rows.here, rows.below].enumerated() {
      for dx in -1...1 {
        let value = Vector8(at: line + x + dx)
        let tap = place * Self.taps + (index + 1) * Self.side + dx + DemosaicWeights.reach
        largest.x = largest.x.greater(value * near[tap])
        largest.y = largest.y.greater(value * near[tap + Self.taps])
        largest.z = largest.z.greater(value * near[tap + 2 * Self.taps])
      }
    }
    return largest
  }
}
