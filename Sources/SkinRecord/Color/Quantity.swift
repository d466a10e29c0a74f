import ColorScience
import Glibc

/// What is reported of the colour of a skin region.
public enum Quantity: String, CaseIterable, Sendable {
  /// CIELAB (D65, 2°).
  case lightness, a, b
  /// h_ab = atan2(b*, a*), in degrees. Does not depend on brightness.
  case hue
  /// The individual typology angle ITA° = atan((L* − 50) / b*) · 180 / π, in degrees (A. Chardon, I. Cretois, C. Hourseau, "Skin
  /// colour typology and suntanning pathways", Int. J. Cosmet. Sci. 13, 1991). Needs L*.
  case ita
  /// 100 · log₁₀(R / G) of linear sRGB under D65: the erythema index of red and green reflectance (B. L. Diffey, R. J. Oliver,
  /// P. M. Farr, "A portable instrument for quantifying erythema induced by ultraviolet radiation", Br. J. Dermatol. 111, 1984; reviewed
  /// by H. Takiwaki, J. Med. Invest. 44, 1998; the idea of differences of absorbance is J. B. Dawson et al.'s, Phys. Med. Biol. 25, 1980).
  ///
  /// Computed from colour, **not** from narrow-band reflectance: comparable within this project, not with an instrument's numbers.
  /// Does not depend on brightness.
  case erythema

  /// The sign, for people.
  public var symbol: String {
    switch self {
    case .lightness: "L*"
    case .a: "a*"
    case .b: "b*"
    case .hue: "hue"
    case .ita: "ITA"
    case .erythema: "erythema"
    }
  }

  /// The name, for people.
  public var title: String {
    switch self {
    case .lightness: "Lightness L*"
    case .a: "a* (green to red)"
    case .b: "b* (blue to yellow)"
    case .hue: "Hue angle"
    case .ita: "Individual typology angle ITA"
    case .erythema: "Erythema index 100 log10(R/G), from colour"
    }
  }

  /// "°", or nothing.
  public var unit: String { self == .hue || self == .ita ? "°" : "" }

  /// Whether it means nothing without a known L*.
  public var needsLightness: Bool { self == .lightness || self == .ita }

  /// The value for a colour; nil where the colour has none.
  public func value(of lab: Lab) -> Double? {
    let value: Double? =
      switch self {
      case .lightness: lab.lightness
      case .a: lab.a
      case .b: lab.b
      case .hue: lab.chroma > 0 ? lab.hue : nil
      case .ita: lab.b > 0 ? atan2(lab.lightness - 50, lab.b) * 180 / .pi : nil
      case .erythema: Self.erythemaIndex(lab)
      }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func erythemaIndex(_ lab: Lab) -> Double? {
    let rgb = RGBSpace.sRGB.fromXYZ * lab.xyz().vector
    return rgb.x > 0 && rgb.y > 0 ? 100 * log10(rgb.x / rgb.y) : nil
  }

  /// A difference of two values; of hues, the shorter way round.
  public func difference(_ value: Double, _ other: Double) -> Double {
    let difference = value - other
    guard self == .hue else { return difference }
    return difference - 360 * (difference / 360).rounded()
  }

  /// The standard uncertainty that a colour's covariance gives it; nil where it has no value nearby.
  public func uncertainty(of lab: Lab, _ covariance: Matrix3) -> Double? {
    var gradient = SIMD3<Double>.zero
    let step = 0.05
    for axis in 0..<3 {
      var shift = SIMD3<Double>.zero
      shift[axis] = step
      func moved(_ sign: Double) -> Lab {
        let vector = lab.vector + sign * shift
        return Lab(vector.x, vector.y, vector.z)
      }
      guard let up = value(of: moved(1)), let down = value(of: moved(-1)) else { return nil }
      gradient[axis] = difference(up, down) / (2 * step)
    }
    let variance = (gradient * (covariance * gradient)).sum()
    return variance.isFinite ? max(variance, 0).squareRoot() : nil
  }
}

/// One number about a region, and how well it is known.
public struct Measurement: Equatable, Sendable {
  /// Which.
  public var quantity: Quantity
  /// The number; nil where there is none, see ``reason``.
  public var value: Double?
  /// The standard uncertainty (k = 1) of what differs from capture to capture: noise, texture, the exposure ratio, brightness.
  public var capture: Double?
  /// The standard uncertainty (k = 1) of what all captures of a series share: the calibration, and what the confidence knows
  /// beyond noise.
  public var common: Double?
  /// Why there is no number.
  public var reason: String?

  /// A measurement from its parts.
  public init(_ quantity: Quantity, value: Double?, capture: Double?, common: Double?, reason: String?) {
    self.quantity = quantity
    (self.value, self.capture, self.common, self.reason) = (value, capture, common, reason)
  }
}
