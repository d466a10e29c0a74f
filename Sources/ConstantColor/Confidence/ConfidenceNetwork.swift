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
    Self.layer(from: values, Self.terms, to: hidden, first, &next)
    Self.layer(from: hidden, first, to: last, second, &next)
    var negative = Self.sum(last, second, &next)
    for index in 0..<Self.terms { negative += values[index] * next[index] }
    return (-negative).logistic
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

  /// The values of a layer's units: four at a time, which are independent of each other, so that no addition waits for
  /// another.
  @inline(__always)
  private static func layer(
    from values: UnsafeMutablePointer<Vector8>, _ count: Int, to units: UnsafeMutablePointer<Vector8>, _ unitCount: Int,
    _ next: inout UnsafePointer<Float>
  ) {
    let length = count &+ 1
    var unit = 0
    while unit &+ 4 <= unitCount {
      let (p, q, r, s) = (next, next + length, next + 2 &* length, next + 3 &* length)
      var (a, b, c, d) = (
        Vector8(repeating: p[0]), Vector8(repeating: q[0]), Vector8(repeating: r[0]), Vector8(repeating: s[0])
      )
      for index in 0..<count {
        let value = values[index]
        a += value * p[index &+ 1]
        b += value * q[index &+ 1]
        c += value * r[index &+ 1]
        d += value * s[index &+ 1]
      }
      (units[unit], units[unit &+ 1], units[unit &+ 2], units[unit &+ 3]) = (
        a.logistic, b.logistic, c.logistic, d.logistic
      )
      next += 4 &* length
      unit &+= 4
    }
    while unit < unitCount {
      units[unit] = sum(values, count, &next).logistic
      unit &+= 1
    }
  }
}
