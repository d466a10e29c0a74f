import Glibc
import Raster
import Simulation

func sine(_ x: Double) -> Double { sin(x) }

/// The scene whose numbers were computed elsewhere, too.
func waves(width: Int, height: Int) -> SceneTruth {
  var scene = SceneTruth(width: width, height: height)
  for index in 0..<width * height {
    let (x, y) = (Double(index % width), Double(index / width))
    let colors = SIMD3<Float>(
      Float(0.3 + 0.1 * sin(x / 5)), Float(0.32 + 0.1 * sin(x / 5 + 0.2)), Float(0.25 + 0.1 * cos(y / 7)))
    scene.reflectance[index] = colors
    scene.falloff[index] = Float(1 - 0.6 * x / Double(width))
    scene.lit[index] = scene.falloff[index] * colors
    scene.shadow[index] = Float(min(max((x - 30) / 8, 0), 1))
    scene.ambient[index] = 1 - 0.6 * scene.shadow[index]
  }
  return scene
}
