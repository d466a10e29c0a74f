import Glibc

/// A root-polynomial colour correction: from camera RGB to XYZ by roots of products of the channels.
///
/// G. Finlayson, M. Mackiewicz, A. Hurlbert, "Color correction using root-polynomial regression", IEEE Trans. Image
/// Processing 24 (2015). Every term grows in proportion to the light, so that a colour keeps its chromaticity whatever
/// its exposure, which plain polynomials do not.
public struct RootPolynomial: Equatable, Sendable {
  /// How high the roots go.
  public enum Degree: Int, Sendable, CaseIterable {
    /// r, g, b alone: a 3×3 matrix.
    case linear = 1
    /// Square roots of products of two channels.
    case second = 2
    /// Cube roots of products of three as well.
    case third = 3

    /// The number of terms: 3, 6 or 13.
    public var termCount: Int { [3, 6, 13][rawValue - 1] }
  }

  /// See ``Degree``.
  public let degree: Degree
  /// XYZ for each term, in the order of ``terms(of:degree:)``.
  public let coefficients: [SIMD3<Double>]

  /// A correction by its coefficients; nil for a wrong number of them, or one that is not finite.
  public init?(degree: Degree, coefficients: [SIMD3<Double>]) {
    guard coefficients.count == degree.termCount, coefficients.allSatisfy({ $0.sum().isFinite }) else { return nil }
    self.degree = degree
    self.coefficients = coefficients
  }

  /// The terms of a colour: r, g, b; √rg, √gb, √rb; ∛rg², ∛gb², ∛rb², ∛gr², ∛bg², ∛br², ∛rgb. Negative channels
  /// count as 0 in the roots.
  public static func terms(of rgb: SIMD3<Double>, degree: Degree) -> [Double] {
    var terms = [rgb.x, rgb.y, rgb.z]
    let (r, g, b) = (max(rgb.x, 0), max(rgb.y, 0), max(rgb.z, 0))
    if degree != .linear { terms += [(r * g).squareRoot(), (g * b).squareRoot(), (r * b).squareRoot()] }
    if degree == .third {
      terms += [r * g * g, g * b * b, r * b * b, g * r * r, b * g * g, b * r * r, r * g * b].map(cbrt)
    }
    return terms
  }

  /// The XYZ of a colour.
  public func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    zip(Self.terms(of: rgb, degree: degree), coefficients).reduce(.zero) { $0 + $1.0 * $1.1 }
  }
}
