import ColorScience
import Glibc

/// A light of known spectrum.
public struct Illuminant: Equatable, Sendable {
  /// What it is called: "4500:green", "LED-B4".
  public var name: String
  /// Its power at 1 lux: the sum of the product with ȳ is 1.
  public let spectrum: Spectrum

  /// A light; nil where the spectrum has no luminance.
  public init?(_ name: String, _ spectrum: Spectrum) {
    let luminance = spectrum.dot(Self.luminosity)
    guard luminance > 0, luminance.isFinite, spectrum.values.allSatisfy({ $0 >= 0 }) else { return nil }
    self.name = name
    self.spectrum = Spectrum(zip(Spectrum.wavelengths, spectrum.values).map { ($0, $1 / luminance) }) ?? spectrum
  }

  /// Its chromaticity.
  public var chromaticity: Chromaticity? { XYZ(light: spectrum).chromaticity }

  private static let luminosity =
    Spectrum(
      zip(Spectrum.wavelengths, StandardObserver.colorMatchingFunctions.map(\.y)).map { ($0, $1) })
    ?? .perfectDiffuser
}

/// How far a light is from the white of a black body, across the Planckian locus.
public enum Tint: String, CaseIterable, Sendable {
  case planckian, green, magenta

  /// Duv, in CIE 1960 uv: ±0.015 is as far as lamps are that people still take for white (ANSI C78.377 allows 0.006).
  public var duv: Double {
    switch self {
    case .planckian: 0
    case .green: 0.015
    case .magenta: -0.015
    }
  }
}

extension Illuminant {
  /// A white of this correlated colour temperature (1000...25000 K) and tint; nil beyond, and where no light has such a colour.
  public static func white(kelvin: Double, tint: Tint = .planckian) -> Illuminant? {
    guard (1000...25000).contains(kelvin), let black = Spectrum.planckian(at: kelvin) else { return nil }
    let name = kelvin == kelvin.rounded() ? "\(Int(kelvin))" : "\(kelvin)"
    guard tint != .planckian else { return Illuminant("\(name):\(tint.rawValue)", black) }
    guard let target = CorrelatedColorTemperature(kelvin: kelvin, duv: tint.duv).chromaticity,
      let spectrum = filtered(black, to: target)
    else { return nil }
    return Illuminant("\(name):\(tint.rawValue)", spectrum)
  }

  /// A spectrum behind the smooth filter exp(a · band + b · slope) that gives it a chromaticity: a bell of 45 nm at 545 nm
  /// makes it greener, a slope warmer. Newton's method on CIE 1960 (u, v).
  private static func filtered(_ spectrum: Spectrum, to target: Chromaticity) -> Spectrum? {
    func filter(_ a: Double, _ b: Double) -> Spectrum {
      Spectrum { wavelength in
        let band = exp(-0.5 * (wavelength - 545) * (wavelength - 545) / (45 * 45))
        return exp(a * band + b * (wavelength - 560) / 100)
      }
    }
    func error(_ a: Double, _ b: Double) -> SIMD2<Double>? {
      XYZ(light: spectrum * filter(a, b)).chromaticity.map { SIMD2($0.uv.u - target.uv.u, $0.uv.v - target.uv.v) }
    }
    var (a, b) = (0.0, 0.0)
    for _ in 0..<40 {
      guard let now = error(a, b), let right = error(a + 1e-4, b), let up = error(a, b + 1e-4) else { return nil }
      if max(abs(now.x), abs(now.y)) < 1e-12 { return spectrum * filter(a, b) }
      let (da, db) = ((right - now) / 1e-4, (up - now) / 1e-4)
      let determinant = da.x * db.y - da.y * db.x
      guard abs(determinant) > 1e-12 else { return nil }
      a -= (now.x * db.y - now.y * db.x) / determinant
      b -= (da.x * now.y - da.y * now.x) / determinant
    }
    return error(a, b).map { max(abs($0.x), abs($0.y)) < 1e-9 } == true ? spectrum * filter(a, b) : nil
  }

  /// The lights that have names: CIE's, and "xenon", a flash tube, whose light is close to daylight of 5500 K.
  public static let named: [Illuminant] = {
    let formulas: [(String, Spectrum?)] = [
      // CIE 15:2018, 4.1.1: illuminant A is a black body of 2848 K by the constants of 1931.
      ("A", .planckian(at: 2848 * 1.4388 / 1.435)), ("D50", .d50), ("D55", .daylight(at: 5500 * 1.4388 / 1.4380)),
      ("D65", .d65), ("xenon", .daylight(at: 5500)),
    ]
    let tables = IlluminantData.values.map { data in
      (
        data.name,
        Spectrum(
          data.values.enumerated().map {
            (IlluminantData.firstWavelength + IlluminantData.step * Double($0), $1)
          }, beyond: .zero)
      )
    }
    return (formulas + tables).compactMap { name, spectrum in spectrum.flatMap { Illuminant(name, $0) } }
  }()

  /// The light of a name: one of ``named``, a temperature in kelvin ("4500", "4500K") or that with a tint
  /// ("4500:green"); nil where there is none.
  public init?(named name: String) {
    if let light = Self.named.first(where: { $0.name.lowercased() == name.lowercased() }) {
      self = light
      return
    }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let number = parts.first.map({ $0.hasSuffix("K") ? $0.dropLast() : $0 }),
      let kelvin = Double(number), let tint = parts.count == 1 ? .planckian : Tint(rawValue: String(parts[1])),
      let light = Self.white(kelvin: kelvin, tint: tint)
    else { return nil }
    self = light
  }
}
