import Glibc
import Raster

/// The vote on the exposure ratio: a density over its logarithm.
struct RatioVotes {
  private let windows: [EdgeWindows.Window]
  private let sample: ArraySlice<EdgeWindows.Window>
  private let execution: Execution
  private let prior: Double?
  private let priorUncertainty: Double

  /// Bins of the logarithm: 0.25 % each, from 1/1000 to 1000.
  private static let step = 0.0025
  private static let range = 6.908
  private static let bins = Int(2 * range / step)

  init(_ windows: EdgeWindows, prior: Double?, priorUncertainty: Double, execution: Execution) {
    self.windows = windows.windows
    sample = windows.sample
    self.execution = execution
    self.prior = prior
    self.priorUncertainty = max(priorUncertainty, 0.001)
  }

  private struct Vote {
    var logarithm: Double
    var error: Double
  }

  private struct Peak {
    var logarithm: Double
    var error: Double
    /// The number of independent votes that agree, about.
    var strength: Double
  }

  func decide(_ channels: ExposureRatio.Channels) -> ExposureRatio {
    let ratio = decide(channels, Bounds(windows))
    guard channels != .common, ratio.red == ratio.green, ratio.source != .unknown,
      let line = ChannelLine(sample, green: ratio.green)
    else { return ratio }
    // Edges of the light on which all channels agree say that they share a ratio.
    guard channels == .independent || ratio.source != .ambientEdges && line.isClear else { return ratio }
    var balanced = ratio
    balanced.red = ratio.green * line.red.value
    balanced.blue = ratio.green * line.blue.value
    let error = max(line.red.error, line.blue.error)
    balanced.relativeUncertainty = (ratio.relativeUncertainty * ratio.relativeUncertainty + error * error).squareRoot()
    return balanced
  }

  private func decide(_ channels: ExposureRatio.Channels, _ bounds: Bounds) -> ExposureRatio {
    if channels != .common, prior == nil {
      let edges = ChannelCluster.edges(windows, vaguest: Self.vaguest)
      for cluster in [edges, ChannelCluster.flashFree(sample)].compactMap({ $0 })
      where cluster.isClear && (0..<3).allSatisfy({ bounds.violation(cluster.logarithms[$0], channel: $0) < 0.05 }) {
        return cluster.ratio
      }
    }
    let edges = peak(commonVotes(), bounds: bounds)
    let reached = flashFree(bounds)
    guard let bound = bounds.quantile(0.01) else {
      if let prior { return ratio(log(prior), priorUncertainty, .prior) }
      return ratio(0, 0.5, .unknown)
    }
    let colours = ColourAgreement(sample, bound: bound, execution: execution)
    var likelihood = RatioLikelihood(around: [bound, edges?.logarithm, reached?.logarithm, prior.map { log($0) }])
    let assumed = assumption(bound)
    // Student's distribution: an assumption has long tails, metadata less so. Equal exposure is a case of its own.
    let freedom = prior == nil ? 3.0 : 5.0
    likelihood.add {
      let broad = pow(1 + Self.square(($0 - assumed.logarithm) / assumed.error) / freedom, -(freedom + 1) / 2)
      return log(broad + (prior == nil && bound > 0 ? 3 * exp(-0.5 * Self.square($0 / 0.01)) : 0))
    }
    likelihood.add { max(-20, -bounds.violation($0, channel: nil) / 0.02) }
    let alone = likelihood.summary
    likelihood.add { colours[$0] }
    if let edges { likelihood.add { Self.step($0 - edges.logarithm, error: edges.error, doubt: 6) } }
    if let reached {
      likelihood.add {
        let distance = $0 - reached.logarithm
        return prior == nil
          ? Self.step(distance, error: reached.error, doubt: 4) : Self.reach(distance, error: reached.error)
      }
    }
    let found = likelihood.summary
    for (peak, source) in [(edges, ExposureRatio.Source.ambientEdges), (reached, .flashFree)] {
      if let peak, abs(found.logarithm - peak.logarithm) < 0.06 {
        return ratio(found.logarithm, max(found.error, 0.005), source)
      }
    }
    if let prior {
      return ratio(log(prior), max(priorUncertainty, min(log(prior) - bound, 1)), .prior)
    }
    return ratio(found.logarithm, found.error, found.error < 0.6 * alone.error ? .lightColours : .bound)
  }

  private func ratio(_ logarithm: Double, _ error: Double, _ source: ExposureRatio.Source) -> ExposureRatio {
    let value = exp(logarithm)
    return ExposureRatio(red: value, green: value, blue: value, relativeUncertainty: error, source: source)
  }

  /// The log-likelihood of a witness that errs upwards: where the flash reaches a little, or a surface's edge lies on
  /// a light's, a step is too high by some hundredths, hardly ever too low.
  private static func step(_ distance: Double, error: Double, doubt: Double) -> Double {
    let width = distance > 0 ? max(error, 0.004) : max(error, 0.025)
    return log(exp(-0.5 * square(distance / width)) + exp(-doubt))
  }

  /// The same for an area that the flash does not seem to reach, where metadata can contradict it: as likely as not it
  /// does, a little and evenly, as a wall in the distance. Then the ratio is lower by up to some tenths.
  private static func reach(_ distance: Double, error: Double) -> Double {
    let reached = distance > 0 ? 0 : 0.5 * exp(distance / 0.15)
    return log(exp(step(distance, error: error, doubt: 4)) + reached)
  }

  private static func square(_ value: Double) -> Double { value * value }

  /// What is assumed of the ratio without any witness.
  private func assumption(_ bound: Double) -> (logarithm: Double, error: Double) {
    if let prior { return (log(prior), priorUncertainty) }
    // Pairs are mostly taken with equal exposure; the bound speaks only where it contradicts that.
    guard bound < 0 else { return (0, min(0.25, max(0.05, bound))) }
    // No area without flash was found, so that some light was added even where the quotient is lowest: a fifth is
    // a guess in the middle of what is plausible; at the bound itself a channel would be missing from the flash.
    return (bound - 0.2, 0.2)
  }

  /// One vote a window, if the channels that see an edge see the same slope: where lights of two colours change a surface's edge, they do not.
  private func commonVotes() -> [Vote] {
    windows.compactMap { window in
      var (total, sum, count) = (0.0, 0.0, 0)
      for channel in 0..<3 {
        guard let vote = edgeVote(window, channel) else { continue }
        let weight = 1 / (vote.error * vote.error)
        total += weight
        sum += weight * vote.logarithm
        count += 1
      }
      guard count >= 2 else { return nil }
      let mean = sum / total
      let agrees = (0..<3).allSatisfy { channel in
        let (slope, error) = (Double(window.slope[channel]), Double(window.slopeError[channel]))
        guard error < Self.vaguest, slope > 0 else { return true }
        return abs(log(slope) - mean) < max(0.006, 3 * error)
      }
      return agrees ? Vote(logarithm: mean, error: max((1 / total).squareRoot(), 0.003)) : nil
    }
  }

  /// The largest relative error of a slope that votes.
  private static let vaguest = 0.04

  /// What a window whose slope is clearly below its quotient says: there the ambient light changes, not (only) the
  /// surface. Where both agree, the edge is the surface's own and says nothing.
  private func edgeVote(_ window: EdgeWindows.Window, _ channel: Int) -> Vote? {
    let slope = Double(window.slope[channel])
    let error = Double(window.slopeError[channel])
    let quotient = Double(window.quotient[channel])
    guard error < Self.vaguest, slope > 0, quotient > 0 else { return nil }
    let gap = log(quotient / slope)
    guard gap > max(0.05, 3 * error) else { return nil }
    return Vote(logarithm: log(slope), error: (error * error + 0.003 * 0.003).squareRoot())
  }

  /// The place where votes rise above what lies below them, weighed by the prior and by how many windows would have to
  /// hold negative flash light; nil if no place stands out. (Windows in which a surface's edge meets a light's edge
  /// vote too high, never too low: the ratio is a steep step, with a long slope above it.)
  private func peak(_ votes: [Vote], bounds: Bounds) -> Peak? {
    guard votes.count >= 8 else { return nil }
    let density = density(votes)
    var best = (score: 0.0, bin: 0)
    let reach = Int(0.1 / Self.step)
    for bin in reach..<Self.bins - reach where density[bin] > 0 {
      let logarithm = Double(bin) * Self.step - Self.range
      let below = Self.mean(density[bin - reach...bin - reach * 2 / 5])
      var score = density[bin] * density[bin] / (density[bin] + 3 * below) * priorWeight(logarithm)
      score *= exp(-bounds.violation(logarithm, channel: nil) / 0.02)
      if score > best.score { best = (score, bin) }
    }
    guard best.score > 0 else { return nil }
    let below = Self.mean(density[best.bin - reach...best.bin - reach * 2 / 5])
    let around = Self.mean(density[best.bin - reach...best.bin + reach])
    guard density[best.bin] > 3 * below, density[best.bin] > 1.4 * around else { return nil }
    return refine(votes, near: Double(best.bin) * Self.step - Self.range)
  }

  private static func mean(_ values: ArraySlice<Double>) -> Double {
    values.reduce(0, +) / Double(max(values.count, 1))
  }

  /// How many votes there are at each place. A vote's mass falls with its error: vague votes widen the floor, they do
  /// not make peaks.
  private func density(_ votes: [Vote]) -> [Double] {
    var density = [Double](repeating: 0, count: Self.bins)
    for vote in votes {
      let centre = (vote.logarithm + Self.range) / Self.step
      guard centre > 80, centre < Double(Self.bins - 80) else { continue }
      let width = max(vote.error, 0.006) / Self.step
      let reach = Int(3 * width) + 1
      let mass = 0.01 * 0.01 / (vote.error * vote.error + 0.01 * 0.01) / width
      for bin in max(0, Int(centre) - reach)...min(Self.bins - 1, Int(centre) + reach) {
        let distance = (Double(bin) - centre) / width
        density[bin] += mass * exp(-0.5 * distance * distance)
      }
    }
    return density
  }

  private func priorWeight(_ logarithm: Double) -> Double {
    guard let prior else { return 1 }
    let distance = (logarithm - log(prior)) / (2 * priorUncertainty)
    return abs(distance) > 3 ? 0 : exp(-0.5 * distance * distance)
  }

  private func refine(_ votes: [Vote], near start: Double) -> Peak? {
    var centre = start
    var (sum, weights, squares, count) = (0.0, 0.0, 0.0, 0.0)
    for _ in 0..<4 {
      (sum, weights, squares, count) = (0, 0, 0, 0)
      for vote in votes {
        let distance = vote.logarithm - centre
        let reach = 0.004 + vote.error
        guard abs(distance) < reach else { continue }
        let bell = 1 - (distance / reach) * (distance / reach)
        // More than the inverse variance: vague votes are often mixtures of a surface's and a light's edge.
        let precision = 1 / (vote.error * vote.error)
        let weight = bell * bell * precision * precision
        sum += weight * distance
        weights += weight
        squares += weight * distance * distance
        count += bell * bell
      }
      guard weights > 0 else { return nil }
      centre += sum / weights
    }
    // Neighbouring windows overlap: about four tell the same.
    let independent = count / 4
    guard independent >= 3 else { return nil }
    let scatter = (squares / weights).squareRoot()
    return Peak(logarithm: centre, error: max(0.0015, scatter / independent.squareRoot()), strength: independent)
  }

  /// The lower end of the quotients, if it is a sharp step on which all channels agree, and other parts of the
  /// picture are clearly brighter (a picture that the flash lights evenly has such a step, too).
  private func flashFree(_ bounds: Bounds) -> Peak? {
    let votes = windows.compactMap { window -> Vote? in
      let channels = (0..<3).filter { window.quotientError[$0] < 0.01 && window.quotient[$0] > 0 }
      guard channels.count >= 2 else { return nil }
      let logarithms = channels.map { log(Double(window.quotient[$0])) }
      let mean = logarithms.reduce(0, +) / Double(logarithms.count)
      guard logarithms.allSatisfy({ abs($0 - mean) < 0.012 }) else { return nil }
      let error = channels.map { Double(window.quotientError[$0]) }.max() ?? 0.01
      return Vote(logarithm: mean, error: (error * error + 0.003 * 0.003).squareRoot())
    }
    guard votes.count >= max(12, windows.count / 200), let peak = peak(votes, bounds: bounds)
    else { return nil }
    guard bounds.violation(peak.logarithm - 0.02, channel: nil) < 0.02 else { return nil }
    let brighter = bounds.share(above: peak.logarithm + 0.15)
    return brighter > 0.15 ? peak : nil
  }

  /// The sorted logarithms of the quotients: how many windows lie below a ratio.
  private struct Bounds {
    private var channels: [[Double]] = []
    private var lowest: [Double] = []

    init(_ windows: [EdgeWindows.Window]) {
      channels = (0..<3).map { channel in
        windows.filter { $0.quotientError[channel] < 0.02 && $0.quotient[channel] > 0 }
          .map { log(Double($0.quotient[channel])) }.sorted()
      }
      lowest = windows.compactMap { window in
        let known = (0..<3).filter { window.quotientError[$0] < 0.02 && window.quotient[$0] > 0 }
        return known.map { log(Double(window.quotient[$0])) }.min()
      }.sorted()
    }

    /// The share of windows whose flash light would be negative by more than 3 %.
    func violation(_ logarithm: Double, channel: Int?) -> Double {
      let values = channel.map { channels[$0] } ?? lowest
      guard !values.isEmpty else { return 0 }
      return Double(Self.count(values, below: logarithm - 0.03)) / Double(values.count)
    }

    func share(above logarithm: Double) -> Double {
      lowest.isEmpty ? 0 : 1 - Double(Self.count(lowest, below: logarithm)) / Double(lowest.count)
    }

    func quantile(_ share: Double) -> Double? {
      lowest.isEmpty ? nil : lowest[min(lowest.count - 1, Int(Double(lowest.count) * share))]
    }

    private static func count(_ sorted: [Double], below limit: Double) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < limit { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
