import ConstantColor
import Glibc
import Raster
import Simulation
import Testing
import Validation

/// Expected numbers come from numpy, scipy and colour-science.
@Suite("Measures of pixels") struct PixelMeasureTests {
  @Test("Means of boxes repeat the edge, as scipy's do")
  func boxes() {
    let values = (0..<35).map { index -> Float in
      let (x, y) = (Double(index % 7), Double(index / 7))
      return Float(sin(x * 1.3 + y * 0.7) + 0.1 * x * y)
    }
    let expected: [(Int, Float, Float, Float)] = [
      (1, 0.469427685793, 0.24091732536, 1.67523694121), (2, 0.42593240164, 0.617079126375, 1.72511350803),
      (4, 0.263346630663, 0.71242110965, 1.2509467919),
    ]
    for (radius, first, middle, last) in expected {
      let means = boxMean(values, width: 7, height: 5, radius: radius)
      #expect(abs(means[0] - first) < 1e-6 && abs(means[17] - middle) < 1e-6 && abs(means[34] - last) < 1e-6)
    }
    #expect(boxMean(values, width: 6, height: 5, radius: 1) == values)
  }

  @Test(
    "Pixel errors are those of 3 × 3 means at the truth's luminance; well-lit is more than half as bright as the centre"
  )
  func errors() throws {
    let scene = waves(width: 96, height: 64)
    let reference = SceneReference(scene)
    let pixels = scene.lit.indices.map { index -> SIMD3<Float> in
      let (x, y) = (Double(index % 96), Double(index / 96))
      return scene.lit[index] * SIMD3(Float(1 + 0.05 * sin(x / 3)), 1, Float(1 - 0.1 * cos(y / 4)))
    }
    let picture = XYZPicture(width: 96, height: 64, pixels: pixels)
    let errors = PixelErrors.measure(picture, reference)
    #expect(abs(errors[0] - 3.72588157736) < 1e-3)
    #expect(abs(errors[30 * 96 + 50] - 5.67588585878) < 1e-3)
    #expect(abs(try #require(mean(errors, where: errors.map { _ in true })) - 3.93886840762) < 1e-4)
    let regions = [Region](repeating: [], count: errors.count)
    let wellLit = PicturePart.wellLit.pixels(regions, reference)
    #expect(abs(try #require(mean(errors, where: wellLit)) - 4.03103666479) < 1e-4)
    let only = PixelErrors.measure(picture, reference, where: wellLit)
    #expect(zip(only, wellLit).allSatisfy { $0.isNaN != $1 })
    #expect(PixelErrors.measure(XYZPicture(width: 8, height: 8, pixels: []), reference).isEmpty)
    // As many threads as there are give the same.
    let dark = PixelErrors.measure(XYZPicture(width: 96, height: 64, pixels: []), reference)
    #expect(dark.allSatisfy { $0 == 100 })
  }

  @Test("What is left of a shadow's edge is told as a part of it")
  func shadow() throws {
    let scene = waves(width: 96, height: 256)
    let reference = SceneReference(scene)
    let wall = [Region](repeating: .wall, count: scene.lit.count)
    func picture(_ depth: Float) -> XYZPicture {
      XYZPicture(
        width: 96, height: 256, pixels: scene.lit.indices.map { (1 - depth * scene.shadow[$0]) * scene.lit[$0] })
    }
    #expect(abs(try #require(ShadowEdge.left(in: picture(0.15), wall, reference)) - 0.177366089646) < 1e-5)
    #expect(abs(try #require(ShadowEdge.left(in: picture(0), wall, reference))) < 1e-6)
    #expect(abs(try #require(ShadowEdge.left(in: picture(0.6), wall, reference)) - 1) < 1e-5)
    #expect(ShadowEdge.left(in: picture(0), wall.map { _ in .far }, reference) == nil)
    #expect(ShadowEdge.left(in: XYZPicture(width: 96, height: 256, pixels: []), wall, reference) == nil)
  }

  @Test("Saturated pixels in the far background are wild where no surface is saturated")
  func wild() throws {
    var scene = SceneTruth(width: 64, height: 32)
    scene.reflectance = .init(repeating: SIMD3(0.2, 0.21, 0.2), count: 64 * 32)
    // The left half of the scene is of a pure blue; P3's, of which nothing can be wild.
    for index in scene.reflectance.indices where index % 64 < 32 { scene.reflectance[index] = SIMD3(0.03, 0.01, 0.15) }
    scene.lit = scene.reflectance
    let reference = SceneReference(scene)
    let far = [Region](repeating: .far, count: 64 * 32)
    let grey = XYZPicture(width: 64, height: 32, pixels: .init(repeating: SIMD3(0.2, 0.21, 0.22), count: 64 * 32))
    #expect(WildPixels.share(of: grey, scale: 1, far, reference) == 0)
    let red = XYZPicture(width: 64, height: 32, pixels: .init(repeating: SIMD3(0.2, 0.1, 0.005), count: 64 * 32))
    #expect(try #require(WildPixels.share(of: red, scale: 1, far, reference)) == 0.5)
    #expect(WildPixels.share(of: red, scale: 1e-3, far, reference) == 0)
    #expect(WildPixels.share(of: red, scale: 1, far.map { _ in [] }, reference) == nil)
  }

  @Test("Pixels that are not finite are black, and missing ones too")
  func notFinite() {
    let picture = XYZPicture(width: 2, height: 2, pixels: [SIMD3(.nan, 0, 0), SIMD3(1, .infinity, 0), SIMD3(1, 2, 3)])
    #expect(picture.pixels == [.zero, .zero, SIMD3(1, 2, 3), .zero])
  }

  @Test("A warped picture lies where the map says, and repeats its edge")
  func warp() {
    let pixels = (0..<12).map { SIMD3<Float>(repeating: Float($0 % 4)) }
    let picture = XYZPicture(width: 4, height: 3, pixels: pixels)
    let moved = picture.warped(by: .translation(x: 1.5, y: 0), width: 4, height: 3)
    #expect(moved.pixels.map(\.x) == [1.5, 2.5, 3, 3, 1.5, 2.5, 3, 3, 1.5, 2.5, 3, 3])
  }
}
