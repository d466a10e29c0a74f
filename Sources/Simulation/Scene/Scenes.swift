import Calibration
import ColorScience

extension Scene {
  /// What a scene can be.
  struct Options: Sendable {
    var seed: UInt64
    var chart: [Spectrum]
    var isMixed = false
    var moves = false
    /// The height of what an upright camera sees, in units of which its width has 640.
    var frameHeight: Float = 480
  }

  /// Chart, skin, paper, objects, a window, a shadow: everything that pictures have, at places of chance.
  static func standard(_ options: Options) -> Scene {
    var generator = SplitMix(seed: options.seed, 1)
    var scene = Scene(options, &generator)
    func jitter(_ amount: Float) -> Place { generator.place(within: amount) }
    func angle(_ degrees: Float) -> Float { degrees * .pi / 180 * generator.signed() }

    scene.addChart(.rectangle(centre: Place(420, 150) + jitter(8), size: Place(238, 162), angle: angle(4)), options)
    scene.addSkin(.rectangle(centre: Place(430, 296) + jitter(6), size: Place(270, 86), angle: angle(4)))
    let window = Shape.rectangle(centre: Place(82, 150) + jitter(6), size: Place(116, 246), angle: angle(1))
    scene.addWindow(window, &generator)
    scene.addCards(&generator)

    let paper = scene.add(Pigments.neutral(0.82))
    let ink = scene.add(Pigments.neutral(0.04))
    let page = Shape.rectangle(centre: Place(560, 420) + jitter(5), size: Place(124, 80), angle: angle(3))
    scene.plates.append(Plate(shape: page, paint: .writing(paper: paper, ink: ink, Texture(seed: 5))))

    func paint() -> Int { scene.add(Pigments.random(&generator)) }
    let pale = scene.add(Pigments.skin[1])
    let glossy: [(Solid.Form, Place, Place, Int, Float, Float)] = [
      (.cylinder, Place(212, 122), Place(44, 130), pale, 3, 40),
      (.ball, Place(214, 330), Place(46, 46), paint(), 9, 220),
      (.ball, Place(330, 400), Place(24, 24), paint(), 9, 120), (.ball, Place(118, 356), Place(30, 30), paint(), 0, 1),
    ]
    for (form, centre, size, surface, gloss, sharpness) in glossy {
      let place = centre + jitter(5)
      let shape: Shape =
        form == .ball
        ? .ellipse(centre: place, radii: size) : .rectangle(centre: place, size: size, angle: 0)
      scene.solids.append(Solid(form: form, shape: shape, surface: surface, gloss: gloss, sharpness: sharpness))
    }
    let egg = Solid(
      form: .ball, shape: .ellipse(centre: Place(420, 424) + jitter(5), radii: Place(35, 22)),
      surface: scene.add(Pigments.skin[4]))
    if options.moves { scene.moving = (egg, Place(-16, 5)) } else { scene.solids.append(egg) }

    let dark = scene.add(Pigments.neutral(0.05))
    for index in 0..<4 {
      let height = 8 + 3 * Float(index)
      let wave = (height: height, period: 190 + 60 * Float(index))
      scene.wires.append(
        Wire(start: Place(0, 358 + 9 * Float(index)), length: 640, width: 1.4, wave: wave, surface: dark))
    }
    for index in 0..<8 {
      let x = 36 + Float(index * index) * 0.4 + 5 * Float(index)
      scene.wires.append(Wire(start: Place(x, 400), length: 60, width: 1.1 + 0.15 * Float(index), surface: dark))
    }
    scene.lighting.isMixed = options.isMixed
    let tilt = 0.12 * generator.signed()
    scene.lighting.band = (
      Place(505, 220) + jitter(10), Lighting.direction(0.9, 0.32 + tilt), 105, 26, 0.675 + 0.075 * generator.signed()
    )
    return scene
  }

  /// A chart that fills the picture, evenly lit: to make profiles from.
  static func calibration(_ options: Options) -> Scene {
    var generator = SplitMix(seed: options.seed, 2)
    var scene = Scene(options, &generator)
    let tilt = 0.02 * generator.signed()
    scene.addChart(.rectangle(centre: Place(320, 240), size: Place(556, 376), angle: tilt), options)
    scene.lighting.slope = Place(-0.1, -0.05)
    return scene
  }

  init(_ options: Options, _ generator: inout SplitMix) {
    surfaces = options.chart
    func grey(_ level: Double, _ pigment: Spectrum) -> Spectrum {
      Spectrum { 0.7 * level + 0.3 * pigment.value(at: $0) }
    }
    surfaces.append(grey(0.55, Pigments.random(&generator)))
    surfaces.append(grey(0.2, Pigments.random(&generator)))
    let count = surfaces.count
    wall = Wall(
      surfaces: (count - 2, count - 1),
      texture: Texture(seed: UInt32(truncatingIfNeeded: generator.next())))
    lighting.flashCentre += generator.place(within: 10)
  }

  mutating func add(_ surface: Spectrum) -> Int {
    surfaces.append(surface)
    return surfaces.count - 1
  }

  mutating func addChart(_ shape: Shape, _ options: Options) {
    let black = add(Pigments.neutral(0.035))
    let plate = Plate(
      shape: shape,
      paint: .patches(columns: 6, rows: 4, Array(options.chart.indices), part: 0.84, frame: black))
    plates.append(plate)
    patches += ChartReference.patchNames.indices.map { index in
      Patch(
        name: ChartReference.patchNames[index], kind: .colorChecker, corners: plate.patchCorners(index), surface: index)
    }
  }

  private mutating func addSkin(_ shape: Shape) {
    let grey = add(Pigments.neutral(0.36))
    let first = surfaces.count
    surfaces += Pigments.skin
    let order = [6, 11, 12, 4, 3, 8, 7, 1, 2, 0, 5, 10, 9, 13]
    let plate = Plate(
      shape: shape, paint: .patches(columns: 7, rows: 2, order.map { first + $0 }, part: 0.82, frame: grey))
    plates.append(plate)
    patches += order.enumerated().map { index, skin in
      Patch(
        name: Pigments.skinNames[skin], kind: .skin, corners: plate.patchCorners(index), surface: first + skin)
    }
  }

  private mutating func addWindow(_ shape: Shape, _ generator: inout SplitMix) {
    let (frame, first, second) = (
      add(Pigments.neutral(0.75)), add(Pigments.random(&generator)), add(Pigments.random(&generator))
    )
    var small: [Plate] = []
    for index in 0..<6 {
      let local = Place(index % 2 == 0 ? -0.42 : 0.42, [-0.62, -0.05, 0.5][index / 2])
      let card = Shape.rectangle(centre: shape.place(local), size: Place(30, 30), angle: 0)
      let surface = add(Pigments.random(&generator))
      small.append(Plate(shape: card, paint: .plain(surface)))
      patches.append(card.patch("far\(index)", .far, surface))
    }
    window = Window(
      shape: shape, frame: frame,
      background: Wall(surfaces: (first, second), texture: Texture(seed: wall.texture.seed &+ 1)), plates: small,
      flash: (0.018, 0.04), ambient: 0.85)
  }

  /// Grey cards in the corners, and cards of pigments that are on no chart.
  private mutating func addCards(_ generator: inout SplitMix) {
    let grey = add(Pigments.neutral(0.32))
    let corners = [Place(26, 448), Place(612, 30), Place(268, 26), Place(24, 16)]
    for (index, corner) in corners.prefix(3).enumerated() {
      let card = Shape.rectangle(centre: corner, size: Place(28, 28), angle: 0)
      plates.append(Plate(shape: card, paint: .plain(grey)))
      patches.append(card.patch("grey\(index)", .object, grey))
    }
    for index in 0..<8 {
      let column = Float(index % 4)
      let place = Place(168 + 32 * column, index < 4 ? 222 : 254) + generator.place(within: 2)
      let surface = add(Pigments.random(&generator))
      let card = Shape.rectangle(centre: place, size: Place(25, 25), angle: 0)
      plates.append(Plate(shape: card, paint: .plain(surface)))
      patches.append(card.patch("object\(index)", .object, surface))
    }
  }
}

extension Shape {
  fileprivate func patch(_ name: String, _ kind: PairTruth.Patch.Kind, _ surface: Int) -> Scene.Patch {
    // A little inside, as blur reaches over edges.
    let corners = [Place(-0.85, -0.85), Place(0.85, -0.85), Place(0.85, 0.85), Place(-0.85, 0.85)].map(place)
    return Scene.Patch(name: name, kind: kind, corners: corners, surface: surface)
  }
}

extension Lighting {
  static func direction(_ x: Float, _ y: Float) -> Place {
    let vector = Place(x, y)
    return vector / (vector * vector).sum().squareRoot()
  }
}

extension SplitMix {
  /// Evenly from -1 to 1.
  fileprivate mutating func signed() -> Float { Float(2 * uniform() - 1) }

  /// A place near zero.
  fileprivate mutating func place(within amount: Float) -> Place { Place(amount * signed(), amount * signed()) }
}
