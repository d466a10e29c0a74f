import ColorScience
import Raster
import Simulation

/// What the pixels of a scene's pictures are compared with; the same for all pairs of the scene.
public struct SceneReference: Sendable {
  /// The scene itself.
  public let scene: SceneTruth
  /// The size in pixels.
  public var width: Int { scene.width }
  /// See ``width``.
  public var height: Int { scene.height }
  /// The true colours: CIELAB of 3 × 3 means, at the luminance of the surface without shading.
  let lab: [Lab]
  /// That luminance: the surfaces' Y, 3 × 3 means.
  let luminance: [Float]
  /// How much of the neighbourhood lies in the ambient shadow: about one half along its edges.
  let nearbyShadow: [Float]
  /// Where no surface has a colour near the border of Display P3.
  let isTame: [Bool]
  /// The pixels that no window around them leaves the picture from.
  let inner: [Bool]
  /// How many pixels from the border ``inner`` begins.
  let margin: Int

  /// Prepares a scene.
  public init(_ scene: SceneTruth, execution: Execution = .serial) {
    self.scene = scene
    let (width, height) = (scene.width, scene.height)
    func mean(_ values: [SIMD3<Float>]) -> [SIMD3<Float>] { boxMean(values, width: width, height: height, radius: 1) }
    let lit = mean(scene.lit)
    let luminance = mean(scene.reflectance).map(\.y)
    self.luminance = luminance
    lab = execution.map(height, placeholder: [Lab]()) { row in
      (row * width..<(row + 1) * width).map { index in
        let color = SIMD3<Double>(lit[index])
        return Lab(XYZ(Double(luminance[index]) / max(color.y, 1e-6) * color))
      }
    }.flatMap { $0 }
    let radius = max(4, 20 * width / 640)
    nearbyShadow = boxMean(scene.shadow, width: width, height: height, radius: radius)
    isTame = scene.reflectance.map { WildPixels.saturation(ofXYZ: $0) < 0.75 }
    let margin = (12 * width + 639) / 640
    self.margin = margin
    inner = (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      return x >= margin && y >= margin && x < width - margin && y < height - margin
    }
  }

  /// Whether no window around a pixel leaves the picture.
  public func isInner(_ index: Int) -> Bool { inner.indices.contains(index) && inner[index] }

  /// Whether a pixel is among those that stand for all: every other one of every other row, inside.
  func isSample(_ index: Int) -> Bool {
    inner[index] && (index % width - margin) % 2 == 0 && (index / width - margin) % 2 == 0
  }
}
