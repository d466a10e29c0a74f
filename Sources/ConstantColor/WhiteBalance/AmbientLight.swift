import Glibc
import Raster

/// The ambient light's colour over the picture, from what the flash shows of the same surfaces.
///
/// Flash-only light divided by ambient light is the inverse of the ambient light's colour, whatever colour the surface has (Hui
/// et al., "White balance under mixed illumination using flash photography", ICCP 2016). With several lights it changes
/// over the picture, sharply at the edge of a shadow, and is carried from where the flash lit something into the rest along
/// what the ambient frame shows as one light (``EdgeAwareExtension``).
struct AmbientLight {
  /// Gains that turn the ambient light, after the exposure, into the flash's colour, cell by cell.
  let gains: [SIMD3<Float>]
  /// The same for the whole picture.
  let mean: SIMD3<Float>
  /// What the gains leave of surfaces' colours.
  let surfaces: SurfaceCorrection

  /// A reduced picture has at most so many cells.
  static let mostCells = 20_000
  /// The surroundings that tell whether the flash lit a place, in cells to each side.
  private static let reach = 3
  /// Standard deviations in parts of the longer side: of what counts, of what counts where that says nothing, and of
  /// what no place should be far from.
  private static let (near, wide, usual): (Float, Float, Float) = (0.035, 0.25, 0.12)

  /// The relative noise below which surfaces differ more than noise makes them.
  private static let usualNoise: Float = 0.05

  /// How much the colours of the lights in one room vary: the variance of the logarithms of gains.
  private static let variety: Float = 0.06

  /// One cell that both lights lit.
  private struct Surface {
    var ambient, flash: SIMD3<Float>
    /// Weighs it by how much it tells; relative to how bright its surroundings are, so that sums have no bias from noise.
    var weight: Float
    /// The noise of the ambient light.
    var variance: SIMD3<Float>
    /// The relative variance of both lights' brightness: by noise, and by an error of the exposure ratio.
    var noise, ratioError: Float
  }

  /// - Parameters:
  ///   - ambient: the ambient frame, reduced; alpha 0 where it is void.
  ///   - exposure: what brings it to the exposure of the flash frame.
  ///   - noise: of one cell of it.
  ///   - error: what part of the ambient light may be left in the flash-only picture, since it was not matched rightly.
  ///   - flashOnly: the flash-only picture on the same grid, its alpha between 0 and 1 the quality that
  ///     ``FlashOnlyEstimate`` gives.
  ///   - neutral: how a grey surface appears in the flash's light.
  /// - Returns: nil where hardly any surface tells.
  init?(
    ambient: Image, exposure: SIMD3<Float>, noise: NoiseModel, error: Float, flashOnly: Image, neutral: SIMD3<Float>
  ) {
    let (columns, rows) = (ambient.bounds.width, ambient.bounds.height)
    guard flashOnly.bounds == ambient.bounds, !ambient.bounds.isEmpty, neutral.min() > 0 else { return nil }
    var cells = Self.surfaces(ambient, exposure, noise, error, flashOnly)
    let known = cells.compactMap { $0 }
    guard known.count >= max(16, ambient.pixels.count / 500), let rough = Self.gain(known) else { return nil }
    let longest = Float(max(columns, rows))
    let plain = EdgeAwareExtension(columns: columns, rows: rows, guide: [Bool?](repeating: nil, count: cells.count)) {
      _, _ in 0
    }
    var background = Self.ratios(cells, plain, [(Self.usual * longest, 1)], rough)
    let samples = zip(cells, background).compactMap { cell, gain in cell.flatMap { Self.sample($0, gain) } }
    surfaces = SurfaceCorrection(samples, share: Float(known.count) / Float(ambient.pixels.count), white: neutral)
    // The ambient light as if each surface were one that gains turn rightly.
    for (index, gain) in background.enumerated() {
      guard let cell = cells[index], cell.ambient.min() > 0 else { continue }
      cells[index]?.ambient = surfaces(cell.ambient * gain) / gain
    }
    let whole = Self.gain(cells.compactMap { $0 }) ?? rough
    background = Self.ratios(cells, plain, [(Self.usual * longest, 1)], whole)
    // What moved or shines contradicts its surroundings.
    for index in cells.indices {
      guard let cell = cells[index] else { continue }
      let (light, spread) = (cell.ambient * background[index], cell.variance.squareRoot() * background[index])
      let tone = cell.flash * (light.brightness / max(cell.flash.brightness, 1e-12))
      let error = pointwiseMax(tone - light, light - tone) - 2 * spread
      let odd = max(error.max(), 0) / (0.3 * max(light.brightness, 1e-12))
      cells[index]?.weight /= (1 + odd * odd) * (1 + odd * odd)
    }
    let lights = EdgeAwareExtension(columns: columns, rows: rows, guide: Self.guide(ambient, noise)) { a, b in
      let change = pointwiseMax(a - b, b - a)
      return 0.035 * longest * (change.x + change.z + 0.25 * change.y) / 0.4
    }
    let scales: [(Float, Float)] = [(Self.near * longest, 1), (Self.wide * longest, 0.05)]
    gains = Self.ratios(cells, lights, scales, whole)
    mean = whole
  }

  /// The cells that both lights lit, all as bright as their surroundings are in the ambient light.
  private static func surfaces(
    _ ambient: Image, _ exposure: SIMD3<Float>, _ noise: NoiseModel, _ error: Float, _ flashOnly: Image
  ) -> [Surface?] {
    let (columns, rows) = (ambient.bounds.width, ambient.bounds.height)
    func isKnown(_ index: Int) -> Bool {
      let (a, d) = (ambient.pixels[index], flashOnly.pixels[index])
      return a.w > 0 && d.w > 0 && a.rgb.isFinite && d.rgb.isFinite && d.w.isFinite
    }
    /// The brightness of both lights around a place: single cells would be chosen for their noise or for the colour of what
    /// they show.
    func surroundings(_ column: Int, _ row: Int) -> (ambient: Float, flash: Float) {
      var sum = SIMD3<Float>.zero
      for y in max(row - reach, 0)...min(row + reach, rows - 1) {
        for x in max(column - reach, 0)...min(column + reach, columns - 1) {
          let index = y * columns + x
          guard isKnown(index) else { continue }
          let (a, d) = (ambient.pixels[index].rgb * exposure, flashOnly.pixels[index])
          let weight = min(d.w, 1)
          sum += SIMD3(a.brightness, d.rgb.brightness, 1) * weight
        }
      }
      return sum.z > 0 ? (sum.x / sum.z, sum.y / sum.z) : (0, 0)
    }
    return (0..<columns * rows).map { index -> Surface? in
      let (a, d) = (ambient.pixels[index], flashOnly.pixels[index])
      guard isKnown(index), d.w > 0.3 else { return nil }
      let around = surroundings(index % columns, index / columns)
      guard around.ambient > 0, around.flash > 0.15 * around.ambient else { return nil }
      let quality = min(d.w, 1)
      let variance = noise.variance(a.rgb) * exposure * exposure
      // Quality is s² / (s² + 9), where s is the signal-to-noise ratio.
      let ratioError = error * around.ambient / around.flash
      let noise = variance.brightnessVariance / (around.ambient * around.ambient) + (1 - quality) / (9 * quality)
      let doubt = usualNoise * usualNoise + noise + ratioError * ratioError
      return Surface(
        ambient: a.rgb * exposure, flash: d.rgb * (around.ambient / around.flash),
        weight: 1 / (around.ambient * doubt), variance: variance, noise: noise, ratioError: ratioError * ratioError)
    }
  }

  /// What a surface tells of surfaces; nil where noise in what its colour is judged by would make that seem less telling.
  private static func sample(_ surface: Surface, _ gain: SIMD3<Float>) -> SurfaceCorrection.Sample? {
    let fill = surface.ambient * gain
    let level = surface.flash.brightness / max(fill.brightness, 1e-12)
    guard fill.min() > 0, level > 0, surface.noise < usualNoise * usualNoise, surface.ratioError < 0.07
    else { return nil }
    let scale = gain * level
    return SurfaceCorrection.Sample(
      difference: surface.flash, fill: fill * level, variance: surface.variance * scale * scale)
  }

  /// The quotient of sums.
  private static func gain(_ surfaces: [Surface]) -> SIMD3<Float>? {
    var (flash, ambient) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for surface in surfaces {
      flash += SIMD3<Double>(surface.flash * surface.weight)
      ambient += SIMD3<Double>(surface.ambient * surface.weight)
    }
    guard flash.min() > 0, ambient.min() > 0 else { return nil }
    return SIMD3<Float>(flash / ambient)
  }

  /// Quotients of sums around each cell, on several scales with their weights.
  private static func ratios(
    _ cells: [Surface?], _ sums: EdgeAwareExtension, _ scales: [(deviation: Float, weight: Float)],
    _ whole: SIMD3<Float>
  ) -> [SIMD3<Float>] {
    var flash = [Pixel](repeating: .zero, count: cells.count)
    var ambient = flash
    var total: Float = 0
    for (index, cell) in cells.enumerated() {
      guard let cell else { continue }
      let weight = max(cell.ambient.brightness * cell.weight, 0)
      flash[index] = Pixel(rgb: cell.flash * cell.weight, alpha: weight * cell.ratioError)
      ambient[index] = Pixel(rgb: cell.ambient * cell.weight, alpha: weight)
      total += weight
    }
    // The whole picture's counts where nothing else does.
    let least = max(1e-6 * total / Float(max(cells.count, 1)), 1e-30)
    var numerator = [Pixel](repeating: Pixel(rgb: whole * least, alpha: 0), count: cells.count)
    var denominator = [Pixel](repeating: Pixel(repeating: least), count: cells.count)
    for scale in scales {
      let (a, b) = (sums(flash, deviation: scale.deviation), sums(ambient, deviation: scale.deviation))
      for index in cells.indices {
        numerator[index] += a[index] * scale.weight
        denominator[index] += b[index] * scale.weight
      }
    }
    return zip(numerator, denominator).map { a, b in
      let ratio = a.rgb / b.rgb
      guard a.rgb.min() > 0, b.rgb.min() > 0, ratio.isFinite else { return whole }
      // What hardly stands above an error of the match says little: then lights are likely to be alike.
      let doubt = a.w / max(b.w, 1e-30)
      return ratio * mix(whole / ratio, share: doubt / (doubt + variety))
    }
  }

  /// A factor's power: none of it with the share 0, all of it with 1.
  private static func mix(_ factor: SIMD3<Float>, share: Float) -> SIMD3<Float> {
    SIMD3(powf(factor.x, share), powf(factor.y, share), powf(factor.z, share))
  }

  /// Logarithms of red : green, green, blue : green; nil where the frame is void.
  private static func guide(_ ambient: Image, _ noise: NoiseModel) -> [SIMD3<Float>?] {
    let known = ambient.pixels.filter { $0.w > 0 && $0.rgb.isFinite }
    let mean = known.reduce(Float(0)) { $0 + max($1.rgb.brightness, 0) } / Float(max(known.count, 1))
    // What is dark or noisy has no colour to speak of.
    let dark = 0.05 * max(mean, 1e-6) + 4 * noise.variance(SIMD3(repeating: mean)).max().squareRoot()
    return ambient.pixels.map { pixel in
      guard pixel.w > 0, pixel.rgb.isFinite else { return nil }
      let light = pointwiseMax(pixel.rgb, .zero) + dark
      return SIMD3(log(light.x / light.y), log(light.y), log(light.z / light.y))
    }
  }
}
