import Raster

/// How surfaces of different colours change between two lights, beyond what the lights' white does.
///
/// Gains that turn the ambient light's white into the flash's turn colours only nearly: a red surface reflects a part of each
/// channel's band that depends on the light. In the pair itself many surfaces are lit by both lights, so that it can be
/// learned: a channel's gain changes with the colour x of the surface, as 1 + a·x + b·x² (two ratios of channels, so six
/// numbers with the mixed term but no constant). A prior keeps the numbers as small as they are for common lights, and neutral
/// surfaces unchanged.
package struct SurfaceCorrection: Equatable, Sendable {
  /// What each term adds to the gain of red, green and blue.
  private var coefficients = [SIMD3<Float>](repeating: .zero, count: termCount)
  /// How a neutral surface appears in the flash's light.
  private var white = SIMD3<Float>(repeating: 1)

  private static let termCount = 5
  /// How much a term usually adds: standard deviation.
  private static let usual = 0.2
  /// The colours of surfaces are samples of what there is: however many pixels show them, those of a whole picture count as
  /// so many.
  private static let mostSamples = 600.0
  /// What one surface deviates by from all of its colour, relative, at least.
  private static let leastDeviation: Float = 0.05

  /// No correction.
  package init() {}

  /// What the flash makes of a surface, and what gains make of its ambient light.
  package struct Sample {
    package var difference, fill, variance: SIMD3<Float>

    package init(difference: SIMD3<Float>, fill: SIMD3<Float>, variance: SIMD3<Float>) {
      (self.difference, self.fill, self.variance) = (difference, fill, variance)
    }
  }

  /// The correction that the samples show.
  ///
  /// - Parameters:
  ///   - share: what part of the picture they are, 0...1.
  ///   - white: how a neutral surface appears in the flash's light, in any scale.
  package init(_ samples: [Sample], share: Float, white: SIMD3<Float>) {
    guard white.min() > 0 else { return }
    self.white = white
    let usable = samples.filter { $0.fill.min() > 0 }
    let count = min(Double(usable.count), Self.mostSamples * Double(share))
    for channel in 0..<3 {
      var equations = NormalEquations(unknowns: Self.termCount)
      for term in 0..<Self.termCount {
        var row = [Double](repeating: 0, count: Self.termCount)
        row[term] = 1 / Self.usual
        equations.add(row, 0)
      }
      let deviation = Self.deviation(usable, channel)
      for sample in usable {
        let spread = deviation * sample.fill[channel]
        let weight = count / Double(usable.count) / Double(sample.variance[channel] + spread * spread)
        guard weight.isFinite else { continue }
        let row = terms(sample.fill).map { Double($0 * sample.fill[channel]) }
        equations.add(row, Double(sample.difference[channel] - sample.fill[channel]), weight: weight)
      }
      guard let solution = equations.solution else { continue }
      for (term, value) in solution.enumerated() { coefficients[term][channel] = Float(value) }
    }
  }

  /// How far surfaces are from what gains make of them, beyond noise: much where the pictures were rendered differently.
  private static func deviation(_ samples: [Sample], _ channel: Int) -> Float {
    let squares = samples.map { sample -> Float in
      let error = sample.difference[channel] - sample.fill[channel]
      return max(error * error - sample.variance[channel], 0) / (sample.fill[channel] * sample.fill[channel])
    }.sorted()
    // Twice the median of a normal error's squares is about its variance.
    let typical = squares.isEmpty ? 0 : 2.2 * squares[squares.count / 2]
    return max(leastDeviation, min(typical, 1).squareRoot())
  }

  private func terms(_ color: SIMD3<Float>) -> [Float] {
    let balanced = color / white
    let red = (balanced.x - balanced.y) / max(balanced.x + balanced.y, 1e-12)
    let blue = (balanced.z - balanced.y) / max(balanced.z + balanced.y, 1e-12)
    return [red, blue, red * red, red * blue, blue * blue]
  }

  /// What the flash makes of a surface that gains have brought to this colour.
  package func callAsFunction(_ fill: SIMD3<Float>) -> SIMD3<Float> {
    let color = pointwiseMax(fill, .zero)
    var factor = SIMD3<Float>(repeating: 1)
    for (term, coefficient) in zip(terms(color), coefficients) { factor += term * coefficient }
    return fill * pointwiseMax(factor, SIMD3(repeating: Self.leastFactor))
  }

  private static let leastFactor: Float = 0.3

  /// The same for eight colours, not negative.
  @inline(__always)
  func callAsFunction(_ fill: ColorVector) -> ColorVector {
    let (red, blue) = balance(fill)
    @inline(__always) func factor(_ channel: Int) -> Vector8 {
      var sum = Vector8(repeating: 1)
      sum += red * coefficients[0][channel] + blue * coefficients[1][channel]
      sum += red * red * coefficients[2][channel] + red * blue * coefficients[3][channel]
      sum += blue * blue * coefficients[4][channel]
      return sum.greater(Vector8(repeating: Self.leastFactor))
    }
    return ColorVector(fill.x * factor(0), fill.y * factor(1), fill.z * factor(2))
  }

  /// The colours of eight surfaces: how far red and blue are from neutral, each -1...1.
  @inline(__always)
  private func balance(_ color: ColorVector) -> (red: Vector8, blue: Vector8) {
    let tiny = Vector8(repeating: 1e-12)
    let balanced = ColorVector(color.x * (1 / white.x), color.y * (1 / white.y), color.z * (1 / white.z))
    let red = (balanced.x - balanced.y) / (balanced.x + balanced.y).greater(tiny)
    let blue = (balanced.z - balanced.y) / (balanced.z + balanced.y).greater(tiny)
    return (red, blue)
  }

  /// How far a colour is from neutral, from 0 to 2: the further, the more surfaces of one colour differ in what light makes of
  /// them.
  @inline(__always)
  func saturation(_ color: ColorVector) -> Vector8 {
    let (red, blue) = balance(color)
    return red.greater(-red) + blue.greater(-blue)
  }
}
