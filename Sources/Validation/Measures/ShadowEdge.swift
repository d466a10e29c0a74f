import Glibc
import Simulation

/// What is left of the ambient light's shadow on the wall.
public enum ShadowEdge {
  private static let unfit: Region = [.far, .flashShadow, .specular, .clippedFlash, .clippedAmbient, .moving]
  private static let fewestPixels = 200

  /// The step of the luminance (as a logarithm) at the shadow's edges beyond what the flash's light has there, as a part of
  /// the ambient light's own step: 0 nothing is left, 1 all.
  ///
  /// - Returns: nil where the wall shows no edge, or the picture no light.
  public static func left(in picture: XYZPicture, _ regions: [Region], _ reference: SceneReference) -> Double? {
    let (width, height) = (reference.width, reference.height)
    guard picture.width == width, picture.height == height, regions.count == width * height else { return nil }
    let margin = 14 * width / 640
    var (shown, lit, ambient) = (Step(), Step(), Step())
    var (insides, outsides) = (0, 0)
    for index in regions.indices {
      let (x, y) = (index % width, index / width)
      guard x >= margin, y >= margin, x < width - margin, y < height - margin, regions[index].contains(.wall),
        regions[index].isDisjoint(with: unfit), reference.nearbyShadow[index] > 0.12,
        reference.nearbyShadow[index] < 0.88
      else { continue }
      let shadow = reference.scene.shadow[index]
      guard shadow > 0.93 || shadow < 0.07 else { continue }
      let isInside = shadow > 0.93
      if isInside { insides += 1 } else { outsides += 1 }
      let light = Double(reference.scene.lit[index].y)
      shown.add(Double(picture.pixels[index].y), isInside)
      lit.add(light, isInside)
      ambient.add(Double(reference.scene.ambient[index]) * light, isInside)
    }
    guard insides >= fewestPixels, outsides >= fewestPixels, shown.inside > 0, shown.outside > 0, lit.inside > 0,
      lit.outside > 0
    else { return nil }
    let left = log(max(shown.ratio / lit.ratio, 1e-3)) / log(ambient.ratio / lit.ratio)
    return left.isFinite ? left : nil
  }

  private struct Step {
    var (inside, outside) = (0.0, 0.0)
    var ratio: Double { inside / outside }

    mutating func add(_ value: Double, _ isInside: Bool) { if isInside { inside += value } else { outside += value } }
  }
}
