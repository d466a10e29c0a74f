import ColorScience
import Glibc

/// Reflectances that are on no chart, for judging a transform by what it was not made from.
enum OtherReflectances {
  /// Smooth steps and bands through the spectrum, on three levels of saturation: what pigments and dyes do.
  static let pigments: [Spectrum] = {
    func step(_ centre: Double, _ width: Double) -> Spectrum { Spectrum { 1 / (1 + exp((centre - $0) / width)) } }
    var all: [Spectrum] = []
    for (low, high) in [(0.04, 0.5), (0.06, 0.85), (0.15, 0.6)] {
      func add(_ shape: Spectrum) {
        let levels = (low, high)
        let values = zip(Spectrum.wavelengths, shape.values)
        for (from, to) in [levels, (levels.1, levels.0)] {
          if let spectrum = Spectrum(values.map { (wavelength: $0, value: from + (to - from) * $1) }) {
            all.append(spectrum)
          }
        }
      }
      for width in [12.0, 25] {
        for centre in stride(from: 430.0, through: 670, by: 30) { add(step(centre, width)) }
        for centre in stride(from: 420.0, through: 660, by: 40) {
          for breadth in [60.0, 110] {
            let fall = step(centre + breadth / 2, width)
            add(step(centre - breadth / 2, width) * Spectrum { 1 - fall.value(at: $0) })
          }
        }
      }
    }
    return all
  }()

  /// Skin from pale to dark, with little and much blood.
  static let skin: [Spectrum] = [0.005, 0.015, 0.03, 0.05, 0.08, 0.12].flatMap { melanin in
    [0.004, 0.01, 0.02, 0.04].map { SkinReflectance.spectrum(melanin: melanin, blood: $0) }
  }
}
