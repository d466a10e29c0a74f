/// A colour as CIE 1931 tristimulus values (2° observer), relative: Y = 1 is the white.
public struct XYZ: Equatable, Hashable, Sendable {
  /// X, Y, Z. May be negative or above 1.
  public var vector: SIMD3<Double>

  /// A colour from its tristimulus values.
  public init(_ x: Double, _ y: Double, _ z: Double) { vector = SIMD3(x, y, z) }

  /// A colour from a vector (X, Y, Z).
  public init(_ vector: SIMD3<Double>) { self.vector = vector }

  /// A colour from its chromaticity and its luminance Y. With y = 0 no luminance is possible: the result is zero.
  public init(_ chromaticity: Chromaticity, luminance: Double = 1) {
    let (x, y) = (chromaticity.x, chromaticity.y)
    vector = y == 0 ? .zero : luminance / y * SIMD3(x, y, 1 - x - y)
  }

  /// The tristimulus value X.
  public var x: Double { vector.x }
  /// The tristimulus value Y, the luminance.
  public var y: Double { vector.y }
  /// The tristimulus value Z.
  public var z: Double { vector.z }

  /// The chromaticity, or nil for a colour that has none: black, a sum that is not above 0, NaN, infinity.
  public var chromaticity: Chromaticity? {
    let sum = vector.sum()
    guard sum > 0, sum.isFinite else { return nil }
    let point = Chromaticity(x: vector.x / sum, y: vector.y / sum)
    return point.x.isFinite && point.y.isFinite ? point : nil
  }
}

/// A colour without its luminance: CIE 1931 x and y (2° observer).
public struct Chromaticity: Equatable, Hashable, Sendable {
  /// X / (X + Y + Z).
  public var x: Double
  /// Y / (X + Y + Z).
  public var y: Double

  /// The chromaticity (x, y).
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The chromaticity with the given CIE 1960 UCS coordinates.
  public init(u: Double, v: Double) {
    let divisor = 2 * u - 8 * v + 4
    self.init(x: 3 * u / divisor, y: 2 * v / divisor)
  }

  /// The CIE 1960 UCS coordinates u and v, in which Duv is a distance.
  public var uv: (u: Double, v: Double) {
    let divisor = -2 * x + 12 * y + 3
    return (4 * x / divisor, 6 * y / divisor)
  }
}
