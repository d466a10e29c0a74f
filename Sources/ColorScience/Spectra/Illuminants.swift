import Glibc

extension Spectrum {
  /// A black body (Planck's law, c₂ = 0.014388 m·K), 1 at 560 nm; nil for a temperature that is not above 0.
  public static func planckian(at kelvin: Double) -> Spectrum? {
    guard kelvin > 0, kelvin.isFinite else { return nil }
    // c₂ in nm·K, as wavelengths here are in nanometres.
    func power(_ wavelength: Double) -> Double { pow(560 / wavelength, 5) / expm1(1.4388e7 / (wavelength * kelvin)) }
    let reference = power(560)
    guard reference > 0 else { return nil }
    return Spectrum { power($0) / reference }
  }

  /// Daylight of a correlated colour temperature in kelvin (CIE 15:2018, 4.1.2), 100 at 560 nm; nil outside
  /// 4000...25000 K. For D65 there is ``d65``.
  public static func daylight(at kelvin: Double) -> Spectrum? {
    guard let white = DaylightLocus.chromaticity(at: kelvin) else { return nil }
    let divisor = 0.0241 + 0.2562 * white.x - 0.7341 * white.y
    // Rounded as the standard does (note to 4.1.2), which makes its tables.
    func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    let first = rounded((-1.3515 - 1.7703 * white.x + 5.9114 * white.y) / divisor)
    let second = rounded((0.0300 - 31.4424 * white.x + 30.0717 * white.y) / divisor)
    let samples = DaylightComponents.values.enumerated().map { index, s in
      (
        wavelength: DaylightComponents.firstWavelength + DaylightComponents.step * Double(index),
        value: s.0 + first * s.1 + second * s.2
      )
    }
    return Spectrum(samples)
  }

  /// CIE standard illuminant D65.
  public static let d65 = daylight(at: 6500 * 1.4388 / 1.4380) ?? .perfectDiffuser
  /// CIE illuminant D50.
  public static let d50 = daylight(at: 5000 * 1.4388 / 1.4380) ?? .perfectDiffuser
}
