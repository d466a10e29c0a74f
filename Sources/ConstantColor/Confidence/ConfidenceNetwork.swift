/// How the terms make a confidence: a small network with the numbers of ``ConfidenceModel``, for one tolerance.
///
/// P(ΔE₀₀ ≤ t) = 1 / (1 + e⁻ᶻ), where
///
///     u = log(1 + x / d)                       x: the terms, over (t / 3)² if they are squared colour errors
///     h = step(b + W u - c log(t / 3))         step(a) = 1 / (1 + e⁻ᵃ)
///     g = step(b' + W' h)
///     z = b" - w g - v u + k log(t / 3)
///
/// It is smooth, and monotone since no weight is negative (Sill, "Monotonic Networks", NIPS 1997): more of any cause never
/// raises the confidence, a larger tolerance never lowers it; v > 0, so that each cause always counts. That causes meet in
/// units, instead of being added, is what tells apart for example a dark colour that was measured from a filled one.
final class ConfidenceNetwork {
  private typealias Model = ConfidenceModel

  /// One over the terms' sizes, then what a layer needs, unit after unit: bias, then a weight for each input.
  private let numbers: UnsafeMutableBufferPointer<Float>
  /// The terms, then both layers' values.
  private let values: UnsafeMutablePointer<Vector8>
  private static let terms = ConfidenceTerms.names.count
  private let first = Model.firstBias.count, second = Model.secondBias.count

  init(tolerance: Float) {
    let logarithm = Vector8(repeating: tolerance / 3).logarithm[0]
    let terms = Self.terms
    var numbers = zip(Model.sizes, Model.squares).map { size, square in
      1 / (size * (square > 0 ? tolerance * tolerance / 9 : 1))
    }
    for (unit, (bias, fall)) in zip(Model.firstBias, Model.firstTolerance).enumerated() {
      numbers.append(bias - fall * logarithm)
      numbers += Model.firstWeights.dropFirst(unit * terms).prefix(terms)
    }
    for (unit, bias) in Model.secondBias.enumerated() {
      numbers.append(bias)
      numbers += Model.secondWeights.dropFirst(unit * first).prefix(first)
    }
    // The output falls with everything that it is made of.
    numbers.append(-(Model.output[0] + Model.output[1] * logarithm))
    numbers += Model.outputWeights + Model.directWeights
    precondition(
      numbers.count == terms + first * (terms + 1) + second * (first + 1) + 1 + second + terms,
      "ConfidenceModel.swift does not fit ConfidenceTerms: run Scripts/calibrate-confidence")
    self.numbers = .allocate(capacity: numbers.count)
    _ = self.numbers.initialize(from: numbers)
    values = .allocate(capacity: terms + first + second)
    values.initialize(repeating: .zero, count: terms + first + second)
  }

  deinit {
    numbers.deallocate()
    values.deallocate()
  }

  /// P(ΔE₀₀ ≤ tolerance) of eight pixels; NaN terms give no number or 0.
  @inline(__always)
  func probability(_ terms: ConfidenceTerms) -> Vector8 {
    guard var next = UnsafePointer(numbers.baseAddress) else { return .zero }
    for index in 0..<Self.terms { values[index] = (1 + terms[index] * next[index]).logarithm }
    next += Self.terms
    let (hidden, last) = (values + Self.terms, values + Self.terms + first)
    for unit in 0..<first { hidden[unit] = Self.step(Self.sum(values, Self.terms, &next)) }
    for unit in 0..<second { last[unit] = Self.step(Self.sum(hidden, first, &next)) }
    var negative = Self.sum(last, second, &next)
    for index in 0..<Self.terms { negative += values[index] * next[index] }
    return Self.step(-negative)
  }

  /// A bias and the weighted sum of `count` values; goes on to the next unit's numbers.
  @inline(__always)
  private static func sum(
    _ values: UnsafeMutablePointer<Vector8>, _ count: Int, _ next: inout UnsafePointer<Float>
  ) -> Vector8 {
    var sum = Vector8(repeating: next[0])
    for index in 0..<count { sum += values[index] * next[index &+ 1] }
    next += count &+ 1
    return sum
  }

  /// 1 / (1 + e⁻ᵃ).
  @inline(__always)
  private static func step(_ a: Vector8) -> Vector8 {
    // e to the power of numbers below 0.
    let small = (-a.greater(-a)).exponential
    return (1 / (1 + small)).replacing(with: small / (1 + small), where: a .< 0)
  }
}
