import ColorScience
import Simulation

/// The patches of one picture of one pair.
public struct PatchMeasurement: Sendable {
  /// What the picture shows, as it is.
  public let shown: [XYZ]
  /// The one factor on the picture with which its neutral patches come nearest to the truth's luminance (least squares).
  public let scale: Double
  /// The colour error of each (`XYZ.colorError(to:)`).
  public let colorErrors: [Double]
  /// ΔE₀₀ with lightness, to the patch as the flash lights it, after the one scale.
  public let fullErrors: [Double]

  /// CIELAB of the patches, after the one scale, and as they are.
  public var scaledLab: [Lab] { shown.map { Lab(XYZ(scale * $0.vector)) } }
  /// See ``scaledLab``.
  public var lab: [Lab] { shown.map { Lab($0) } }

  /// Measures the patches of a truth by what a picture shows of them; nil is taken for black.
  public init(_ patches: [PairTruth.Patch], shown: [XYZ?]) {
    let shown = patches.indices.map { shown.indices.contains($0) ? shown[$0] ?? XYZ(0, 0, 0) : XYZ(0, 0, 0) }
    let scale = Self.scale(patches, shown)
    self.shown = shown
    self.scale = scale
    colorErrors = zip(patches, shown).map { patch, shown in shown.colorError(to: patch.xyz) }
    fullErrors = zip(patches, shown).map { patch, shown in
      Lab(XYZ(scale * shown.vector)).ciede2000(to: Lab(XYZ(patch.falloff * patch.xyz.vector)))
    }
  }

  /// Chart patches of less chroma and of more luminance count as neutral.
  private static let greatestChroma = 5.0
  private static let leastLuminance = 0.05

  private static func scale(_ patches: [PairTruth.Patch], _ shown: [XYZ]) -> Double {
    var (product, square) = (0.0, 0.0)
    for (patch, shown) in zip(patches, shown) where patch.kind == .colorChecker {
      guard Lab(patch.xyz).chroma < greatestChroma, patch.xyz.y > leastLuminance else { continue }
      product += shown.y * patch.xyz.y * patch.falloff
      square += shown.y * shown.y
    }
    return product / max(square, 1e-12)
  }
}
