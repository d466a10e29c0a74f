/// The CIE daylight locus: where the D illuminants lie.
public enum DaylightLocus {
  /// The correlated colour temperatures for which it is defined, in kelvin.
  public static let temperatures = 4000.0...25000.0

  /// The chromaticity of the D illuminant of a correlated colour temperature in kelvin (CIE 15:2018, 4.1.2,
  /// equations 4.8 to 4.10); nil outside 4000...25000 K. For D65 ask for 6500 · 1.4388 / 1.4380 K: the
  /// names of the D illuminants are older than today's constant of Planck's law.
  public static func chromaticity(at kelvin: Double) -> Chromaticity? {
    guard temperatures.contains(kelvin) else { return nil }
    let t = 1000 / kelvin
    let x =
      kelvin <= 7000
      ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
      : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
    return Chromaticity(x: x, y: (-3.000 * x + 2.870) * x - 0.275)
  }
}
