import Raster

/// Puts the averages of a tile together: the measurement and the fill, each as far as it can be believed.
struct FlashOnlyBlend {
  private let planes: Planes
  private let flashNoise, ambientNoise: NoiseModel
  /// How much more noise is left of means than if neighbours did not share it.
  private let correlation: ColorVector
  private let surfaces: SurfaceCorrection
  private let white: ColorVector
  private let hasClipping: Bool

  private typealias Plane = FlashOnlyTile.Plane

  /// The exposure ratio's relative error: with much ambient light, and little of the flash's, the difference is that
  /// error's colour however little noise there is.
  private let ratioError: Float

  /// The share of its brightest channel by which an ambient colour may lie outside the file's colour space: so much may be
  /// missing from the difference of a channel that the camera has cut off.
  private static let cutOff: Float = 0.05

  /// How far the fill's colour is usually off, relative, a channel, of a neutral surface; of a saturated one up to three times as much.
  private static let fillDeviation: Float = 0.048

  /// The least brightness of the result relative to the fill. The flash's own shadows are lit by what the room
  /// reflects: a few per cent.
  private static let shadow: Float = 0.1

  init(_ tile: FlashOnlyTile) {
    correlation = ColorVector(tile.estimate.noiseCorrelation)
    planes = tile.planes
    (flashNoise, ambientNoise) = (tile.estimate.flashNoise, tile.estimate.ambientNoise)
    surfaces = tile.estimate.gains.surfaces
    ratioError = tile.estimate.ratioUncertainty
    white = ColorVector(tile.estimate.flashWhite)
    hasClipping = tile.hasClipping
  }

  /// Writes the pixels inside the margin, row after row.
  func write(inset: Int, width: Int, height: Int, into output: MutablePixels) {
    for y in 0..<height {
      var x = 0
      while x < width {
        let place = (y &+ inset) &* planes.stride &+ x &+ inset
        blend(place).store(output, y &* width &+ x, count: min(8, width &- x))
        x &+= 8
      }
    }
  }

  /// Compares the colour that the flash shows with the one that the ambient frame leads to, both the means of a few pixels of
  /// one surface.
  func compare(inset: Int) {
    for y in inset..<max(inset, planes.height - inset) {
      var x = inset
      while x < planes.width - inset {
        let place = y &* planes.stride &+ x
        let flash = colour(Plane.flash, place)
        let (mean, fill) = (colour(Plane.wideOther, place), colour(Plane.wideOther + 3, place))
        let ambient = (flash - colour(Plane.difference, place)).positive
        let noises = flashNoise.variance(flash) + ambientNoise.variance(ambient)
        let noise = noises * correlation * value(Plane.wideOther + 6, place)
        let shift = ambient * Vector8(repeating: ratioError)
        let level = 1 / mean.brightness.greater(Vector8(repeating: 1e-6))
        let fillLevel = fill.brightness
        let lit = surfaces(fill.positive * (1 / fillLevel.greater(Vector8(repeating: 1e-9))))
        let mismatch = mean * level - lit * (1 / lit.brightness.greater(Vector8(repeating: 1e-9)))
        let found = (mismatch * mismatch).sum
        let expected = (noise + shift * shift).sum * level * level
        // Where there is hardly any light, or no ambient light, nobody can contradict.
        let isTold = (value(Plane.validity, place) .> 0) .& (mean.brightness .> 1e-5) .& (fillLevel .> 1e-5)
        let contradiction = Vector8.zero.greater(found - 2 * expected).replacing(with: 0, where: .!isTold)
        EstimateQuality.agreement(contradiction.lesser(Vector8(repeating: 4))).store(
          at: planes[Plane.agreement] + place)
        x &+= 8
      }
    }
  }

  @inline(__always)
  private func value(_ plane: Int, _ place: Int) -> Vector8 { Vector8(at: planes[plane] + place) }

  @inline(__always)
  private func colour(_ plane: Int, _ place: Int) -> ColorVector {
    ColorVector(value(plane, place), value(plane + 1, place), value(plane + 2, place))
  }

  @inline(__always)
  private func blend(_ place: Int) -> PixelVector {
    let difference = colour(Plane.difference, place)
    let flash = colour(Plane.flash, place)
    let differenceBrightness = value(Plane.differenceBrightness, place)
    let noise = value(Plane.variance, place)
    let isKnown = value(Plane.known, place) .> 0
    let isMeasured = value(Plane.measured, place) .> 0
    let isClipped = value(Plane.clipping, place) .> 0
    let narrow = narrow(place, flash, noise, isMeasured)
    let averages = averages(place, noise)
    let wide = averages.difference
    let fill = colour(Plane.fill, place)
    // Without ambient data what the flash does not account for; neighbours lend differences that had as much.
    let ambient = (flash - fill.replacing(with: difference, where: isMeasured)).positive
    let systematic = systematicDeviation(ambient)
    let lost = systematic.cutOff * systematic.cutOff
    let noises = flashNoise.variance(flash) + ambientNoise.variance(ambient)
    // What is beyond the frames' noise is a bright edge's.
    let edge = Vector8.zero.greater(noise - noises.brightnessVariance) * averages.variance
    let meanNoise = noises * correlation * averages.variance
    let random = meanNoise.brightnessVariance + edge
    let wideVariance = random + systematic.ratio * systematic.ratio + lost

    // How bright the flash is here: the wide mean, and the fill where that is lost in noise.
    let fillMean = averages.fill
    let fillLevel = fillMean.brightness
    // Light that is there beyond doubt, and that the fill does not account for: a surface without ambient light.
    let surplus = Vector8.zero.greater(wide.brightness - 3 * wideVariance.squareRoot() - 1.5 * fillLevel)
    let doubt = fillLevel * fillLevel * 0.25 + surplus * surplus
    @inline(__always) func levelled(_ variance: Vector8) -> Vector8 {
      (wide.brightness * doubt + fillLevel * variance) / (doubt + variance).greater(Vector8(repeating: 1e-20))
    }
    let expectedLevel = levelled(wideVariance)
    let correction = Vector8.zero.greater(expectedLevel / fillLevel).lesser(Vector8(repeating: 20))
      .replacing(with: 1, where: fillLevel .<= 1e-9)
    let fillBrightness = fill.brightness
    let filled = fillBrightness * correction

    // Brightness: the measurement against a fill that is right to 30 %.
    let expected = filled * 0.3
    let prior = expected * expected + surplus * surplus + 1e-12
    let trust = prior / (prior + narrow.variance + systematic.ratio * systematic.ratio)
    let brightness = Self.raised(narrow.brightness * trust + filled * (1 - trust), above: fillBrightness * Self.shadow)

    // Colour: the wide mean against a fill that is right to some hundredths.
    let quality = Self.quality(expectedLevel, wideVariance)
    let level = expectedLevel.greater(fillLevel * Self.shadow).greater(Vector8(repeating: 1e-9))
    let assumed = surfaces(fillMean.positive * (1 / fillLevel.greater(Vector8(repeating: 1e-9))))
    let deviation = (surfaces.saturation(assumed) * 2 + 1) * Self.fillDeviation
    let doubtOfFill = assumed * deviation + deviation * 0.3
    let priorVariance: ColorVector = doubtOfFill * doubtOfFill * (level * level)
    let ratioShift = ambient * Vector8(repeating: ratioError)
    let measuredVariance: ColorVector = meanNoise + ratioShift * ratioShift + (lost + edge)
    let weight = priorVariance / (priorVariance + measuredVariance + Vector8(repeating: 1e-20))
    let tone = assumed + (wide * (1 / level) - assumed) * weight
    let toneBrightness = tone.brightness
    let scale = (brightness / toneBrightness).replacing(with: brightness, where: toneBrightness .<= 0.1)
    var result = tone * scale

    // What noise hardly touches, and the flash lit, stays as it is.
    let change = differenceBrightness * 0.004
    let strength = 1 - (1 - noise / (noise + change * change)) * quality
    let kept = strength.replacing(with: 0, where: isClipped).replacing(with: 1, where: .!isMeasured)
    result = difference + (result - difference) * kept
    if hasClipping { result = highlight(place, flash, result) }
    // Without a defined number of its own a pixel is what its neighbours are.
    result = result.replacing(with: wide, where: .!isKnown)
    // The ratio's error is not the estimate's: whoever judges the colour reckons with it on his own. Of brightness, the
    // darkest channel is a quarter.
    let ownVariance = random + lost * 0.0625
    let own = Self.quality(levelled(ownVariance), ownVariance)
    let least = Vector8(repeating: 1 / 256)
    return PixelVector(
      ColorVector.zero.replacing(with: result, where: result.isFinite),
      EstimateQuality(
        quality: least.replacing(with: own, where: isMeasured .& .!isClipped),
        agreement: value(Plane.agreement, place), nearness: value(Plane.nearness, place)
      ).alpha)
  }

  /// The wide means: over as much as noise asks for, since a mean over more may hold a little of what is beside a surface.
  @inline(__always)
  private func averages(
    _ place: Int, _ noise: Vector8
  ) -> (difference: ColorVector, fill: ColorVector, variance: Vector8) {
    let (near, far) = (colour(Plane.wideOther, place), colour(Plane.wide, place))
    let level = Vector8.zero.greater(near.brightness) * Self.visible
    let left = noise * value(Plane.wideOther + 6, place)
    let share = left / (left + level * level).greater(Vector8(repeating: 1e-20))
    let (nearFill, farFill) = (colour(Plane.wideOther + 3, place), colour(Plane.wide + 3, place))
    let (variance, least) = (value(Plane.wideOther + 6, place), value(Plane.wide + 6, place))
    return (near + (far - near) * share, nearFill + (farFill - nearFill) * share, variance + (least - variance) * share)
  }

  /// The relative noise of brightness that is not worth averaging away.
  private static let visible: Float = 0.004

  /// The error of brightness that no averaging removes, if this is the ambient light in the flash frame: of the exposure
  /// ratio, and of what the camera has cut off.
  @inline(__always)
  private func systematicDeviation(_ ambient: ColorVector) -> (ratio: Vector8, cutOff: Vector8) {
    (ambient.brightness * ratioError, ambient.max * ChannelInformation.loss(ambient) * Self.cutOff)
  }

  /// s² / (s² + 9), where s is the signal-to-noise ratio.
  @inline(__always)
  private static func quality(_ level: Vector8, _ variance: Vector8) -> Vector8 {
    let signal = Vector8.zero.greater(level)
    let power = signal * signal
    return power / (power + 9 * variance).greater(Vector8(repeating: 1e-20))
  }

  /// A value kept above a floor; it bends away below twice the floor, so that there is no edge.
  @inline(__always)
  private static func raised(_ value: Vector8, above floor: Vector8) -> Vector8 {
    let inside = Vector8.zero.greater(value)
    let bent = floor + inside * inside / (4 * floor).greater(Vector8(repeating: 1e-20))
    return value.replacing(with: bent, where: value .< 2 * floor)
  }

  /// The narrow mean of brightness, with the detail that the flash frame shows more clearly than the difference does.
  ///
  /// Detail that both frames' noise hides in the difference is a surface's texture: it is in the flash frame in
  /// proportion to the flash's share of the light. It is added as far as the noise is the ambient frame's.
  @inline(__always)
  private func narrow(
    _ place: Int, _ flash: ColorVector, _ total: Vector8, _ isMeasured: SIMDMask<SIMD8<Int32>>
  ) -> (brightness: Vector8, variance: Vector8) {
    let mean = value(Plane.narrow, place)
    let flashMean = value(Plane.narrow + 1, place)
    let own = flashNoise.variance(flash).brightnessVariance
    let amount = ((mean / flashMean).unit * (1 - own / total).unit)
      .replacing(with: 0, where: .!isMeasured .| (flashMean .<= 1e-6))
    return (
      mean + (value(Plane.brightness, place) - flashMean) * amount,
      total * value(Plane.narrow + 2, place) + amount * amount * own
    )
  }

  /// Clipped highlights: the flash's white, at least as bright as what was measured.
  @inline(__always)
  private func highlight(_ place: Int, _ flash: ColorVector, _ colour: ColorVector) -> ColorVector {
    // A surface that is merely saturated clips one channel: only where the others are as high as white has them is it
    // glare.
    let one = Vector8(repeating: 1)
    let share = flash / white
    let limited = ColorVector(share.x.lesser(one), share.y.lesser(one), share.z.lesser(one))
    let middle = limited.sum - limited.max - limited.min
    let glare = ((middle - 0.4) / 0.5).unit
    let amount = clipping(around: place) * glare * glare * (3 - 2 * glare)
    let bright = white * (colour / white).max
    return colour + (bright - colour) * amount
  }

  /// How much of the neighbourhood is clipped, 0...1: demosaicing and resampling taint two pixels around, and
  /// one clipped pixel among many that are not says little. Binomial weights over 5 × 5.
  @inline(__always)
  private func clipping(around place: Int) -> Vector8 {
    @inline(__always) func row(_ place: Int) -> Vector8 {
      value(Plane.clipping, place &- 2) + value(Plane.clipping, place &+ 2)
        + 4 * (value(Plane.clipping, place &- 1) + value(Plane.clipping, place &+ 1)) + 6 * value(Plane.clipping, place)
    }
    let stride = planes.stride
    let share =
      row(place &- 2 &* stride) + row(place &+ 2 &* stride) + 4 * (row(place &- stride) + row(place &+ stride))
      + 6 * row(place)
    return (share * (1.6 / 256)).unit
  }
}
