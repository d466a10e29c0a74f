/// An RGB colour space: primaries, white and curve.
public struct RGBSpace: Equatable, Hashable, Sendable {
  /// The name on the command line and in properties, as `srgb`.
  public let identifier: String
  /// The name for people and profiles.
  public let name: String
  /// The chromaticities of the primaries.
  public let red, green, blue: Chromaticity
  /// The chromaticity of R = G = B.
  public let white: Chromaticity
  /// The curve between linear light and the numbers of a file.
  public let transferFunction: TransferFunction
  /// From linear RGB to XYZ; R = G = B = 1 gives the white with Y = 1.
  public let toXYZ: Matrix3
  /// From XYZ to linear RGB.
  public let fromXYZ: Matrix3

  /// A space by its chromaticities; nil where the primaries lie on one line, or the white has y = 0, or
  /// anything is not finite.
  public init?(
    identifier: String, name: String, red: Chromaticity, green: Chromaticity, blue: Chromaticity,
    white: Chromaticity, transferFunction: TransferFunction = .linear
  ) {
    guard let matrices = Self.matrices(red: red, green: green, blue: blue, white: white) else { return nil }
    self.init(identifier, name, red, green, blue, white, transferFunction, matrices)
  }

  private init(
    _ identifier: String, _ name: String, _ red: Chromaticity, _ green: Chromaticity, _ blue: Chromaticity,
    _ white: Chromaticity, _ transferFunction: TransferFunction, _ matrices: (toXYZ: Matrix3, fromXYZ: Matrix3)
  ) {
    self.identifier = identifier
    self.name = name
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    self.transferFunction = transferFunction
    toXYZ = matrices.toXYZ
    fromXYZ = matrices.fromXYZ
  }

  /// SMPTE RP 177: the primaries, each as strong as it takes for their sum to be the white.
  private static func matrices(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity
  ) -> (toXYZ: Matrix3, fromXYZ: Matrix3)? {
    func direction(_ point: Chromaticity) -> SIMD3<Double> { SIMD3(point.x, point.y, 1 - point.x - point.y) }
    let primaries = Matrix3(direction(red), direction(green), direction(blue)).transpose
    guard white.y != 0, let inverse = primaries.inverse else { return nil }
    let toXYZ = primaries * Matrix3(diagonal: inverse * XYZ(white).vector)
    return toXYZ.inverse.map { (toXYZ, $0) }
  }

  /// From linear RGB of this space to linear RGB of another. Where the whites differ the colours are
  /// adapted (as ICC profiles do, with Bradford), so that neutrals stay neutral. Nil where a white cannot be adapted.
  public func matrix(to other: RGBSpace, by adaptation: ChromaticAdaptation = .bradford) -> Matrix3? {
    if (red, green, blue) == (other.red, other.green, other.blue), white == other.white { return .identity }
    let adapted = white == other.white ? .identity : adaptation.matrix(from: XYZ(white), to: XYZ(other.white))
    return adapted.map { other.fromXYZ * $0 * toXYZ }.flatMap { matrix in
      // A primary that both spaces share has zeros; rounding must not make it leave the gamut.
      Matrix3(rowMajor: matrix.rowMajor.map { abs($0) < 1e-14 ? 0 : $0 })
    }
  }
}

extension RGBSpace: CustomStringConvertible {
  /// The name for people.
  public var description: String { name }
}

/// The spaces that pictures are delivered in.
extension RGBSpace {
  /// sRGB (IEC 61966-2-1).
  public static let sRGB = standard("srgb", "sRGB", primaries709, .d65, .sRGB)
  /// The primaries of sRGB without a curve.
  public static let linearSRGB = standard("linear-srgb", "Linear sRGB", primaries709, .d65, .linear)
  /// Display P3: the primaries of SMPTE RP 431-2, the white and the curve of sRGB.
  public static let displayP3 = standard(
    "p3", "Display P3", [0.680, 0.320, 0.265, 0.690, 0.150, 0.060], .d65, .sRGB)
  /// ITU-R BT.2020, with its own curve (not the sRGB curve that some libraries give it).
  public static let rec2020 = standard(
    "rec2020", "Rec. 2020", [0.708, 0.292, 0.170, 0.797, 0.131, 0.046], .d65, .bt2020)
  /// ProPhoto, also called ROMM RGB (ISO 22028-2); its white is D50.
  public static let proPhoto = standard(
    "prophoto", "ProPhoto RGB", [0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001], .d50, .proPhoto)

  /// All of them, the default first.
  public static let all = [displayP3, sRGB, rec2020, proPhoto, linearSRGB]

  /// The space of a name as `p3`, or nil.
  public static func named(_ identifier: String) -> RGBSpace? { all.first { $0.identifier == identifier } }

  private static let primaries709 = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

  private static func standard(
    _ identifier: String, _ name: String, _ primaries: [Double], _ white: Chromaticity, _ curve: TransferFunction
  ) -> RGBSpace {
    func primary(_ index: Int) -> Chromaticity { Chromaticity(x: primaries[2 * index], y: primaries[2 * index + 1]) }
    let (red, green, blue) = (primary(0), primary(1), primary(2))
    // The tables above are spaces, as the tests check, so that the identity is never used.
    let matrices = matrices(red: red, green: green, blue: blue, white: white) ?? (.identity, .identity)
    return RGBSpace(identifier, name, red, green, blue, white, curve, matrices)
  }
}
