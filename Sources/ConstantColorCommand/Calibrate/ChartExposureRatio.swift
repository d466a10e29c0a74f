import Calibration
import Glibc

/// The exposure ratio of a chart's two frames, where the files do not say.
///
/// The chart is known, so that it tells: with the right ratio the flash's light alone fits it best. Too large a ratio
/// takes away light of the ambient's colour that was not there, too small a one leaves some, and no camera has such
/// sensitivities. Lights of one colour fit with any ratio; then it does not matter for colours.
enum ChartExposureRatio {
  /// The ratio that fits best, up to 1.25 times the `guess`, which stands where it fits nearly as well; nil where none
  /// fits.
  static func estimate(_ chart: MeasuredChart, reference: ChartReference, guess: Double) -> Double? {
    func error(_ logarithm: Double) -> Double {
      let patches = chart.usable(withRatio: exp(logarithm))
      guard let fit = try? Characterisation(patches, reference: reference) else { return .infinity }
      // Noise hides in patches that are left out.
      return fit.chosen.leaveOneOut.mean + 0.2 * Double(chart.usable.count - fit.used.count)
    }
    guard guess > 0, guess.isFinite else { return nil }
    let most = log(1.25 * guess)
    // Pictures alone err by a factor of a few, not of ten.
    let places = (0...7).map { most - 0.3 * Double($0) }
    let errors = places.map(error)
    guard let best = errors.indices.min(by: { errors[$0] < errors[$1] }), errors[best].isFinite else { return nil }
    // Another light may happen to suit the camera better: what the pictures say stands unless it is clearly wrong, and
    // unless less ambient light taken away is better without end.
    guard error(log(guess)) > 2 * errors[best], best < places.count - 1 else { return guess }
    // Golden section between the neighbours.
    let golden = 0.618_033_988_75
    var (low, high) = (places[best] - 0.3, places[best] + 0.3)
    var (left, right) = (high - golden * (high - low), low + golden * (high - low))
    var (leftError, rightError) = (error(left), error(right))
    for _ in 0..<9 {
      if leftError < rightError {
        (high, right, rightError) = (right, left, leftError)
        left = high - golden * (high - low)
        leftError = error(left)
      } else {
        (low, left, leftError) = (left, right, rightError)
        right = low + golden * (high - low)
        rightError = error(right)
      }
    }
    return exp((low + high) / 2)
  }
}
