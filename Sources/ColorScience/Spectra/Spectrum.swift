/// A spectral distribution: the power of a light, the reflectance of a surface, or the sensitivity of a sensor.
///
/// All spectra have one grid, that of ``StandardObserver``: 360, 365 ... 830 nm. So they can be multiplied and summed
/// without asking what they are.
public struct Spectrum: Equatable, Hashable, Sendable {
  /// One value for each wavelength of ``wavelengths``.
  public private(set) var values: [Double]

  /// 360, 365 ... 830 nm.
  public static let wavelengths = StandardObserver.colorMatchingFunctions.indices.map {
    StandardObserver.firstWavelength + StandardObserver.step * Double($0)
  }

  /// A spectrum by its value at each wavelength in nanometres.
  public init(_ value: (_ wavelength: Double) -> Double) { values = Self.wavelengths.map(value) }

  /// The value at a wavelength of the grid, or the one of the nearest.
  public func value(at wavelength: Double) -> Double {
    let place = ((wavelength - StandardObserver.firstWavelength) / StandardObserver.step).rounded()
    guard place.isFinite else { return 0 }
    return values[Int(min(max(place, 0), Double(values.count - 1)))]
  }

  /// The perfect diffuser: reflects everything.
  public static let perfectDiffuser = Spectrum { _ in 1 }

  /// What a spectrum is beyond the wavelengths at which it was measured.
  public enum Extrapolation: Sendable {
    /// The last value goes on, as CIE 15:2018 (7.2.2.1) advises for reflectances.
    case constant
    /// Nothing, as for sensitivities.
    case zero
  }

  /// A spectrum from values at equal steps of wavelength, interpolated by Sprague's fifth-order polynomial
  /// (CIE 167:2005; H. Kang, "Computational Color Technology", 2006, equation 9.10).
  ///
  /// Nil unless there are at least six finite values and the step is above 0.
  ///
  /// - Parameters:
  ///   - firstWavelength: of the first value, in nanometres.
  ///   - step: in nanometres.
  public init?(firstWavelength: Double, step: Double, _ samples: [Double], beyond: Extrapolation = .constant) {
    guard samples.count >= 6, step > 0, step.isFinite, firstWavelength.isFinite, samples.allSatisfy(\.isFinite) else {
      return nil
    }
    let sprague = SpragueInterpolation(samples)
    self.init { wavelength in
      let place = (wavelength - firstWavelength) / step
      guard place < 0 || place > Double(samples.count - 1) else { return sprague[place] }
      return beyond == .zero ? 0 : place < 0 ? samples[0] : samples[samples.count - 1]
    }
  }

  /// A spectrum from values at any rising wavelengths, joined by straight lines; nil where there are fewer than two,
  /// wavelengths do not rise, or a number is not finite.
  public init?(_ samples: [(wavelength: Double, value: Double)], beyond: Extrapolation = .constant) {
    guard let first = samples.first, let last = samples.last, samples.count >= 2 else { return nil }
    guard samples.allSatisfy({ $0.wavelength.isFinite && $0.value.isFinite }),
      zip(samples, samples.dropFirst()).allSatisfy({ $0.wavelength < $1.wavelength })
    else { return nil }
    var next = 1
    self.init { wavelength in
      guard wavelength > first.wavelength else {
        return wavelength == first.wavelength || beyond == .constant ? first.value : 0
      }
      guard wavelength < last.wavelength else {
        return wavelength == last.wavelength || beyond == .constant ? last.value : 0
      }
      while samples[next].wavelength < wavelength { next += 1 }
      let (low, high) = (samples[next - 1], samples[next])
      let share = (wavelength - low.wavelength) / (high.wavelength - low.wavelength)
      return low.value + share * (high.value - low.value)
    }
  }

  /// The product, wavelength by wavelength: a light on a surface, or a sensor behind a filter.
  public static func * (left: Spectrum, right: Spectrum) -> Spectrum {
    var product = left
    for (index, value) in right.values.enumerated() { product.values[index] *= value }
    return product
  }

  /// The sum over all wavelengths of the product: what a sensor of this sensitivity receives.
  public func dot(_ other: Spectrum) -> Double { zip(values, other.values).reduce(0) { $0 + $1.0 * $1.1 } }
}

extension XYZ {
  /// The tristimulus values of a surface under an illuminant, relative to the perfect diffuser (Y = 1), summed over
  /// 360...830 nm in steps of 5 nm (CIE 15:2018, 7.1 and 7.2). Zero where the illuminant has no luminance.
  public init(reflectance: Spectrum, under illuminant: Spectrum) {
    var sum = SIMD3<Double>.zero
    var white = 0.0
    for (index, matching) in StandardObserver.colorMatchingFunctions.enumerated() {
      sum += illuminant.values[index] * reflectance.values[index] * matching
      white += illuminant.values[index] * matching.y
    }
    self.init(white > 0 ? sum / white : .zero)
  }

  /// The tristimulus values of a light, scaled to Y = 1; zero where it has no luminance.
  public init(light: Spectrum) { self.init(reflectance: .perfectDiffuser, under: light) }
}

/// Sprague's interpolation: through six neighbours goes a polynomial of fifth order whose first and second derivatives
/// are those of the neighbouring pieces. Two values beyond each end come from the first and last six.
struct SpragueInterpolation {
  private let padded: [Double]

  init(_ samples: [Double]) {
    func beyond(_ six: [Double], _ weights: [Double]) -> Double {
      zip(six, weights).reduce(0) { $0 + $1.0 * $1.1 } / 209
    }
    let near = [508.0, -540, 488, -367, 144, -24]
    let far = [884.0, -1960, 3033, -2648, 1080, -180]
    let (first, last) = (Array(samples.prefix(6)), Array(samples.suffix(6).reversed()))
    padded = [beyond(first, far), beyond(first, near)] + samples + [beyond(last, near), beyond(last, far)]
  }

  /// The value at a place between 0 and the index of the last sample.
  subscript(_ place: Double) -> Double {
    let index = min(max(Int(place), 0), padded.count - 6)
    let x = place - Double(index)
    let p = padded[index..<(index + 6)].map { $0 }
    let c1 = (2 * p[0] - 16 * p[1] + 16 * p[3] - 2 * p[4]) / 24
    let c2 = (-p[0] + 16 * p[1] - 30 * p[2] + 16 * p[3] - p[4]) / 24
    let c3 = (-9 * p[0] + 39 * p[1] - 70 * p[2] + 66 * p[3] - 33 * p[4] + 7 * p[5]) / 24
    let c4 = (13 * p[0] - 64 * p[1] + 126 * p[2] - 124 * p[3] + 61 * p[4] - 12 * p[5]) / 24
    let c5 = (-5 * p[0] + 25 * p[1] - 50 * p[2] + 50 * p[3] - 25 * p[4] + 5 * p[5]) / 24
    return p[2] + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))))
  }
}
