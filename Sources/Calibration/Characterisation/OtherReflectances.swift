import ColorScience
import Glibc

/// Reflectances that are on no chart, to fit and to judge a transform by.
enum OtherReflectances {
  /// A surface and its colour under D65.
  struct Surface {
    var reflectance: Spectrum
    var xyz: SIMD3<Double>

    init(_ reflectance: Spectrum) {
      self.reflectance = reflectance
      xyz = XYZ(reflectance: reflectance, under: .d65).vector
    }
  }

  /// The kinds of surfaces, with how much each counts in a fit beside the chart.
  ///
  /// - Parameter pigments: reflectances of coloured patches: real surfaces are often mixtures of pigments like theirs.
  static func sets(mixing pigments: [Spectrum]) -> [(share: Double, surfaces: [Surface])] {
    [
      (0.2, mixtures(of: pigments, strength: 0.5)), (0.2, mixtures(of: pigments, strength: 1)), (0.2, bands),
      (0.06, skin),
    ]
  }

  /// Each two pigments mixed or laid one on the other: absorption adds up, so reflectances multiply. With a strength
  /// of 0.5 the mixture is as strong as either, with 1 as both.
  static func mixtures(of pigments: [Spectrum], strength: Double) -> [Surface] {
    pigments.indices.flatMap { i in
      pigments[..<i].map { other in
        let product = pigments[i] * other
        // Two filters on white paper leave a bit less dark than the product of two opaque paints.
        let scale = strength < 1 ? 1 : 1.2 / max(pigments[i].values.max() ?? 1, other.values.max() ?? 1, 1e-3)
        let values = zip(Spectrum.wavelengths, product.values)
        return Surface(
          Spectrum(values.map { (wavelength: $0, value: min(scale * pow(max($1, 0), strength), 1)) }) ?? product)
      }
    }
  }

  /// Smooth steps and bands through the spectrum, on three levels of saturation: up to what dyes can do.
  static let bands: [Surface] = {
    func step(_ centre: Double, _ width: Double) -> Spectrum { Spectrum { 1 / (1 + exp((centre - $0) / width)) } }
    var shapes: [Spectrum] = []
    for width in [12.0, 25] {
      for centre in stride(from: 430.0, through: 670, by: 30) { shapes.append(step(centre, width)) }
      for centre in stride(from: 420.0, through: 660, by: 40) {
        for breadth in [60.0, 110] {
          let fall = step(centre + breadth / 2, width)
          shapes.append(step(centre - breadth / 2, width) * Spectrum { 1 - fall.value(at: $0) })
        }
      }
    }
    var surfaces: [Surface] = []
    for (low, high) in [(0.04, 0.5), (0.06, 0.85), (0.15, 0.6)] {
      for shape in shapes {
        surfaces.append(Surface(Spectrum { low + (high - low) * shape.value(at: $0) }))
        surfaces.append(Surface(Spectrum { high - (high - low) * shape.value(at: $0) }))
      }
    }
    return surfaces
  }()

  /// Skin from pale to dark, with little and much blood.
  static let skin: [Surface] = [0.005, 0.015, 0.03, 0.05, 0.08, 0.12].flatMap { melanin in
    [0.004, 0.01, 0.02, 0.04].map { Surface(SkinReflectance.spectrum(melanin: melanin, blood: $0)) }
  }
}
