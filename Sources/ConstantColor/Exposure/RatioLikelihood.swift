import Glibc

/// The log-likelihood of the exposure ratio, to which each witness adds what it knows.
struct RatioLikelihood {
  private var values: [Double]
  private let start: Double
  private static let step = 0.002

  /// A flat likelihood over the logarithms from 1.5 below the lowest place to 0.5 above the highest.
  init(around places: [Double?]) {
    let known = places.compactMap { $0 }.filter { $0.isFinite }
    let low = known.min() ?? 0
    start = low - 1.5
    let width = min((known.max() ?? 0) - low, 14) + 2
    values = [Double](repeating: 0, count: Int(width / Self.step) + 1)
  }

  mutating func add(_ logLikelihood: (_ logarithm: Double) -> Double) {
    for index in values.indices { values[index] += logLikelihood(start + Double(index) * Self.step) }
  }

  /// The most likely logarithm, and the root mean square distance of the others from it.
  var summary: (logarithm: Double, error: Double) {
    guard let highest = values.max(), let mode = values.firstIndex(of: highest) else { return (0, 1) }
    var (sum, second) = (0.0, 0.0)
    for (index, value) in values.enumerated() {
      let mass = exp(value - highest)
      let distance = Double(index - mode) * Self.step
      sum += mass
      second += mass * distance * distance
    }
    var place = Double(mode)
    if mode > 0, mode + 1 < values.count {
      // The top of the parabola through the highest value and its neighbours.
      let (left, right) = (values[mode - 1], values[mode + 1])
      let bend = left - 2 * highest + right
      if bend < -1e-9 { place += max(-0.5, min(0.5 * (left - right) / bend, 0.5)) }
    }
    return (start + place * Self.step, max((second / sum).squareRoot(), Self.step))
  }
}
