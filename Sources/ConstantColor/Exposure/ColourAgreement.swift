import Glibc
import Raster

/// What the colours of the two lights say about a ratio that all channels share.
///
/// The reflectance of a surface cancels in q = flash / ambient, which is k + d in every channel, d the flash's light
/// over the matched ambient light. With the right k the colour of q - k does not depend on how much flash there is:
/// it is the colour of the flash over that of the ambient light. With a wrong k it runs with the flash's share:
/// too large a ratio takes the colour of the ambient light from places with little flash, too small a one leaves it
/// there. So the slope of log((q - k) of red or blue / (q - k) of green) on the logarithm of d vanishes at k. Lights of
/// the same colour have no slope at any k: then the likelihood is flat.
///
/// (The model is DiCarlo, Xiao and Wandell's, CIC 9, 2001; the test on it is the project's own.)
struct ColourAgreement {
  /// Log-likelihoods, at most 0, at `start`, `start` + `step`, ...; empty without a witness.
  private var values: [Double] = []
  private var start = 0.0
  private let step = 0.01

  /// How many logarithms below the bound are tried: a flash that nowhere adds less than 2.7 times the ambient light
  /// (twice the usual) is not told from a stronger one.
  private static let reach = 1.3
  /// The fewest windows that make a regression.
  private static let fewest = 60

  /// - Parameter bound: the logarithm of the largest ratio that is possible, about.
  init(_ windows: ArraySlice<EdgeWindows.Window>, bound: Double, execution: Execution) {
    let samples = windows.compactMap(Sample.init)
    guard samples.count >= Self.fewest, bound.isFinite else { return }
    start = bound - Self.reach
    let (start, step) = (start, step)
    let misfits = execution.map(Int((Self.reach + 0.08) / step), placeholder: Double?.none) { index in
      Self.misfit(samples, ratio: exp(start + Double(index) * step))
    }
    guard let least = misfits.compactMap({ $0 }).min() else { return }
    // A model that fits nowhere (several ambient lights, a tone curve) tells little.
    let trust = 1 / max(1, least / 2)
    // A ratio that leaves no windows is beyond the bound: other witnesses judge it.
    values = misfits.map { $0.map { max(-12, -0.5 * trust * ($0 - least)) } ?? -12 }
  }

  /// The log-likelihood of the logarithm of a ratio.
  subscript(_ logarithm: Double) -> Double {
    guard values.count > 1 else { return 0 }
    let place = max(0, min((logarithm - start) / step, Double(values.count - 1)))
    let index = min(Int(place), values.count - 2)
    let share = place - Double(index)
    return values[index] * (1 - share) + values[index + 1] * share
  }

  private struct Sample {
    var quotient: SIMD3<Float>
    var error: SIMD3<Float>

    init?(_ window: EdgeWindows.Window) {
      guard window.quotientError.x < 0.05, window.quotientError.y < 0.05, window.quotient.x > 0, window.quotient.y > 0
      else { return nil }
      quotient = window.quotient.rgb
      error = window.quotientError.rgb
    }
  }

  /// The sum of the squares of the two slopes, each over its standard error; nil if a channel has too few windows.
  private static func misfit(_ samples: [Sample], ratio: Double) -> Double? {
    guard let red = Self.slope(samples, ratio: Float(ratio), channel: 0) else { return nil }
    // Under very warm light there may be no blue at all.
    let blue = Self.slope(samples, ratio: Float(ratio), channel: 2) ?? 0
    return red * red + blue * blue
  }

  /// The slope of the colour on the flash's share, by iteratively reweighted least squares, over its standard error.
  private static func slope(_ samples: [Sample], ratio: Float, channel: Int) -> Double? {
    var share: [Float] = []
    var colour: [Float] = []
    share.reserveCapacity(samples.count)
    colour.reserveCapacity(samples.count)
    for sample in samples {
      let excess = sample.quotient - ratio
      let (x, y) = (excess[channel], excess.y)
      // The logarithm of the excess needs it to be clear of the noise.
      guard x > 0.03 * ratio, y > 0.03 * ratio, sample.error[channel] * sample.quotient[channel] < 0.15 * x,
        sample.error.y * sample.quotient.y < 0.15 * y
      else { continue }
      let (a, b) = (logf(x / ratio), logf(y / ratio))
      share.append((a + b) / 2)
      colour.append(a - b)
    }
    guard share.count >= fewest else { return nil }
    return regression(share, colour)
  }

  private static func regression(_ t: [Float], _ y: [Float]) -> Double? {
    var weights = [Float](repeating: 1, count: t.count)
    var residuals = [Float](repeating: 0, count: t.count)
    var (slope, scatter, variance, total) = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<5 {
      var (sum, st, sy, stt, sty) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for index in 0..<t.count {
        let (w, a, b) = (Double(weights[index]), Double(t[index]), Double(y[index]))
        sum += w
        st += w * a
        sy += w * b
        stt += w * a * a
        sty += w * a * b
      }
      let (meanT, meanY) = (st / sum, sy / sum)
      total = sum
      variance = stt / sum - meanT * meanT
      guard variance > 1e-6 else { return nil }
      slope = (sty / sum - meanT * meanY) / variance
      for index in 0..<t.count {
        residuals[index] = abs(y[index] - Float(meanY) - Float(slope) * (t[index] - Float(meanT)))
      }
      // 1.4826 medians of the absolute residuals are one standard deviation (Hampel 1974).
      scatter = 1.4826 * Double(residuals.median) + 0.001
      let width = Float(2 * scatter)
      for index in 0..<t.count {
        let distance = residuals[index] / width
        weights[index] = 1 / (1 + distance * distance)
      }
    }
    // Windows overlap, and each surface has one colour error of its own: some thirty windows count as one. The second
    // term is the bias: the surfaces' scatter is in the share, too.
    let independent = min(total / 32, 200) + 1
    let bias = scatter * scatter / variance
    let error = (bias / independent + bias * bias + 0.002 * 0.002).squareRoot()
    return slope / error
  }
}
