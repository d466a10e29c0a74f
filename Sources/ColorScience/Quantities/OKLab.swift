import Glibc

/// A colour in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020): L 0...1, hue
/// lines straighter than those of CIELAB, above all in the blues.
public struct OKLab: Equatable, Hashable, Sendable {
  /// L, a, b.
  public var vector: SIMD3<Double>

  /// A colour from L, a, b.
  public init(_ lightness: Double, _ a: Double, _ b: Double) { vector = SIMD3(lightness, a, b) }

  /// The colour of tristimulus values under D65.
  public init(_ xyz: XYZ) {
    let cones = Self.conesFromXYZ * xyz.vector
    vector = Self.labFromRoots * SIMD3(cbrt(cones.x), cbrt(cones.y), cbrt(cones.z))
  }

  /// L, the lightness: 0 for black, 1 for the D65 white.
  public var lightness: Double { vector.x }
  /// a, from green (negative) to red.
  public var a: Double { vector.y }
  /// b, from blue (negative) to yellow.
  public var b: Double { vector.z }
  /// The chroma.
  public var chroma: Double { hypot(a, b) }
  /// The hue angle in degrees, 0..<360; 0 for a neutral.
  public var hue: Double { hueAngle(a, b) }

  /// The tristimulus values under D65.
  public var xyz: XYZ {
    let roots = Self.rootsFromLab * vector
    return XYZ(Self.xyzFromCones * (roots * roots * roots))
  }

  /// Cone responses of tristimulus values under D65, balanced so that the D65 white gives (1, 1, 1).
  ///
  /// Ottosson's M1 has a few digits; without the balance a neutral would carry a chroma of 10⁻⁴.
  public static let conesFromXYZ: Matrix3 = {
    let published = Matrix3(
      SIMD3(0.8189330101, 0.3618667424, -0.1288597137),
      SIMD3(0.0329845436, 0.9293118715, 0.0361456387),
      SIMD3(0.0482003018, 0.2643662691, 0.6338517070))
    return Matrix3(diagonal: 1 / (published * XYZ.d65.vector)) * published
  }()

  /// Ottosson's M2, from cube roots of cone responses to (L, a, b), with the sums of its rows made
  /// exactly 1, 0, 0 so that equal cone responses are exactly neutral.
  public static let labFromRoots: Matrix3 = {
    let published = Matrix3(
      SIMD3(0.2104542553, 0.7936177850, -0.0040720468),
      SIMD3(1.9779984951, -2.4285922050, 0.4505937099),
      SIMD3(0.0259040371, 0.7827717662, -0.8086757660))
    let (l, a, b) = published.rows
    return Matrix3(l / l.sum(), a - a.sum() / 3, b - b.sum() / 3)
  }()

  /// The inverse of ``conesFromXYZ``.
  public static let xyzFromCones = conesFromXYZ.inverse ?? .identity
  /// The inverse of ``labFromRoots``.
  public static let rootsFromLab = labFromRoots.inverse ?? .identity
}
