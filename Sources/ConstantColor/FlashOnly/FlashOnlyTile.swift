import Raster

/// The estimate of one tile, with its margin.
struct FlashOnlyTile {
  /// The three frames over the tile's area.
  struct Frames {
    var difference: Image
    var flash: Image
    var ambient: Image?
  }

  private let estimate: FlashOnlyEstimate
  private let area: Rectangle
  private let frames: Frames
  private let planes: Planes

  /// What each plane holds.
  private enum Plane {
    static let brightness = 0
    static let chroma = 1
    static let brightnessVariance = 3
    static let chromaVariance = 4
    static let validity = 5
    /// How near a clipped pixel is: 1 = this one is.
    static let clipping = 6
    /// Colour of the difference, of the flash frame, and relative variance; twice, to filter back and forth.
    static let narrow = 7
    static let narrowTarget = 14
    /// Colour of the difference, brightness of the fill, and relative variance; twice.
    static let wide = 21
    static let wideTarget = 26
    /// The fill's colour.
    static let fill = 31
    static let count = 34
  }

  init(_ estimate: FlashOnlyEstimate, area: Rectangle, frames: Frames) {
    self.estimate = estimate
    self.area = area
    self.frames = frames
    planes = Planes(count: Plane.count, width: area.width, height: area.height, reach: 8)
    load()
    measure()
    filter()
  }

  // MARK: Input

  /// Larger values are none: their squares must stay finite.
  private static let largest: Float = 65504

  /// A pixel's colours, made defined; `isKnown` is false where one was not.
  private struct Site {
    var difference: SIMD3<Float>
    var flash: SIMD3<Float>
    var ambient: SIMD3<Float>
    var isKnown: Bool
    var hasAmbient: Bool
  }

  @inline(__always)
  private func site(_ index: Int, _ difference: Pixels, _ flash: Pixels, _ ambient: Pixels?) -> Site {
    let (d, f) = (difference[index], flash[index])
    let a = ambient?[index] ?? .zero
    // NaN fails the comparison.
    let limit = SIMD3<Float>(repeating: Self.largest)
    let isInside = (d.rgb .< limit) .& (d.rgb .> -limit) .& (f.rgb .< limit) .& (f.rgb .> -limit)
    let isKnown = (isInside .& (a.rgb .< limit) .& (a.rgb .> -limit)) == SIMDMask(repeating: true)
    let hasAmbient = ambient == nil || (d.w > 0 && a.w > 0)
    guard isKnown else {
      return Site(difference: .zero, flash: .zero, ambient: .zero, isKnown: false, hasAmbient: hasAmbient)
    }
    return Site(difference: d.rgb, flash: f.rgb, ambient: a.rgb, isKnown: true, hasAmbient: hasAmbient)
  }

  /// The fill at a pixel: the ambient frame in the flash's colours, or the flash frame's local share.
  @inline(__always)
  private func fill(_ site: Site, x: Int, y: Int) -> SIMD3<Float> {
    let gains = estimate.gains.gains(x: x, y: y)
    let light = site.hasAmbient && frames.ambient != nil ? site.ambient * gains.ambient : site.flash * gains.flash
    return pointwiseMax(light, .zero)
  }

  private func load() {
    let (validity, clipping) = (planes[Plane.validity], planes[Plane.clipping])
    forEachSite(of: area) { place, x, y, site in
      let isClipped = site.flash.max() >= 1
      validity[place] = site.isKnown && site.hasAmbient && !isClipped ? 1 : 0
      clipping[place] = isClipped ? 1 : 0
      let fill = fill(site, x: x, y: y)
      for channel in 0..<3 {
        planes[Plane.narrow + channel][place] = site.difference[channel]
        planes[Plane.narrow + 3 + channel][place] = site.flash[channel]
        planes[Plane.wide + channel][place] = site.difference[channel]
        planes[Plane.fill + channel][place] = fill[channel]
      }
      planes[Plane.wide + 3][place] = fill.brightness
      // Without ambient data the difference is not one: nothing is known until a neighbour lends its value.
      let variance: Float = validity[place] > 0 || isClipped ? 1 : 1e6
      planes[Plane.narrow + 6][place] = variance
      planes[Plane.wide + 4][place] = variance
    }
  }

  @inline(__always)
  private func forEachSite(of part: Rectangle, _ body: (Int, Int, Int, Site) -> Void) {
    frames.difference.withPixels { difference in
      frames.flash.withPixels { flash in
        @inline(__always) func run(_ ambient: Pixels?) {
          for y in part.y..<part.maxY {
            for x in part.x..<part.maxX {
              let (column, row) = (x - area.x, y - area.y)
              let site = site(row * area.width + column, difference, flash, ambient)
              body(row * planes.stride + column, x, y, site)
            }
          }
        }
        if let ambient = frames.ambient { ambient.withPixels { run($0) } } else { run(nil) }
      }
    }
  }

  /// The variance of the difference at a pixel.
  @inline(__always)
  private func variance(_ site: Site) -> SIMD3<Float> {
    let ambient =
      frames.ambient == nil ? SIMD3<Float>.zero : estimate.ambientNoise.variance(site.ambient)
    return estimate.flashNoise.variance(site.flash) + ambient + 1e-10
  }

  // MARK: Guide

  /// Brightness of each pixel, chromaticity of the 3 × 3 mean around it, and how far noise moves them.
  private func measure() {
    let stride = planes.stride
    let red = planes[Plane.narrow + 3]
    let green = planes[Plane.narrow + 4]
    let blue = planes[Plane.narrow + 5]
    forEachSite(of: area) { place, x, y, site in
      let variance = variance(site)
      planes[Plane.brightness][place] = site.flash.brightness
      planes[Plane.brightnessVariance][place] = site.isKnown ? variance.brightnessVariance : 1e6
      var mean = site.flash
      if x > area.x, x < area.maxX - 1, y > area.y, y < area.maxY - 1 {
        @inline(__always) func sum(_ plane: UnsafeMutablePointer<Float>) -> Float {
          let (above, below) = (place - stride, place + stride)
          return plane[above - 1] + plane[above] + plane[above + 1] + plane[place - 1] + plane[place] + plane[place + 1]
            + plane[below - 1] + plane[below] + plane[below + 1]
        }
        mean = SIMD3(sum(red), sum(green), sum(blue)) * (1.0 / 9)
      }
      let total = max(mean.sum(), 1e-6)
      planes[Plane.chroma][place] = mean.x / total
      planes[Plane.chroma + 1][place] = mean.z / total
      let noise = (variance.x + variance.z) / (18 * total * total)
      planes[Plane.chromaVariance][place] = site.isKnown ? noise + 1.6e-5 : 1e6
    }
  }

  // MARK: Averaging

  private func filter() {
    var filter = EdgeAvoidingFilter(
      brightness: planes[Plane.brightness], chroma: (planes[Plane.chroma], planes[Plane.chroma + 1]),
      brightnessVariance: planes[Plane.brightnessVariance], chromaVariance: planes[Plane.chromaVariance],
      validity: planes[Plane.validity], brightnessTolerance: 0)
    // The insets add up to the margin: one pixel for the guide, then the sum of the steps.
    filter.apply(planes, count: 6, from: Plane.narrow, to: Plane.narrowTarget, step: 1, inset: 2)
    filter.apply(planes, count: 6, from: Plane.narrowTarget, to: Plane.narrow, step: 2, inset: 4)
    filter.apply(planes, count: 6, from: Plane.narrow, to: Plane.narrowTarget, step: 4, inset: 8)
    // Colour of a surface does not change with its shading: brightness up to a factor of two or so joins in.
    filter.brightnessTolerance = 0.3
    filter.apply(planes, count: 4, from: Plane.wide, to: Plane.wideTarget, step: 1, inset: 2)
    filter.apply(planes, count: 4, from: Plane.wideTarget, to: Plane.wide, step: 2, inset: 4)
    filter.apply(planes, count: 4, from: Plane.wide, to: Plane.wideTarget, step: 4, inset: 8)
    filter.apply(planes, count: 4, from: Plane.wideTarget, to: Plane.wide, step: 8, inset: 16)
  }

  // MARK: Output

  /// Writes the part `tile` of `rectangle`.
  func write(_ tile: Rectangle, of rectangle: Rectangle, into output: MutablePixels) {
    forEachSite(of: tile.intersection(area)) { place, x, y, site in
      let result = combine(place, site)
      output[(y - rectangle.y) * rectangle.width + x - rectangle.x] = result
    }
  }

  @inline(__always)
  private func colour(_ plane: Int, _ place: Int) -> SIMD3<Float> {
    SIMD3(planes[plane][place], planes[plane + 1][place], planes[plane + 2][place])
  }

  @inline(__always)
  private func combine(_ place: Int, _ site: Site) -> Pixel {
    let variance = variance(site)
    let noise = variance.brightnessVariance
    let isClipped = site.flash.max() >= 1
    let narrow = detailed(place, site, variance)
    // Without a defined number of its own a pixel is what its neighbours are.
    guard site.isKnown else { return Pixel(rgb: narrow.colour.isFinite ? narrow.colour : .zero, alpha: 1 / 256) }
    let wide = colour(Plane.wide, place)
    let wideVariance = noise * planes[Plane.wide + 4][place]

    // How bright the flash is here: the wide mean, and the fill where that is lost in noise.
    let fill = colour(Plane.fill, place)
    let fillMean = planes[Plane.wide + 3][place]
    let doubt = 0.25 * fillMean * fillMean
    let level = (wide.brightness * doubt + fillMean * wideVariance) / max(doubt + wideVariance, 1e-20)
    let correction = fillMean > 1e-9 ? max(0, min(level / fillMean, 20)) : 1
    let filled = fill * correction

    // Brightness: the measurement against a fill that is right to 30 %.
    let expected = 0.3 * filled.brightness
    let prior = expected * expected + 1e-12
    let trust = prior / (prior + narrow.variance)
    let brightness = narrow.colour.brightness * trust + filled.brightness * (1 - trust)

    // Colour: the wide mean against a fill that is right to a few tens of per cent.
    let signal = max(level, 0)
    let quality = signal * signal / max(signal * signal + 9 * wideVariance, 1e-20)
    let measured = wide / max(max(wide.brightness, wideVariance.squareRoot()), 1e-9)
    let assumed = filled / max(filled.brightness, 1e-9)
    var tone = measured * quality + assumed * (1 - quality)
    let toneBrightness = tone.brightness
    if toneBrightness > 0.1 { tone /= toneBrightness }
    var result = tone * brightness

    // What noise hardly touches stays as it is.
    if site.isKnown, site.hasAmbient {
      let own = 0.004 * site.difference.brightness
      let strength = isClipped ? 0 : noise / (noise + own * own)
      result = site.difference + (result - site.difference) * strength
    }
    let highlight = highlight(place, site, result)
    let isMeasured = site.isKnown && site.hasAmbient && !isClipped
    let alpha = isMeasured ? max(quality, 1 / 256) : 1 / 256
    return Pixel(rgb: highlight.isFinite ? highlight : .zero, alpha: alpha)
  }

  /// The narrow mean, with the detail that the flash frame shows more clearly than the difference does.
  ///
  /// Detail that both frames' noise hides in the difference is a surface's texture: it is in the flash frame in
  /// proportion to the flash's share of the light. It is added as far as the noise is the ambient frame's.
  @inline(__always)
  private func detailed(_ place: Int, _ site: Site, _ variance: SIMD3<Float>) -> (
    colour: SIMD3<Float>, variance: Float
  ) {
    let mean = colour(Plane.narrowTarget, place)
    let flashMean = colour(Plane.narrowTarget + 3, place)
    let relative = planes[Plane.narrowTarget + 6][place]
    let total = variance.brightnessVariance
    guard site.isKnown, site.hasAmbient, flashMean.brightness > 1e-6 else { return (mean, total * relative) }
    let own = estimate.flashNoise.variance(site.flash).brightnessVariance
    let share = max(0, min(mean.brightness / flashMean.brightness, 1))
    let amount = share * max(0, 1 - own / total)
    return (mean + (site.flash - flashMean) * amount, total * relative + amount * amount * own)
  }

  /// Clipped highlights: the flash's white, at least as bright as what was measured.
  @inline(__always)
  private func highlight(_ place: Int, _ site: Site, _ colour: SIMD3<Float>) -> SIMD3<Float> {
    let nearness = clipping(around: place)
    guard nearness > 0 else { return colour }
    // A surface that is merely saturated clips one channel: only where the others are high, too, is it glare.
    let sorted = site.flash.sum() - site.flash.max() - site.flash.min()
    let glare = max(0, min((sorted - 0.4) / 0.5, 1))
    let amount = nearness * glare * glare * (3 - 2 * glare)
    let white = estimate.flashWhite
    let bright = white * (colour / white).max()
    return colour + (bright - colour) * amount
  }

  /// How much of the neighbourhood is clipped, 0...1: demosaicing and resampling taint two pixels around, and
  /// one clipped pixel among many that are not says little. Binomial weights over 5 × 5.
  @inline(__always)
  private func clipping(around place: Int) -> Float {
    let plane = planes[Plane.clipping]
    var share: Float = 0
    for row in -2...2 {
      let line = plane + place + row * planes.stride
      let sum = line[-2] + line[2] + 4 * (line[-1] + line[1]) + 6 * line[0]
      share += sum * (row == 0 ? 6 : row == 1 || row == -1 ? 4 : 1)
    }
    return min(1, share * (1.6 / 256))
  }
}
