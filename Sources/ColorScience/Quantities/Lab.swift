import Glibc

/// A colour in CIELAB (CIE 15:2018, 8.2.1).
public struct Lab: Equatable, Hashable, Sendable {
  /// L*, a*, b*. L* is 0 for black and 100 for the white; negative for a negative luminance.
  public var vector: SIMD3<Double>

  /// A colour from L*, a*, b*.
  public init(_ lightness: Double, _ a: Double, _ b: Double) { vector = SIMD3(lightness, a, b) }

  /// The colour of tristimulus values seen under a white. The straight part of the curve goes on
  /// below 0, so that noise around black keeps its mean.
  public init(_ xyz: XYZ, white: XYZ = .d65) {
    let f = Self.compressed(xyz.vector / white.vector)
    vector = SIMD3(116 * f.y - 16, 500 * (f.x - f.y), 200 * (f.y - f.z))
  }

  /// L*, the lightness.
  public var lightness: Double { vector.x }
  /// a*, from green (negative) to red.
  public var a: Double { vector.y }
  /// b*, from blue (negative) to yellow.
  public var b: Double { vector.z }
  /// C*ab, the chroma.
  public var chroma: Double { hypot(a, b) }
  /// h_ab, the hue angle in degrees, 0..<360; 0 for a neutral.
  public var hue: Double { hueAngle(a, b) }

  /// The tristimulus values under a white.
  public func xyz(white: XYZ = .d65) -> XYZ {
    let y = (lightness + 16) / 116
    let f = SIMD3(y + a / 500, y, y - b / 200)
    return XYZ(white.vector * SIMD3(Self.expanded(f.x), Self.expanded(f.y), Self.expanded(f.z)))
  }

  /// The derivatives of (L*, a*, b*), row by row, by (X, Y, Z): how noise and errors become errors in CIELAB.
  public static func jacobian(at xyz: XYZ, white: XYZ = .d65) -> Matrix3 {
    let t = xyz.vector / white.vector
    let slope = SIMD3(Self.slope(t.x), Self.slope(t.y), Self.slope(t.z)) / white.vector
    return Matrix3(
      SIMD3(0, 116 * slope.y, 0), SIMD3(500 * slope.x, -500 * slope.y, 0),
      SIMD3(0, 200 * slope.y, -200 * slope.z))
  }

  // CIE 15:2018 with its exact fractions: the curve is a line below (6/29)³.
  private static let knee = 216.0 / 24389
  private static let lineSlope = 841.0 / 108

  private static func compressed(_ t: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(compressed(t.x), compressed(t.y), compressed(t.z))
  }

  private static func compressed(_ t: Double) -> Double { t > knee ? cbrt(t) : lineSlope * t + 4.0 / 29 }

  private static func expanded(_ f: Double) -> Double {
    f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) / lineSlope
  }

  private static func slope(_ t: Double) -> Double {
    guard t > knee else { return lineSlope }
    let root = cbrt(t)
    return 1 / (3 * root * root)
  }
}

/// The angle of (a, b) in degrees, 0..<360; 0 at the origin.
func hueAngle(_ a: Double, _ b: Double) -> Double {
  let degrees = atan2(b, a) * 180 / .pi
  // -0.0 as b gives a negative zero or 180°, both of which are meant to be plain.
  guard a != 0 || b != 0 else { return 0 }
  return degrees < 0 ? degrees + 360 : degrees
}
