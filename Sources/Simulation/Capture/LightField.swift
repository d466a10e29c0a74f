import ColorScience
import Raster

/// What the lights of a pair make of the surfaces: three values a surface and light, of a camera or an observer.
struct LightField {
  /// By surface: lit by the flash, by the room's first and second light.
  private var flash: [SIMD4<Float>] = []
  private var first: [SIMD4<Float>] = []
  private var second: [SIMD4<Float>] = []
  /// A white surface in each light.
  private let white: (flash: SIMD4<Float>, first: SIMD4<Float>, second: SIMD4<Float>)

  /// The values of surfaces by a function of a reflectance; lights that are off give nothing.
  init(
    _ surfaces: [Spectrum], flash: (Spectrum) -> SIMD3<Double>, first: (Spectrum) -> SIMD3<Double> = { _ in .zero },
    second: (Spectrum) -> SIMD3<Double> = { _ in .zero }
  ) {
    func values(_ of: (Spectrum) -> SIMD3<Double>, _ surface: Spectrum) -> SIMD4<Float> {
      SIMD4(SIMD3<Float>(of(surface)), 0)
    }
    for surface in surfaces {
      self.flash.append(values(flash, surface))
      self.first.append(values(first, surface))
      self.second.append(values(second, surface))
    }
    white = (
      values(flash, .perfectDiffuser), values(first, .perfectDiffuser), values(second, .perfectDiffuser)
    )
  }

  /// The light from a point to the camera.
  func radiance(_ point: ScenePoint) -> SIMD4<Float> {
    let diffuse =
      point.flash * mixed(flash, point) + point.ambient.x * mixed(first, point) + point.ambient.y * mixed(second, point)
    let gloss =
      point.flashGloss * white.flash + point.ambientGloss.x * white.first + point.ambientGloss.y * white.second
    return point.gain * diffuse + gloss
  }

  /// The light of the flash without mirror-like reflection, in which a surface has no colour of its own.
  func diffuseFlash(_ point: ScenePoint) -> SIMD4<Float> { point.flash * surface(point) }

  /// The surface itself, without light and shade.
  func surface(_ point: ScenePoint) -> SIMD4<Float> { point.gain * mixed(flash, point) }

  private func mixed(_ values: [SIMD4<Float>], _ point: ScenePoint) -> SIMD4<Float> {
    let (first, second) = (Int(point.first), Int(point.second))
    guard values.indices.contains(first), values.indices.contains(second) else { return .zero }
    return values[first] + point.mix * (values[second] - values[first])
  }
}
