import Calibration
import ColorScience

extension Scene {
  /// The sheet that products lie before, alone: to measure a flat field on.
  static func sheet(_ options: Options) -> Scene {
    var generator = SplitMix(seed: options.seed, 5)
    var scene = Scene(options, &generator)
    scene.addSheet(options)
    return scene
  }

  /// A product of chance before a white sheet, with a grey card and three patches of the chart at places of their own.
  ///
  /// - Parameter number: another product for another number.
  static func product(_ options: Options, number: UInt64, glows: Bool) -> Scene {
    var generator = SplitMix(seed: options.seed, 6, number)
    var scene = Scene(options, &generator)
    scene.addSheet(options)
    func paint() -> Int { scene.add(Pigments.random(&generator)) }
    func jitter(_ amount: Float) -> Place {
      Place(amount * Float(2 * generator.uniform() - 1), amount * Float(2 * generator.uniform() - 1))
    }
    let front = glows ? scene.add(Pigments.glowing) : paint()
    let box = Shape.rectangle(centre: Place(286, 268) + jitter(12), size: Place(130, 150), angle: 0.1 * jitter(1).x)
    scene.plates.append(Plate(shape: box, paint: .plain(front)))
    scene.patches.append(Patch(name: "product", kind: .object, corners: Self.inner(box), surface: front))
    let (bottle, lid) = (paint(), paint())
    scene.solids.append(
      Solid(
        form: .ball, shape: .ellipse(centre: Place(402, 322) + jitter(6), radii: Place(44, 44)), surface: lid, gloss: 4,
        sharpness: 90))
    scene.solids.append(
      Solid(
        form: .cylinder, shape: .rectangle(centre: Place(360, 226) + jitter(6), size: Place(64, 210), angle: 0),
        surface: bottle, gloss: 2, sharpness: 60))

    scene.addCard("grey card", Place(58, 84), scene.add(Pigments.neutral(0.36)))
    for (name, index, y) in [("red", 14, Float(84)), ("green", 13, 174), ("blue", 12, 264)]
    where options.chart.indices.contains(index) {
      scene.addCard(name, Place(582, y), index)
    }
    scene.lighting.band = (
      Place(420, 260) + jitter(30), Lighting.direction(0.9, 0.3 + jitter(0.2).x), 130, 40, 0.5
    )
    return scene
  }

  private mutating func addSheet(_ options: Options) {
    let paper = add(Pigments.neutral(0.82))
    let size = Place(720, options.frameHeight + 80)
    plates.append(Plate(shape: .rectangle(centre: Place(320, 240), size: size, angle: 0), paint: .plain(paper)))
    // The flash is fixed to the camera, whatever lies before it.
    lighting.flashCentre = Place(331, 222)
  }

  private mutating func addCard(_ name: String, _ centre: Place, _ surface: Int) {
    let shape = Shape.rectangle(centre: centre, size: Place(66, 66), angle: 0)
    plates.append(Plate(shape: shape, paint: .plain(surface)))
    patches.append(Patch(name: name, kind: .object, corners: Self.inner(shape), surface: surface))
  }

  private static func inner(_ shape: Shape) -> [Place] {
    [Place(-0.8, -0.8), Place(0.8, -0.8), Place(0.8, 0.8), Place(-0.8, 0.8)].map(shape.place)
  }
}
