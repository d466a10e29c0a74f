import Glibc

/// A polynomial of two variables, fitted to values of which many may be of something else.
package struct SmoothSurface: Sendable {
  /// By the order of their terms: 1, x, y, x², xy, y², …
  package private(set) var coefficients: [Double]
  /// The highest order.
  package let degree: Int
  /// The standard deviation of what belongs to it.
  package private(set) var spread: Double

  /// A value at a place; places are -1...1.
  package struct Sample {
    package var place: SIMD2<Double>
    package var value: Double
    package var weight: Double

    /// A sample; the weight is one divided by the variance of its value, where that is known.
    package init(place: SIMD2<Double>, value: Double, weight: Double = 1) {
      (self.place, self.value, self.weight) = (place, value, weight)
    }
  }

  /// The surface at a place.
  package func callAsFunction(_ place: SIMD2<Double>) -> Double {
    zip(coefficients, Self.terms(place, degree)).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The surface that most of the upper values lie on: regression of a quantile by reweighted least squares.
  package static func upper(_ samples: [Sample], degree: Int, quantile: Double = 0.75) -> SmoothSurface? {
    var surface = SmoothSurface(coefficients: [], degree: degree, spread: 0)
    var weights = [Double](repeating: 1, count: samples.count)
    for _ in 0..<25 {
      guard surface.solve(samples, weights) else { return nil }
      for (index, sample) in samples.enumerated() {
        let off = sample.value - surface(sample.place)
        weights[index] = (off > 0 ? quantile : 1 - quantile) / max(abs(off), 0.01)
      }
    }
    return surface
  }

  /// The surface that samples near this one lie on, with Tukey's biweight.
  ///
  /// - Parameters:
  ///   - within: how far from this surface a sample may be to begin with.
  ///   - pull: how strongly the surface is pulled to plainness, where samples leave it free.
  package func refined(_ samples: [Sample], degree: Int, within: Double, pull: Double = 1) -> SmoothSurface? {
    var surface = self
    var reach = within
    for round in 0..<10 {
      let off = samples.map { $0.value - surface($0.place) }
      let near = off.map { abs($0) }.filter { $0 < reach }.sorted()
      guard near.count >= 8 else { return round == 0 ? nil : surface }
      surface.spread = max(1.4826 * near[near.count / 2], 1e-3)
      reach = min(reach, max(4.7 * surface.spread, 0.02))
      let weights = off.map { off -> Double in
        let part = off / reach
        return abs(part) < 1 ? (1 - part * part) * (1 - part * part) : 0
      }
      let count = near.count
      // More freedom only where there is enough that holds it.
      let possible = count > 120 ? degree : count > 40 ? min(degree, 2) : 1
      var next = SmoothSurface(coefficients: [], degree: possible, spread: surface.spread)
      guard next.solve(samples, weights, pull: pull) else { return surface }
      surface = next
    }
    return surface
  }

  /// The surface through samples that all belong to it, of which some err more than their weights say (Huber's estimate).
  package static func fitted(_ samples: [Sample], degree: Int) -> SmoothSurface? {
    var surface = SmoothSurface(coefficients: [], degree: degree, spread: 0)
    var weights = samples.map(\.weight)
    for _ in 0..<8 {
      guard surface.solve(samples, weights, pull: 0) else { return nil }
      weights = samples.map { sample in
        let residual = abs(sample.value - surface(sample.place)) * sample.weight.squareRoot()
        return residual > 1.5 ? sample.weight * 1.5 / residual : sample.weight
      }
    }
    return surface
  }

  private mutating func solve(_ samples: [Sample], _ weights: [Double], pull strength: Double = 1) -> Bool {
    let count = Self.termCount(degree)
    var equations = NormalEquations(unknowns: count)
    var total = 0.0
    for (sample, weight) in zip(samples, weights) where weight > 0 {
      equations.add(Self.terms(sample.place, degree), sample.value, weight: weight)
      total += weight
    }
    guard total > 0 else { return false }
    // A little pull to plainness, more to what is far from it: what no paper shows must not run away.
    var index = 0
    for order in 0...degree {
      for _ in 0...order {
        var row = [Double](repeating: 0, count: count)
        row[index] = 1
        let pull = strength * (order == 0 ? 1e-9 : 1e-6 * pow(6, Double(order)))
        if pull > 0 { equations.add(row, 0, weight: pull * total) }
        index += 1
      }
    }
    guard let solution = equations.solution else { return false }
    coefficients = solution
    return true
  }

  /// How many coefficients a surface has.
  static func termCount(_ degree: Int) -> Int { (degree + 1) * (degree + 2) / 2 }

  /// What the coefficients are factors of.
  static func terms(_ place: SIMD2<Double>, _ degree: Int) -> [Double] {
    var result: [Double] = [1]
    result.reserveCapacity(termCount(degree))
    var first = 0
    for order in 0..<degree {
      // Each term of an order times x, and the last one times y, too.
      for index in first...first + order { result.append(result[index] * place.x) }
      result.append(result[first + order] * place.y)
      first += order + 1
    }
    return result
  }
}
