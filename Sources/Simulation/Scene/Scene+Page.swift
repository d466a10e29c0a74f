import ColorScience
import Glibc

extension Scene {
  /// A printed page on a desk, in a lamp's light with a hard shadow across.
  static func page(_ shot: PageShot, _ options: Options) -> Scene {
    var generator = SplitMix(seed: options.seed, 4)
    var scene = Scene(options, &generator)
    func signed() -> Float { Float(2 * generator.uniform() - 1) }
    let paper = scene.add(Pigments.neutral(0.84))
    let ink = scene.add(Pigments.neutral(0.045))
    // As large as fits into a frame of the page's own proportion, and beyond it from near.
    let (width, height) = (Float(shot.print.width), Float(shot.print.height))
    let room: Float =
      switch shot.view {
      case .straight: 0.88
      case .tilted: 0.78
      case .close: 1.12
      }
    let size = Place(width, height) * room * min(640 / width, options.frameHeight / height)
    let angle = shot.view == .close ? 0.01 * signed() : 0.05 * signed()
    let shape = Shape.rectangle(centre: Place(320, 240) + 8 * Place(signed(), signed()), size: size, angle: angle)
    scene.sheet = shape
    scene.plates.append(Plate(shape: shape, paint: .printed(paper: paper, ink: ink, shot.print)))
    if shot.hasChart {
      let chart = Place(size.x * 0.72, size.x * 0.72 * 0.29)
      let place = shape.place(Place(0, 1 - (0.5 * chart.y + 0.045 * size.y) / shape.half.y))
      scene.addChart(.rectangle(centre: place, size: chart, angle: angle), options)
    }
    if shot.view == .tilted { scene.view = tilt(&generator, height: options.frameHeight) }
    scene.lighting.flashCentre = Place(320, 240) + 40 * Place(signed(), signed())
    scene.lighting.flashReach = 620 + 60 * signed()
    scene.lighting.band = (
      place: Place(320, 240) + Place(90 * signed(), 0.2 * options.frameHeight * signed()),
      normal: Lighting.direction(1, 0.9 * signed()), width: 230 + 60 * signed(), edge: 5 + 2 * signed(),
      depth: 0.8 + 0.1 * signed()
    )
    if shot.isGlossy {
      scene.lighting.glare = (
        place: Place(320, 240) + Place(110 * signed(), 0.25 * options.frameHeight * signed()), radius: 26, strength: 2.2
      )
    }
    return scene
  }

  /// A camera that leans by 8 to 20 degrees about both axes, of a telephone's focal length: from the places that an upright one
  /// sees to those on the desk.
  private static func tilt(_ generator: inout SplitMix, height: Float) -> [Double]? {
    func angle() -> Double { (8 + 12 * generator.uniform()) * .pi / 180 * (generator.uniform() < 0.5 ? -1 : 1) }
    let (first, second) = (angle(), angle())
    let focalLength = 0.7 * hypot(640, Double(height))
    // The desk turned about its vertical axis, then about the horizontal one, at the focal length's distance.
    let (c1, s1, c2, s2) = (cos(first), sin(first), cos(second), sin(second))
    let seen = [
      c1, 0, 0, s1 * s2, c2, 0, -s1 * c2 / focalLength, s2 / focalLength, 1,
    ]
    let to: [Double] = [1, 0, -320, 0, 1, -240, 0, 0, 1]
    let back: [Double] = [1, 0, 320, 0, 1, 240, 0, 0, 1]
    return HandMotion.inverse(HandMotion.product(back, HandMotion.product(seen, to)))
  }
}
