/// A chromatic adaptation transform of the von Kries kind: the eye (or a white balance) scales three
/// cone-like responses until the old white looks like the new one.
public struct ChromaticAdaptation: Equatable, Hashable, Sendable {
  /// The name for people.
  public let name: String
  /// From XYZ to the responses that are scaled.
  public let conesFromXYZ: Matrix3

  /// A transform by its response matrix.
  public init(name: String, conesFromXYZ: Matrix3) {
    self.name = name
    self.conesFromXYZ = conesFromXYZ
  }

  /// Linear Bradford, as ICC profiles and DNG use it (Lam 1985; ICC.1:2022, annex E).
  public static let bradford = ChromaticAdaptation(
    name: "Bradford",
    conesFromXYZ: Matrix3(
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296)))

  /// CAT02, of CIECAM02 (CIE 159:2004), full adaptation.
  public static let cat02 = ChromaticAdaptation(
    name: "CAT02",
    conesFromXYZ: Matrix3(
      SIMD3(0.7328, 0.4296, -0.1624), SIMD3(-0.7036, 1.6975, 0.0061), SIMD3(0.0030, 0.0136, 0.9834)))

  /// CAT16, of CIECAM16 (Li et al. 2017; CIE 248:2022), full adaptation.
  public static let cat16 = ChromaticAdaptation(
    name: "CAT16",
    conesFromXYZ: Matrix3(
      SIMD3(0.401288, 0.650173, -0.051461), SIMD3(-0.250268, 1.204414, 0.045854),
      SIMD3(-0.002079, 0.048952, 0.953127)))

  /// Von Kries on the cone responses of Hunt, Pointer and Estévez, normalised to D65.
  public static let vonKries = ChromaticAdaptation(
    name: "von Kries",
    conesFromXYZ: Matrix3(
      SIMD3(0.40024, 0.70760, -0.08081), SIMD3(-0.22630, 1.16532, 0.04570), SIMD3(0, 0, 0.91822)))

  /// The matrix on XYZ that turns the white `source` into the white `destination`.
  ///
  /// Nil where `source` gives a response that is not above 0 (no light could be that white) or anything is not finite.
  public func matrix(from source: XYZ, to destination: XYZ = .d65) -> Matrix3? {
    guard let xyzFromCones = conesFromXYZ.inverse else { return nil }
    let old = conesFromXYZ * source.vector
    let new = conesFromXYZ * destination.vector
    guard old.x > 0, old.y > 0, old.z > 0 else { return nil }
    let matrix = xyzFromCones * Matrix3(diagonal: new / old) * conesFromXYZ
    return matrix.isFinite ? matrix : nil
  }
}
