/// What a ray from the camera meets, and the light that falls there.
struct ScenePoint {
  /// Two surfaces by their number, and how much of the second there is.
  var first: Int32 = 0
  var second: Int32 = 0
  var mix: Float = 0
  /// What texture does to the reflectance.
  var gain: Float = 1
  /// The diffuse illuminance, relative to the scene's centre: of the flash, of the room's first and second light.
  var flash: Float = 1
  var ambient = SIMD2<Float>(1, 0)
  /// The light of mirror-like reflection, in units of what a white surface sends at the centre.
  var flashGloss: Float = 0
  var ambientGloss = SIMD2<Float>.zero
  /// How much of the room's light is hidden, 0...1.
  var shadow: Float = 0
  var region: Region = []

  /// One surface.
  mutating func paint(_ surface: Int) { (first, second, mix, gain) = (Int32(surface), Int32(surface), 0, 1) }
}
