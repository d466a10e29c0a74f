import Simulation

/// The parts of a picture that are judged by themselves.
public enum PicturePart: String, CaseIterable, Sendable {
  /// Clipped in the flash frame, or a reflection of the flash.
  case clipped
  case far
  /// More than half as bright as the centre, in flash light that nothing disturbs.
  case wellLit = "well lit"
  case flashShadow = "flash shadow"
  /// The part of ``wellLit`` in the ambient shadow.
  case ambientShadow = "ambient shadow"
  case moving

  /// Where a pair's picture has this part.
  public func pixels(_ regions: [Region], _ reference: SceneReference) -> [Bool] {
    switch self {
    case .clipped: regions.map { !$0.isDisjoint(with: [.clippedFlash, .specular]) }
    case .far: regions.map { $0.contains(.far) }
    case .flashShadow: regions.map { $0.contains(.flashShadow) }
    case .moving: regions.map { $0.contains(.moving) }
    case .wellLit:
      regions.indices.map { index in
        regions[index].isDisjoint(with: Self.disturbed) && reference.scene.falloff[index] > 0.5
          && reference.inner[index]
      }
    case .ambientShadow:
      zip(regions, Self.wellLit.pixels(regions, reference)).map { $0.contains(.ambientShadow) && $1 }
    }
  }

  private static let disturbed: Region = [.clippedFlash, .specular, .far, .moving, .flashShadow]
}
