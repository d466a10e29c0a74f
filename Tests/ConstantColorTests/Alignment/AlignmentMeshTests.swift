import ConstantColor
import Raster
import Testing

/// Local refinement, local residuals, and what resampling does to noise.
@Suite struct AlignmentMeshTests {
  private static let frame = Rectangle(width: 480, height: 360)
  /// A part of the scene in which nothing but the parallax of an object happens, and one without it.
  private static let object = SIMD2(90.0, 275.0)
  private static let wall = SIMD2(240.0, 60.0)

  /// A scene whose lower left part lies three pixels aside in the ambient frame.
  private static var deep: AlignmentScene {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: 0.006, scale: 1, about: [240, 180], shift: [4.2, -3.1])
    scene.movement = 3
    return scene
  }

  /// Where the alignment sees a place of the flash frame, by warping a picture of coordinates.
  private func image(of place: SIMD2<Double>, _ alignment: Alignment) -> SIMD2<Double> {
    let coordinates = Image(Self.frame) { x, y in Pixel(Float(x) / 1024, Float(y) / 1024, 0, 1) }
    let pixel = Rectangle(x: Int(place.x), y: Int(place.y), width: 1, height: 1)
    var result = Image(pixel)
    result.withMutablePixels { Warp(alignment, ambientBounds: Self.frame).process(pixel, coordinates, into: $0) }
    return SIMD2(Double(result.pixels[0].x), Double(result.pixels[0].y)) * 1024
  }

  private func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { ((a - b) * (a - b)).sum().squareRoot() }

  @Test func meshFollowsWhatLiesElsewhere() throws {
    let scene = Self.deep
    let (flash, ambient) = (scene.flash, scene.ambient)
    let plain = estimateAlignment(flash: flash, ambient: ambient, choice: .auto, execution: threaded(2))
    let mesh = estimateAlignment(flash: flash, ambient: ambient, choice: .mesh, execution: threaded(2))
    #expect(plain.field == nil && mesh.model == .mesh)
    // The coat shows at u what the flash frame shows at u + 3.
    let truth = try #require(scene.truth.apply(to: Self.object - SIMD2(3, 0)))
    #expect(distance(image(of: Self.object, plain), truth) > 2)
    #expect(distance(image(of: Self.object, mesh), truth) < distance(image(of: Self.object, plain), truth) - 0.6)
    let wall = try #require(scene.truth.apply(to: Self.wall))
    #expect(distance(image(of: Self.wall, mesh), wall) < 0.3)
    // The global part is the map without a mesh.
    #expect(mesh.homography == plain.homography)
  }

  @Test func meshLeavesAFlatSceneAndItsFlashShadowAlone() throws {
    var scene = AlignmentScene()
    scene.truth = Self.deep.truth
    let mesh = estimateAlignment(flash: scene.flash, ambient: scene.ambient, choice: .mesh, execution: threaded(2))
    for place in [SIMD2(300.0, 150.0), SIMD2(318.0, 150.0), SIMD2(309.0, 100.0), Self.wall, Self.object] {
      let truth = try #require(scene.truth.apply(to: place))
      #expect(distance(image(of: place, mesh), truth) < 0.5)
    }
  }

  @Test func threadsAndPiecesDoNotMatter() {
    let scene = Self.deep
    let (flash, ambient) = (scene.flash, scene.ambient)
    let alone = estimateAlignment(flash: flash, ambient: ambient, choice: .mesh, execution: .serial)
    #expect(estimateAlignment(flash: flash, ambient: ambient, choice: .mesh, execution: threaded(3)) == alone)
    let warp = Warp(alone, ambientBounds: ambient.bounds)
    var whole = Image(Self.frame)
    whole.withMutablePixels { warp.process(Self.frame, ambient, into: $0, execution: threaded(2)) }
    for piece in [
      Rectangle(x: 0, y: 0, width: 33, height: 360), Rectangle(x: 61, y: 250, width: 70, height: 41),
      Rectangle(x: 479, y: 359, width: 1, height: 1),
    ] {
      // What a piece says it reads must be enough.
      let part = ambient.image(warp.requiredRectangle(for: piece))
      var result = Image(piece)
      result.withMutablePixels { warp.process(piece, part, into: $0) }
      for y in piece.y..<piece.maxY {
        for x in piece.x..<piece.maxX { #expect(result[x, y] == whole[x, y]) }
      }
    }
  }

  @Test func whatMovedIsTrustedLess() {
    let scene = Self.deep
    let (flash, ambient) = (scene.flash, scene.ambient)
    let plain = estimateAlignment(flash: flash, ambient: ambient, execution: threaded(2))
    var result = Image(Self.frame)
    result.withMutablePixels { Warp(plain, ambientBounds: ambient.bounds).process(Self.frame, ambient, into: $0) }
    func trust(_ place: SIMD2<Double>) -> Float { result[Int(place.x), Int(place.y)].w }
    #expect(trust(Self.object) < 0.5 && trust(Self.object) >= 1 / 256)
    #expect(trust(Self.wall) > 0.7)
  }

  @Test func aLightFromBehindTurnsContrastAndNotSteepness() {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: -0.02, scale: 1, about: [240, 180], shift: [21, -13])
    scene.noise = 0.0005
    // What is dark by flash light glows, and the other way round.
    var ambient = scene.ambient
    for index in ambient.pixels.indices {
      ambient.pixels[index] = Pixel(rgb: 0.001 / (ambient.pixels[index].rgb + 0.01), alpha: 1)
    }
    let found = estimateAlignment(flash: scene.flash, ambient: ambient, execution: threaded(2))
    #expect(found.homography.cornerDistance(to: scene.truth, over: Self.frame) < 2)
  }

  @Test func strongPerspectiveIsFoundFromTheCoarsestLevel() throws {
    var scene = AlignmentScene()
    scene.truth = try #require(Homography([1.01, 0.012, 6, -0.008, 0.995, -5, 4e-5, -3e-5, 1]))
    let found = estimateAlignment(flash: scene.flash, ambient: scene.ambient, execution: threaded(2))
    #expect(found.model == .homography)
    #expect(found.homography.cornerDistance(to: scene.truth, over: Self.frame) < 0.5)
  }

  @Test func noiseGainIsWhatResamplingLeaves() {
    let frame = Rectangle(width: 200, height: 160)
    var random = SimulatedNoise(seed: 7)
    let noise = Image(frame) { _, _ in
      func uniform() -> Float { random.uniform() - 0.5 }
      return Pixel(0.5 + 0.1 * uniform(), 0.5 + 0.1 * uniform(), 0.5 + 0.1 * uniform(), 1)
    }
    let maps: [Homography] = [
      .identity, .translation(x: 3, y: -2), .translation(x: 0.5, y: 0.5), .translation(x: 0.25, y: 0),
      .similarity(rotation: 0.03, scale: 1.01, about: [100, 80]),
    ]
    for map in maps {
      let warp = Warp(map, ambientBounds: frame)
      var result = Image(frame)
      result.withMutablePixels { warp.process(frame, noise, into: $0) }
      var (sum, squares, count) = (0.0, 0.0, 0.0)
      for y in 10..<150 {
        for x in 10..<190 {
          let value = Double(result[x, y].x)
          sum += value
          squares += value * value
          count += 1
        }
      }
      let variance = squares / count - sum * sum / (count * count)
      let gain = warp.noiseGain(over: frame)
      #expect(abs(variance / (0.01 / 12) / gain - 1) < 0.12)
    }
    #expect(Warp(.translation(x: 0.5, y: 0.5), ambientBounds: frame).noiseGain(over: frame) < 0.42)
    let model = NoiseModel(gain: SIMD3(repeating: 2), floor: SIMD3(repeating: 1))
    #expect(model.beforeResampling(gain: 0.5).floor == SIMD3(repeating: 2))
    #expect(model.beforeResampling(gain: .nan) == model && model.beforeResampling(gain: 0) == model)
  }
}
