import ColorScience
import Glibc

/// Reflectances of things that are on no chart.
public enum Pigments {
  /// A paint or cloth of chance: one or two smooth steps or bands over a base, as pigments have them.
  public static func random(_ generator: inout SplitMix) -> Spectrum {
    let base = 0.03 + 0.12 * generator.uniform()
    let height = 0.25 + 0.5 * generator.uniform()
    func band(_ generator: inout SplitMix) -> Spectrum {
      let width = 12 + 22 * generator.uniform()
      let low = 380 + 250 * generator.uniform()
      let high = low + 60 + 260 * generator.uniform()
      return Spectrum { 1 / (1 + exp((low - $0) / width)) / (1 + exp(($0 - high) / width)) }
    }
    let first = band(&generator)
    let second = band(&generator)
    let share = 0.7 * generator.uniform()
    return Spectrum { wavelength in
      let shape = (1 - share) * first.value(at: wavelength) + share * second.value(at: wavelength)
      return min(base + height * shape, 0.95)
    }
  }

  /// Grey card or paper: almost flat, with the little blue absorption of titanium white.
  public static func neutral(_ level: Double) -> Spectrum {
    Spectrum { level / (1 + exp((402 - $0) / 9)) }
  }

  /// Orange with a fluorescent dye: what it takes away below 560 nm it gives above, as total radiance factor.
  public static let glowing = Spectrum { $0 < 560 ? 0.06 : $0 < 640 ? 1.6 : 0.95 }

  /// The skins of ``skinNames``, from pale to dark, with less and more blood and oxygen: the model of ``SkinReflectance`` under a surface
  /// that reflects 2.8 % (Fresnel, refractive index 1.4), rough enough that it does so everywhere.
  public static let skin: [Spectrum] = (0..<14).map { index in
    let melanin = 0.012 * pow(0.2 / 0.012, Double(index) / 13)
    let blood = [0.03, 0.018, 0.045][index % 3]
    let oxygenation = [0.75, 0.85, 0.6][index / 2 % 3]
    let inner = SkinReflectance.spectrum(
      melanin: melanin, blood: blood, oxygenation: oxygenation, vesselRadius: 25)
    let surface = 0.028
    return Spectrum { surface + (1 - surface) * inner.value(at: $0) }
  }

  /// "skin01" ... "skin14".
  public static let skinNames = (1...14).map { $0 < 10 ? "skin0\($0)" : "skin\($0)" }
}
