import ColorScience
import Glibc

/// Which whites flashes have, before any picture was seen.
///
/// Most are daylight: xenon tubes are made for 5500 to 6000 K, white LEDs of phones are chosen between about 4500 and
/// 6500 K, and vary by bin, age and temperature. Some are warm (the second LED of phones, video lights, gelled flashes): a
/// small part of the probability lies wide, so that a clear picture can overrule what is usual.
public struct FlashWhitePrior: Equatable, Sendable {
  /// The usual reciprocal temperature in mired (10⁶/K), and its standard deviation.
  public var mired, miredDeviation: Double
  /// The usual distance from the daylight locus in CIE 1960 uv (above 0 is green), and its standard deviation.
  public var duv, duvDeviation: Double

  /// What is usual: 5400 K ± 22 mired (4800 to 6130 K), as green as daylight or a bit more, with the scatter of
  /// LED bins (ANSI C78.377: ± 0.006).
  public static let usual = FlashWhitePrior(mired: 185, miredDeviation: 22, duv: 0.001, duvDeviation: 0.005)

  /// How a flash's white may appear in a picture that the camera balanced for the mixture of its light and the room's: near
  /// white, and rather along the daylight locus than beside it.
  public static let balanced = FlashWhitePrior(mired: 154, miredDeviation: 60, duv: 0, duvDeviation: 0.012)

  /// A prior from its parts.
  public init(mired: Double, miredDeviation: Double, duv: Double, duvDeviation: Double) {
    self.mired = mired
    self.miredDeviation = miredDeviation
    self.duv = duv
    self.duvDeviation = duvDeviation
  }

  /// A white that a flash could have.
  struct Candidate {
    var white: Chromaticity
    var mired: Double
    var logProbability: Double
  }

  /// Whites on an even net around the daylight locus: 130 to 402 mired (2490 K) and ± 0.012, further where the prior is wide.
  var candidates: [Candidate] {
    var candidates: [Candidate] = []
    // Daylight's locus ends at 40 mired (25 000 K).
    let first = min(max(mired - 3 * miredDeviation, 42), 130)
    let sides = max(4, Int(min(2 * duvDeviation, 0.03) / 0.003))
    for mired in stride(from: first, through: 402, by: 4) {
      guard let foot = Self.daylight(1e6 / mired), let next = Self.daylight(1e6 / (mired + 1)) else { continue }
      let along = (u: next.uv.u - foot.uv.u, v: next.uv.v - foot.uv.v)
      let length = hypot(along.u, along.v)
      for side in -sides...sides {
        let duv = 0.003 * Double(side)
        // Mired run towards red; green lies to the left of that direction.
        let white = Chromaticity(u: foot.uv.u - duv * along.v / length, v: foot.uv.v + duv * along.u / length)
        candidates.append(Candidate(white: white, mired: mired, logProbability: log(probability(mired, duv))))
      }
    }
    return candidates
  }

  /// Up to a factor.
  private func probability(_ mired: Double, _ duv: Double) -> Double {
    func bell(_ value: Double, _ center: Double, _ deviation: Double) -> Double {
      let z = (value - center) / max(deviation, 1e-6)
      return exp(-0.5 * z * z)
    }
    let usual = bell(mired, self.mired, miredDeviation) * bell(duv, self.duv, duvDeviation)
    return usual + 0.05 * bell(mired, 200, 50) * bell(duv, 0, 0.008)
  }

  /// Where the daylight locus ends, as black bodies would have it.
  private static let end = DaylightLocus.chromaticity(at: 4000).flatMap { CorrelatedColorTemperature($0) }

  /// The daylight locus; below its end at 4000 K it goes on beside the black bodies, in the distance it ends with.
  private static func daylight(_ kelvin: Double) -> Chromaticity? {
    if let white = DaylightLocus.chromaticity(at: kelvin) { return white }
    guard let end else { return nil }
    return CorrelatedColorTemperature(kelvin: kelvin * end.kelvin / 4000, duv: end.duv).chromaticity
  }
}
