import Glibc

/// How light falls on a scene.
struct Lighting: Sendable {
  /// Where the flash shines brightest, and the distance in which it falls to a quarter (the law of cos⁴ for a small light
  /// before a wall).
  var flashCentre = Place(320, 225)
  var flashReach: Float = 715
  /// Where shadows of the flash fall.
  var flashShadowOffset = Place(1, 1.2)
  /// How the room's light changes from left to right and from top to bottom, relative.
  var slope = Place(-0.4, -0.12)
  /// Whether the room has a second light, from the right; the first then comes from the left.
  var isMixed = false
  /// A shadow over the scene: a band through a place, across a direction, its width and the width of its edges; and what
  /// part of the light it takes. Nil: none.
  var band: (place: Place, normal: Place, width: Float, edge: Float, depth: Float)?
  /// Where plates mirror the flash: the middle, the distance in which it falls to 61 %, and its strength, in units of what a white
  /// surface sends. Nil: nowhere.
  var glare: (place: Place, radius: Float, strength: Float)?
  /// From where the room's light comes.
  var directionOfAmbient = Lighting.unit(-0.45, -0.55, 0.7)

  /// The flash's illuminance relative to the brightest place.
  func flash(_ place: Place) -> Float {
    let off = (place - flashCentre) / flashReach
    let fall = 1 + (off * off).sum()
    return 1 / (fall * fall)
  }

  /// The illuminance of the room's two lights, without shadow.
  func ambient(_ place: Place) -> SIMD2<Float> {
    let relative = (place - Place(320, 240)) / 640
    guard isMixed else { return SIMD2(max(1 + (slope * relative).sum(), 0.1), 0) }
    let right = smoothstep(60, 580, place.x)
    return SIMD2(1.25 * (1 - right) + 0.05, 1.15 * right + 0.05)
  }

  /// How much of a place is in the shadow, 0...1.
  func shadow(_ place: Place) -> Float {
    guard let band else { return 0 }
    let across = abs(((place - band.place) * band.normal).sum())
    return smoothstep(band.width / 2 + band.edge / 2, band.width / 2 - band.edge / 2, across)
  }

  /// What plates mirror of the flash, in units of what a white surface sends.
  func glare(_ place: Place) -> Float {
    guard let glare else { return 0 }
    let off = (place - glare.place) / glare.radius
    return glare.strength * exp(-0.5 * (off * off).sum())
  }

  /// What a shadow leaves of the room's lights: it is the first one's.
  func left(of shadow: Float) -> SIMD2<Float> { SIMD2(1 - shadow * (band?.depth ?? 0), 1) }

  /// From a place to the flash.
  func directionOfFlash(from place: Place) -> SIMD3<Float> {
    let off = (flashCentre - place) / flashReach
    return Lighting.unit(off.x, off.y, 1)
  }

  static func unit(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Float> {
    let vector = SIMD3(x, y, z)
    return vector / (vector * vector).sum().squareRoot()
  }
}
