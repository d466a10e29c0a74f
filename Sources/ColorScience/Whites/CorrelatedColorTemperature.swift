import Glibc

/// A white told in a photographer's words: how warm it is, and how green or magenta.
///
/// Definitions of Y. Ohno, "Practical use and calculation of CCT and Duv", LEUKOS 10 (2014). The nearest
/// point of the locus is solved for instead of looked up in his tables, so that there and back is exact.
public struct CorrelatedColorTemperature: Equatable, Hashable, Sendable {
  /// The temperature, in kelvin, of the black body whose chromaticity is nearest in CIE 1960 (u, v).
  public var kelvin: Double
  /// The distance from that black body in CIE 1960 (u, v): above 0 on the green side of the locus,
  /// below 0 on the magenta side.
  public var duv: Double

  /// A temperature in kelvin and a distance from the locus.
  public init(kelvin: Double, duv: Double = 0) {
    self.kelvin = kelvin
    self.duv = duv
  }

  /// The largest |Duv| at which a correlated colour temperature still means something (CIE 15:2018, 9.4).
  public static let largestDuv = 0.05

  /// The temperature and Duv of a chromaticity; nil where they mean nothing: further than ``largestDuv``
  /// from the locus, colder than 1000 K, hotter than 100000 K, or not finite.
  public init?(_ chromaticity: Chromaticity) {
    let (u, v) = chromaticity.uv
    guard u.isFinite, v.isFinite else { return nil }
    var nearest = 0
    var smallest = Double.infinity
    for (index, point) in Self.table.enumerated() {
      let distance = hypot(u - point.u, v - point.v)
      if distance < smallest { (nearest, smallest) = (index, distance) }
    }
    guard smallest <= 2 * Self.largestDuv else { return nil }

    // The nearest point is where the way to the locus meets it at a right angle.
    func along(_ mired: Double) -> Double {
      let point = PlanckianLocus.point(at: mired)
      return (u - point.u) * point.du + (v - point.v) * point.dv
    }
    var low = Self.mired(max(nearest - 1, 0))
    var high = Self.mired(min(nearest + 1, Self.table.count - 1))
    // At an end of the locus the foot of the perpendicular may lie beyond it: no temperature then.
    guard along(low) >= 0, along(high) <= 0 else { return nil }
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if along(middle) > 0 { low = middle } else { high = middle }
    }
    let mired = (low + high) / 2
    let foot = PlanckianLocus.point(at: mired)
    let distance = hypot(u - foot.u, v - foot.v)
    guard distance <= Self.largestDuv else { return nil }
    // Mired run towards red (+u); green lies to the left of that direction.
    let side = foot.du * (v - foot.v) - foot.dv * (u - foot.u)
    self.init(kelvin: 1e6 / mired, duv: side < 0 ? -distance : distance)
  }

  /// The chromaticity; nil where the temperature is outside 1000...100000 K or Duv is not finite.
  public var chromaticity: Chromaticity? {
    guard PlanckianLocus.temperatures.contains(kelvin), duv.isFinite else { return nil }
    let foot = PlanckianLocus.point(at: 1e6 / kelvin)
    let speed = hypot(foot.du, foot.dv)
    return Chromaticity(u: foot.u - duv * foot.dv / speed, v: foot.v + duv * foot.du / speed)
  }

  /// Places on the locus every 10 mired, to start the search from.
  private static let table = (0...99).map { PlanckianLocus.point(at: mired($0)) }

  private static func mired(_ index: Int) -> Double { 10 + 10 * Double(index) }
}
