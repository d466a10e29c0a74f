import ColorScience
import ConstantColorOperations
import GEGL
import GEGLOperation
import Raster
import Testing

extension Operations {
  /// A camera's own matrices in the graph, with the flash's white as the picture shows it.
  @Suite(.serialized) struct FlashWhiteGraphTests {
    init() { OperationFixture.started }

    private let box = Rectangle(width: 120, height: 80)

    /// Grey surfaces and a few colours, as the camera sees them in the flash's and an orange light.
    private func buffer(flash: SIMD3<Float>, ambient: SIMD3<Float>) throws -> Buffer {
      let colors: [SIMD3<Float>] = [
        SIMD3(0.2, 0.2, 0.2), SIMD3(0.35, 0.35, 0.35), SIMD3(0.5, 0.5, 0.5), SIMD3(0.4, 0.15, 0.1),
        SIMD3(0.1, 0.15, 0.3),
        SIMD3(0.3, 0.3, 0.1),
      ]
      let samples = Image(box) { x, y in
        Pixel(rgb: colors[(x / 20 + y / 20 * 2) % colors.count] * (flash + ambient), alpha: 1)
      }.pixels
      return try Buffer(box, format: OperationFixture.linear(), samples: samples)
    }

    @Test(arguments: [SIMD3<Float>(0.3, 0.15, 0.05), SIMD3(0.02, 0.05, 0.1)])
    func greysBecomeNeutral(_ ambient: SIMD3<Float>) throws {
      let camera = try CameraColorModel(
        colorMatrix: Matrix3(
          SIMD3(0.9902, -0.248, -0.1025), SIMD3(-0.4775, 1.1944, 0.2384), SIMD3(-0.1816, 0.2941, 0.6718)))
      let light = try #require(CorrelatedColorTemperature(kelvin: 5000, duv: 0.002).chromaticity)
      let neutral = SIMD3<Float>(try #require(camera.neutral(of: light)))
      let graph = try Graph()
      let steps = try DevelopGraph(
        in: graph, flash: graph.add(buffer(flash: neutral, ambient: ambient)),
        ambient: graph.add(buffer(flash: .zero, ambient: ambient)))
      for (name, value) in [("exposure-ratio", Value.double(1)), ("align", "none"), ("input-colour", "camera")] {
        try steps.set(name, value)
      }
      let white = try #require(try steps.measureFlashWhite(of: camera))
      try steps.measureFlashOnly()
      let found = white.neutral / SIMD3<Double>(neutral / neutral.y)
      #expect(abs(found.x - 1) < 0.04 && abs(found.z - 1) < 0.04)
      // The grey patch in the middle of the picture has all channels alike in linear sRGB.
      let pixels = try OperationFixture.pixels(steps.adapt)
      let grey = pixels[10 * box.width + 50]
      #expect(grey.rgb.min() > 0.3 && grey.rgb.max() / grey.rgb.min() < 1.06)
    }
  }
}
