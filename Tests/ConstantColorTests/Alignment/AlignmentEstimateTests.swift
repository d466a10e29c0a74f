import ConstantColor
import Raster
import Testing

@Suite struct AlignmentEstimateTests {
  private static let frame = Rectangle(width: 480, height: 360)
  private static let middle = SIMD2(239.5, 179.5)

  private func estimate(_ scene: AlignmentScene, _ choice: AlignmentChoice = .auto) -> Alignment {
    estimateAlignment(flash: scene.flash, ambient: scene.ambient, choice: choice, execution: threaded(2))
  }

  @Test(arguments: [
    (0.0, 1.0, SIMD2(40.0, -31.4)), (0.8, 1.004, SIMD2(-11.3, 6.2)), (3.0, 1.0, SIMD2(5.5, 17.25)),
    (-3.0, 0.97, SIMD2(-20.0, 12.0)), (1.5, 1.03, SIMD2(0.0, 0.0)),
  ])
  func findsTurnScaleAndShift(degrees: Double, scale: Double, shift: SIMD2<Double>) {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: degrees * .pi / 180, scale: scale, about: Self.middle, shift: shift)
    let found = estimate(scene)
    #expect(found.outcome == .registered)
    #expect(found.homography.cornerDistance(to: scene.truth, over: Self.frame) < 0.25)
    #expect(found.residual < 0.3)
  }

  @Test func findsPerspective() throws {
    var scene = AlignmentScene()
    scene.truth = try #require(Homography([1.004, -0.012, 8, 0.009, 0.997, -5, 2.2e-5, -1.6e-5, 1]))
    let found = estimate(scene)
    #expect(found.model == .homography)
    #expect(found.homography.cornerDistance(to: scene.truth, over: Self.frame) < 0.4)
  }

  @Test func staysOnAShiftWhenNothingElseIsShown() {
    var scene = AlignmentScene()
    scene.truth = .translation(x: 9.4, y: -3.7)
    let found = estimate(scene, .translation)
    #expect(found.model == .translation)
    #expect(found.homography.cornerDistance(to: scene.truth, over: Self.frame) < 0.1)
    #expect(found.overlap > 0.95 && found.overlap < 1)
  }

  @Test func leavesFramesFromATripodNearlyAlone() {
    let found = estimate(AlignmentScene())
    #expect(found.homography.cornerDistance(to: .identity, over: Self.frame) < 0.15)
    #expect(found.overlap > 0.99)
  }

  @Test func seesThroughDarknessAndNoise() {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: 0.01, scale: 1, about: Self.middle, shift: [7.3, 4.6])
    // Five stops below the flash frame, with a signal to noise ratio of about two.
    scene.ambientLevel = 0.02
    scene.noise = 0.003
    #expect(estimate(scene).homography.cornerDistance(to: scene.truth, over: Self.frame) < 1)
  }

  @Test func isNotPulledByWhatMoves() {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: -0.02, scale: 1, about: Self.middle, shift: [-6.5, 3.25])
    scene.movement = 5
    #expect(estimate(scene).homography.cornerDistance(to: scene.truth, over: Self.frame) < 0.25)
  }

  @Test func knowsNothingOfFramesWithoutACommonScene() {
    let scene = AlignmentScene()
    let flash = scene.flash
    let other = Image(flash.bounds) { x, y in
      // Another place, so far away that nothing of it is in the flash frame.
      Pixel(rgb: AlignmentScene.reflectance(Double(x) + 90_000, Double(y) + 70_000) * 0.2, alpha: 1)
    }
    let found = estimateAlignment(flash: flash, ambient: other, execution: threaded(2))
    #expect(found.homography == .identity)
    #expect(found.model == .identity)
  }

  @Test func degenerateFramesGiveIdentity() {
    func plane(_ width: Int, _ height: Int, _ pixel: Pixel) -> Image {
      Image(Rectangle(width: width, height: height)) { _, _ in pixel }
    }
    let scene = AlignmentScene().flash
    let frames = [
      plane(0, 0, .zero), plane(1, 1, [0.5, 0.5, 0.5, 1]), plane(2000, 20, [0.1, 0.2, 0.3, 1]),
      plane(100, 80, [0, 0, 0, 1]), plane(100, 80, Pixel(repeating: .nan)), plane(100, 80, [0.2, 0.2, 0.2, 0]),
      plane(100, 80, [1, 1, 1, 1]), plane(64, 64, [.infinity, -.infinity, 1e30, 1]),
    ]
    for frame in frames {
      for (flash, ambient) in [(frame, scene), (scene, frame), (frame, frame)] {
        let found = estimateAlignment(flash: flash, ambient: ambient)
        #expect(found.homography == .identity)
        #expect(found.outcome == .noStructure)
        #expect(found.residual.isNaN)
        #expect(found.overlap >= 0 && found.overlap <= 1)
      }
    }
  }

  @Test func unknownPartsDoNotMatter() {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: 0.015, scale: 1.01, about: Self.middle, shift: [4.5, -8.5])
    var (flash, ambient) = (scene.flash, scene.ambient)
    for index in flash.pixels.indices {
      let (x, y) = (index % 480, index / 480)
      if x < 60 { flash.pixels[index] = [.nan, .nan, .nan, 0] }
      if x > 400 && y < 100 { ambient.pixels[index].w = 0 }
      // A lamp in the picture.
      if (x - 240) * (x - 240) + (y - 100) * (y - 100) < 900 { ambient.pixels[index] = [1.2, 1, 1, 1] }
      if index % 977 == 0 { ambient.pixels[index].x = .nan }
    }
    let found = estimateAlignment(flash: flash, ambient: ambient, execution: threaded(2))
    #expect(found.homography.cornerDistance(to: scene.truth, over: Self.frame) < 0.4)
  }

  @Test func originsAndSizesAreAbsolute() {
    var scene = AlignmentScene()
    scene.truth = .translation(x: 6, y: 4)
    let (flash, whole) = (scene.flash, scene.ambient)
    // The same ambient frame, cut, and told to lie elsewhere: the map must follow.
    let part = whole.image(Rectangle(x: 10, y: 20, width: 440, height: 320))
    let moved = Image(Rectangle(x: -300, y: 120, width: 440, height: 320)) { x, y in part[x + 310, y - 100] }
    let found = estimateAlignment(flash: flash, ambient: moved, execution: threaded(2))
    let expected = Homography.translation(x: 6 - 310, y: 4 + 100)
    #expect(found.homography.cornerDistance(to: expected, over: Self.frame) < 0.3)
  }

  @Test func askingForNoneGivesIdentity() {
    var scene = AlignmentScene()
    scene.truth = .translation(x: 12, y: 0)
    let found = estimate(scene, .none)
    #expect(found.homography == .identity && found.outcome == .notAsked)
  }

  @Test func threadsChangeNothing() {
    var scene = AlignmentScene()
    scene.truth = .similarity(rotation: 0.01, scale: 0.99, about: Self.middle, shift: [3.3, 4.4])
    let (flash, ambient) = (scene.flash, scene.ambient)
    let alone = estimateAlignment(flash: flash, ambient: ambient, execution: .serial)
    for threads in [2, 7] {
      #expect(estimateAlignment(flash: flash, ambient: ambient, execution: threaded(threads)) == alone)
    }
  }

  @Test func cancellationReturnsPromptly() {
    let scene = AlignmentScene()
    let (flash, ambient) = (scene.flash, scene.ambient)
    let token = CancellationToken()
    let source = CancelingSource(image: ambient, token: token)
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      let found = estimateAlignment(flash: flash, ambient: source, execution: threaded(2, cancellation: token))
      #expect(found.outcome == .cancelled)
      #expect(found.homography == .identity)
    }
    #expect(elapsed < .seconds(1))
  }
}

/// Cancels as soon as it is read.
private struct CancelingSource: PixelSource {
  let image: Image
  let token: CancellationToken
  var bounds: Rectangle { image.bounds }

  func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    token.cancel()
    image.read(rectangle, into: destination)
  }
}
