import Calibration
import ConstantColor
import Raster
import TestSupport
import Testing

@Suite struct ChartFinderTests {
  /// The largest distance of a corner from the truth in units of the pitch.
  private func error(_ scene: ChartScene, _ execution: Execution = .serial) throws -> Double {
    let found = try ChartFinder.find(in: scene.image, execution: execution)
    return try ChartGeometry(corners: scene.corners).distance(to: found.geometry)
  }

  @Test(arguments: [0.0, 17, 45, 90, 128, 180, 233, 270, 315])
  func findsEveryTurn(degrees: Double) throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 36, degrees: degrees))
    scene.noise = 0.004
    #expect(try error(scene) < 0.05)
  }

  @Test(arguments: [14.0, 20, 50, 74])
  func findsEverySize(pitch: Double) throws {
    let scene = ChartScene(corners: ChartScene.facing(center: SIMD2(236, 171), pitch: pitch, degrees: 3))
    #expect(try error(scene) < 0.05)
  }

  @Test func findsATiltedChartInUnevenLightAmongOtherRectangles() throws {
    var scene = ChartScene()
    // A tilt of 35° seen from a distance of three widths, upside down.
    scene.corners = [SIMD2(385, 262), SIMD2(160, 283), SIMD2(135, 125), SIMD2(397, 140)]
    scene.falloff = 1.1
    scene.noise = 0.008
    for index in 0..<12 {
      let center = SIMD2(20 + 38 * Double(index), index % 2 == 0 ? 25 : 335)
      scene.distractors.append(
        (center, SIMD2(15, 14), SIMD3(Double(index % 3), Double(index % 4), Double(index % 5)) / 5))
    }
    #expect(try error(scene) < 0.05)
  }

  @Test func seesThroughNoiseAroundZero() throws {
    // As the difference of two frames: the darkest patches are lost in noise, some of it below 0.
    var scene = ChartScene(corners: ChartScene.facing(pitch: 60, degrees: 190))
    scene.gains = SIMD3(0.05, 0.11, 0.06)
    scene.noise = 0.02
    scene.background = .zero
    #expect(try error(scene) < 0.08)
  }

  @Test func needsNotEveryPatch() throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 40, degrees: -8))
    // A finger over one patch, glare on another, and a white that is clipped.
    scene.hidden = [9: SIMD3(0.5, 0.3, 0.2), 2: SIMD3(repeating: 0.9), 18: SIMD3(2, 1, 1.5)]
    #expect(try error(scene) < 0.05)
  }

  @Test func seesTheSameThroughOtherCameras() throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 36, degrees: 100))
    let matrix: [SIMD3<Double>] = [SIMD3(0.5, 0.35, 0.1), SIMD3(0.2, 0.8, 0.25), SIMD3(0.03, 0.25, 0.6)]
    scene.colors = scene.colors.map { color in
      SIMD3((matrix[0] * color).sum(), (matrix[1] * color).sum(), (matrix[2] * color).sum())
    }
    scene.gains = SIMD3(0.2, 0.9, 0.7)
    let found = try ChartFinder.find(in: scene.image)
    #expect(try ChartGeometry(corners: scene.corners).distance(to: found.geometry) < 0.05)
    #expect(found.agreement > 0.98)
    #expect(found.seenPatches >= 20)
  }

  @Test func refusesGridsOfOtherColors() throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 36))
    // The chart's own colours in another order are another chart; so are greys.
    scene.colors = ChartColors.linearSRGB.indices.map { ChartColors.linearSRGB[($0 * 7 + 5) % 24] }
    let shuffled = scene.image
    #expect(throws: ChartError.self) { try ChartFinder.find(in: shuffled) }
    scene.colors = ChartColors.linearSRGB.map { SIMD3(repeating: $0.y) }
    let grey = scene.image
    #expect(throws: ChartError.self) { try ChartFinder.find(in: grey) }
  }

  @Test func refusesAMirroredChart() {
    let image = ChartScene(corners: ChartScene.facing(pitch: 36, degrees: 12)).image
    let mirrored = Image(image.bounds) { x, y in image[image.bounds.maxX - 1 - x, y] }
    #expect(throws: ChartError.self) { try ChartFinder.find(in: mirrored) }
  }

  @Test(arguments: [40.0, 75, 110])
  func refusesAChartThatIsCutOff(center: Double) {
    let image = ChartScene(corners: ChartScene.facing(center: SIMD2(center, 180), pitch: 50)).image
    #expect(throws: ChartError.self) { try ChartFinder.find(in: image) }
  }

  @Test func doesNotDependOnThreadsOrOnWhereThePictureLies() throws {
    var scene = ChartScene(corners: ChartScene.facing(pitch: 33, degrees: 71))
    scene.noise = 0.01
    let image = scene.image
    let found = try ChartFinder.find(in: image)
    #expect(try ChartFinder.find(in: image, execution: pieces).geometry == found.geometry)
    var moved = Image(Rectangle(x: -500, y: 300, width: image.bounds.width, height: image.bounds.height))
    moved.pixels = image.pixels
    let shift = try ChartFinder.find(in: moved).geometry.center(of: 7) - found.geometry.center(of: 7)
    #expect(abs(shift.x + 500) < 1e-6 && abs(shift.y - 300) < 1e-6)
  }

  @Test func givesPlacesOfTheFullPicture() throws {
    // Large enough to be reduced by two.
    var scene = ChartScene(corners: ChartScene.facing(center: SIMD2(900, 500), pitch: 60, degrees: 30))
    scene.size = (1800, 1000)
    #expect(try error(scene) < 0.03)
  }

  @Test func bearsAnything() {
    func fails(_ image: Image) -> Bool { (try? ChartFinder.find(in: image)) == nil }
    #expect(fails(Image(Rectangle(width: 0, height: 0))))
    #expect(fails(Image(Rectangle(width: 1, height: 1))))
    #expect(fails(Image(Rectangle(width: 3000, height: 2))))
    let frame = Rectangle(width: 90, height: 70)
    #expect(fails(Image(frame)))
    for value in [Float.nan, .infinity, -.infinity, -1, 1e38, 1e-38] {
      #expect(fails(Image(frame) { _, _ in Pixel(value, value, value, 1) }))
      #expect(
        fails(Image(frame) { x, y in (x / 7 + y / 7) % 2 == 0 ? Pixel(value, 0.2, value, 1) : Pixel(1, 1, 1, 1) }))
    }
    // Sums of these overflow when the picture is reduced.
    #expect(
      fails(
        Image(Rectangle(width: 1600, height: 1000)) { x, y in
          Pixel((x / 9 + y / 9) % 2 == 0 ? 3e38 : -3e38, x % 3 == 0 ? -3e38 : 3e38, 0.3, 1)
        }))
    var random = SplitMix(state: 3)
    #expect(fails(Image(frame) { _, _ in Pixel(rgb: SIMD3<Float>(repeating: Float(random.normal())), alpha: 1) }))
  }

  @Test func stops() {
    let token = CancellationToken()
    token.cancel()
    let image = ChartScene(corners: ChartScene.facing(pitch: 36)).image
    #expect(throws: ChartError.self) {
      try ChartFinder.find(in: image, execution: Execution(cancellation: token) { count, body in body(Turns(count)) })
    }
  }
}
