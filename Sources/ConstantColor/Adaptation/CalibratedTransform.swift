import ColorScience

/// From linear RGB under one flash to XYZ under D65, as a calibration found it.
public struct CalibratedTransform: Equatable, Sendable {
  /// The linear part: right for every colour to a few ΔE₀₀, and whatever the noise.
  public var matrix: Matrix3
  /// The better fit, where there is one, on channels divided by ``white``.
  public var rootPolynomial: RootPolynomial?
  /// The RGB of the perfect diffuser where the calibration chart was: becomes the D65 white with Y = 1.
  public var white: SIMD3<Double>
  /// The smallest ratio of two channels (divided by ``white``) among the colours of the fit. Below it the root
  /// polynomial gives way to the matrix: no measured colour says what it would make of such a pixel, and noise around 0
  /// is magnified by roots.
  public var smallestRatio: Double

  /// A transform from its parts.
  public init(matrix: Matrix3, rootPolynomial: RootPolynomial? = nil, white: SIMD3<Double>, smallestRatio: Double = 0.1)
  {
    self.matrix = matrix
    self.rootPolynomial = rootPolynomial
    self.white = white
    self.smallestRatio = smallestRatio
  }

  /// How much of the root polynomial counts for a colour whose smallest and largest channel, divided by ``white``, have
  /// this ratio: 0...1.
  public func share(ofRatio ratio: Double) -> Double {
    let most = max(smallestRatio, 1e-6)
    return min(max((ratio - most / 4) / (most - most / 4), 0), 1)
  }

  /// The XYZ under D65 of one colour.
  public func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let linear = matrix * rgb
    guard let rootPolynomial else { return linear }
    let balanced = rgb / white
    let largest = balanced.max()
    guard largest > 0 else { return linear }
    return linear + share(ofRatio: balanced.min() / largest) * (rootPolynomial(balanced) - linear)
  }
}
