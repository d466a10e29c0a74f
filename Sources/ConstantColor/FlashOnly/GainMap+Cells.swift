import Raster

extension GainMap {
  /// Means over small squares.
  struct Blocks {
    /// The side in pixels, and how many there are.
    let side, columns, rows: Int
    /// Blocks of which half and more is known.
    private(set) var means: [(place: (column: Int, row: Int), block: Block)] = []

    struct Block {
      var mean: Sample
      var count: Int
      /// Whether the flash lit the surroundings. Asked of them, since single blocks would be chosen for their noise or for
      /// the colour of what they show.
      var isTrusted: Bool
    }

    /// Those that the flash lit.
    var trusted: [Sample] { means.filter { $0.block.isTrusted && $0.block.mean.ambient.min() > 0 }.map(\.block.mean) }

    /// What turns the ambient light into the flash's, in the mean; nil where nothing tells.
    var gain: SIMD3<Float>? {
      let sums = trusted.reduce((SIMD3<Float>.zero, SIMD3<Float>.zero)) { ($0.0 + $1.difference, $0.1 + $1.ambient) }
      return GainMap.gain(sums.0, sums.1)
    }

    /// Along the longer side.
    private static let most = 160
    /// The surroundings, in blocks to each side.
    private static let reach = 3

    init(width: Int, height: Int, ratioUncertainty: Float, _ sample: (Int, Int) -> Sample?) {
      let side = max(1, (max(width, height) + Self.most - 1) / Self.most)
      let (columns, rows) = ((width + side - 1) / side, (height + side - 1) / side)
      (self.side, self.columns, self.rows) = (side, columns, rows)
      var sums: [(sum: Sample, count: Int)] = []
      for row in 0..<rows {
        for column in 0..<columns {
          let (right, bottom) = (min((column + 1) * side, width), min((row + 1) * side, height))
          var (sum, count) = (Sample.zero, 0)
          for y in row * side..<bottom {
            for x in column * side..<right {
              guard let sample = sample(x, y) else { continue }
              sum = sum + sample
              count += 1
            }
          }
          let isKnown = count > 0 && 2 * count >= (right - column * side) * (bottom - row * side)
          sums.append(isKnown ? (sum, count) : (.zero, 0))
        }
      }
      func isLit(_ column: Int, _ row: Int) -> Bool {
        var (sum, count) = (Sample.zero, 0)
        for y in max(row - Self.reach, 0)...min(row + Self.reach, rows - 1) {
          for x in max(column - Self.reach, 0)...min(column + Self.reach, columns - 1) {
            sum = sum + sums[y * columns + x].sum
            count += sums[y * columns + x].count
          }
        }
        return count > 0 && sum.mean(of: count).isLit(ratioUncertainty: ratioUncertainty)
      }
      for row in 0..<rows {
        for column in 0..<columns {
          let (sum, count) = sums[row * columns + column]
          guard count > 0 else { continue }
          let block = Block(mean: sum.mean(of: count), count: count, isTrusted: isLit(column, row))
          means.append(((column, row), block))
        }
      }
    }
  }

  /// Sums of numerators and denominators for each cell: a ratio of sums has no bias from noise.
  struct Sums {
    var numerator: [Pixel]
    var denominator: [Pixel]

    init(_ count: Int) {
      numerator = [Pixel](repeating: .zero, count: count)
      denominator = numerator
    }

    mutating func add(_ index: Int, _ n: SIMD3<Float>, _ d: SIMD3<Float>, _ count: Float) {
      numerator[index] += Pixel(rgb: n, alpha: count)
      denominator[index] += Pixel(rgb: d, alpha: count)
    }

    var total: (numerator: SIMD3<Float>, denominator: SIMD3<Float>) {
      (numerator.reduce(.zero, +).rgb, denominator.reduce(.zero, +).rgb)
    }

    var meanDenominator: Float {
      denominator.isEmpty ? 0 : denominator.reduce(.zero, +).rgb.brightness / Float(denominator.count)
    }

    func mixed(_ index: Int, with gain: SIMD3<Float>, strength: Float) -> (
      numerator: SIMD3<Float>, denominator: SIMD3<Float>
    ) {
      let weight = SIMD3<Float>(repeating: max(strength, 1e-9))
      return (numerator[index].rgb + gain * weight, denominator[index].rgb + weight)
    }

    func adding(_ other: Sums, share: Float) -> Sums {
      var sum = self
      for index in numerator.indices {
        sum.numerator[index] += other.numerator[index] * share
        sum.denominator[index] += other.denominator[index] * share
      }
      return sum
    }

    /// A Gaussian over the cells, separable, cut at three standard deviations.
    mutating func blur(columns: Int, rows: Int, sigma: Int) {
      let kernel = binomial(4 * sigma * sigma)
      numerator = Self.blurred(numerator, columns, rows, kernel)
      denominator = Self.blurred(denominator, columns, rows, kernel)
    }

    /// The binomial kernel with this many steps, which has a quarter as much variance.
    private func binomial(_ steps: Int) -> [Float] {
      var kernel: [Float] = [1]
      for _ in 0..<steps {
        kernel = (0...kernel.count).map { index in
          0.5 * ((index > 0 ? kernel[index - 1] : 0) + (index < kernel.count ? kernel[index] : 0))
        }
      }
      return kernel
    }

    private static func blurred(_ grid: [Pixel], _ columns: Int, _ rows: Int, _ kernel: [Float]) -> [Pixel] {
      let half = kernel.count / 2
      func pass(_ grid: [Pixel], _ length: Int, _ place: (Int, Int) -> Int) -> [Pixel] {
        var result = grid
        for line in 0..<grid.count / length {
          for index in 0..<length {
            var sum = Pixel.zero
            for (tap, weight) in kernel.enumerated() {
              let other = index + tap - half
              if other >= 0, other < length { sum += grid[place(line, other)] * weight }
            }
            result[place(line, index)] = sum
          }
        }
        return result
      }
      let across = pass(grid, columns) { row, column in row * columns + column }
      return pass(across, rows) { column, row in row * columns + column }
    }
  }
}
