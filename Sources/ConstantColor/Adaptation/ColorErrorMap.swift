import Glibc
import Raster

/// The colour error to expect of a transform to D65, by colour: a camera may be right for skin and far off for cyan.
///
/// Mean squares of ΔE₀₀ on a grid over a colour's balance, ((r − g) / (r + g), (b − g) / (b + g)) of channels in which the
/// perfect diffuser is (1, 1, 1). Between the nodes it is bilinear; beyond the grid it is what its edge is.
public struct ColorErrorMap: Equatable, Sendable {
  /// Nodes along each side.
  public static let side = 13
  /// The balance of the outermost nodes.
  static let limit: Float = 0.75

  /// Beyond, errors tell nothing more: a difference of 100 is black for white.
  private static let largestSquare: Float = 1e4

  /// `side * side` squares of ΔE₀₀, row after row: red's balance along a row, blue's from row to row.
  public let squares: [Float]

  /// The same for all colours.
  ///
  /// - Parameter error: the mean of ΔE₀₀. That of a normal error in the plane of a* and b* has a mean square 4/π times as
  ///   large as its square.
  public init(constant error: Float) {
    squares = [Float](repeating: min(4 / .pi * error * error, Self.largestSquare), count: Self.side * Self.side)
  }

  /// A map that was stored; nil unless it has `side * side` numbers, each 0...10 000.
  public init?(squares: [Float]) {
    guard squares.count == Self.side * Self.side, squares.allSatisfy({ (0...Self.largestSquare).contains($0) }) else {
      return nil
    }
    self.squares = squares
  }

  /// A colour error that was found.
  public struct Sample: Sendable {
    /// RGB divided by that of the perfect diffuser.
    public var rgb: SIMD3<Double>
    /// ΔE₀₀.
    public var error: Double
    /// How much it counts; a patch of a chart counts 1.
    public var weight: Double

    /// A sample from its parts.
    public init(rgb: SIMD3<Double>, error: Double, weight: Double = 1) {
      (self.rgb, self.error, self.weight) = (rgb, error, weight)
    }
  }

  /// The local mean of errors, weighed by a Gaussian of the distance (kernel regression: Nadaraya and Watson, 1964). Colours
  /// that no sample is near to have twice the usual error.
  ///
  /// - Parameter more: an error that all colours have besides, in ΔE₀₀.
  public init(_ samples: [Sample], adding more: Double = 0) {
    let usable = samples.filter { $0.error.isFinite && $0.weight > 0 && ($0.rgb - $0.rgb) == .zero }
    let total = usable.reduce(0) { $0 + $1.weight }
    // One sample that went wild is not what to expect of others.
    let mean = usable.reduce(0) { $0 + $1.weight * min($1.error * $1.error, 400) } / max(total, 1e-9)
    var squares: [Float] = []
    for row in 0..<Self.side {
      for column in 0..<Self.side {
        let node = SIMD2(Self.balance(of: column), Self.balance(of: row))
        var (sum, weights) = (4 * mean * Self.priorWeight, Self.priorWeight)
        for sample in usable {
          let distance = Self.balance(of: sample.rgb) - node
          let weight = sample.weight * exp(-(distance * distance).sum() / (2 * Self.width * Self.width))
          sum += weight * min(sample.error * sample.error, 400)
          weights += weight
        }
        squares.append(Float(sum / weights + more * more))
      }
    }
    self.squares = squares
  }

  /// The Gaussian's standard deviation, in balance: about the distance of neighbours on a chart.
  private static let width = 0.08
  /// The prior counts like a tenth of a patch.
  private static let priorWeight = 0.1

  private static func balance(of node: Int) -> Double {
    Double(limit) * (2 * Double(node) / Double(side - 1) - 1)
  }

  private static func balance(of rgb: SIMD3<Double>) -> SIMD2<Double> {
    let light = pointwiseMax(rgb, SIMD3(repeating: 0))
    return SIMD2(
      (light.x - light.y) / max(light.x + light.y, 1e-12), (light.z - light.y) / max(light.z + light.y, 1e-12))
  }

  /// The expected squared ΔE₀₀ of eight colours, in channels of which white is (1, 1, 1).
  @inline(__always)
  func square(_ colour: ColorVector) -> Vector8 {
    let light = colour.positive
    let tiny = Vector8(repeating: 1e-12)
    let scale = Float(Self.side - 1) / (2 * Self.limit)
    @inline(__always) func position(_ channel: Vector8) -> Vector8 {
      let balance = (channel - light.y) / (channel + light.y).greater(tiny)
      // NaN fails both comparisons: it is put in the middle.
      let limited = balance.greater(Vector8(repeating: -Self.limit)).lesser(Vector8(repeating: Self.limit))
      return ((limited.replacing(with: 0, where: .!(limited .== limited)) + Self.limit) * scale)
        .lesser(Vector8(repeating: Float(Self.side) - 1.001))
    }
    let (across, down) = (position(light.x), position(light.z))
    let (column, row) = (across.rounded(.down), down.rounded(.down))
    let (x, y) = (across - column, down - row)
    var (low, high) = (Vector8.zero, Vector8.zero)
    squares.withUnsafeBufferPointer { squares in
      for lane in 0..<8 {
        let place = Int(row[lane]) &* Self.side &+ Int(column[lane])
        low[lane] = squares[place] + x[lane] * (squares[place &+ 1] - squares[place])
        let next = place &+ Self.side
        high[lane] = squares[next] + x[lane] * (squares[next &+ 1] - squares[next])
      }
    }
    return low + y * (high - low)
  }
}
