import Glibc
import Raster

/// How the exposure ratio runs up and down along the picture, because rows are exposed one after the other under lamps on
/// alternating current.
///
/// Such lamps pulse at twice the mains frequency, 100 or 120 Hz. A short exposure sees a part of the pulse, which part
/// changes from row to row, and is another in the other frame; so the ratio is a wave. In pictures that were turned upright it runs
/// along columns.
public struct Flicker: Equatable, Sendable {
  /// Whether the light changes from row to row, rather than from column to column.
  public let isVertical: Bool
  /// Rows (or columns) of the full-size frame until the wave repeats, above 0.
  public let period: Double
  /// The logarithm of the ratio over its mean at row y is sine · sin(2π y / period) + cosine · cos(2π y / period), in each
  /// channel: fluorescent lamps also change colour.
  public let sine, cosine: SIMD3<Double>

  init(isVertical: Bool, period: Double, sine: SIMD3<Double>, cosine: SIMD3<Double>) {
    (self.isVertical, self.period) = (isVertical, period)
    (self.sine, self.cosine) = (sine, cosine)
  }

  /// The largest relative deviation from the mean ratio, about, for each channel.
  public var amplitude: SIMD3<Double> { (sine * sine + cosine * cosine).squareRoot() }

  /// The ratio over its mean at a row (or column).
  public func factor(at place: Double) -> SIMD3<Float> {
    let angle = 2 * Double.pi * (place / period)
    let wave = sine * sin(angle) + cosine * cos(angle)
    return SIMD3(Float(exp(wave.x)), Float(exp(wave.y)), Float(exp(wave.z)))
  }

  // MARK: Text

  /// "rows" or "columns", the period, three sines, three cosines, with blanks between.
  public var text: String {
    let numbers = [period, sine.x, sine.y, sine.z, cosine.x, cosine.y, cosine.z]
    return ([isVertical ? "rows" : "columns"] + numbers.map { "\($0)" }).joined(separator: " ")
  }

  /// Reads ``text``; nil where it is none, or its waves are larger than lamps make them.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Double($0) }
    guard words.count == 8, numbers.count == 7, ["rows", "columns"].contains(words[0]) else { return nil }
    self.init(
      isVertical: words[0] == "rows", period: numbers[0], sine: SIMD3(numbers[1], numbers[2], numbers[3]),
      cosine: SIMD3(numbers[4], numbers[5], numbers[6]))
    guard period >= 1, period <= 1e9, amplitude.max() <= 2 else { return nil }
  }
}

extension Flicker {
  /// The wave of the ratio; nil where there is none that stands out.
  ///
  /// The reflectance of a surface cancels in q = flash / ambient = k + d, where d is the flash's light over the matched
  /// ambient light. From one block of rows to the next q changes by the change of the ratio k, and by that of d, which
  /// is some share of d itself. So where there is little flash the change of k is seen alone; a robust regression on
  /// 1 and d tells both apart in every row, and a wave is fitted to the changes of k. It counts if it explains far more of
  /// them than chance: of pairs under steady light none comes near (F < 20; lamps at a depth of a third: 46 to 700).
  static func find(flash: Reduction, ambient: Reduction, ratio: ExposureRatio) -> Flicker? {
    guard flash.image.bounds == ambient.image.bounds, ratio.channels.min() > 0, ratio.channels.isFinite else {
      return nil
    }
    let waves = [true, false].compactMap { isVertical in
      RatioSteps(flash: flash.image, ambient: ambient.image, ratio: ratio.channels, isVertical: isVertical)?.wave
    }
    guard let best = waves.max(by: { $0.significance < $1.significance }), best.significance > leastSignificance
    else { return nil }
    let origin = Double(best.isVertical ? flash.rectangle.y : flash.rectangle.x)
    // The wave was found in reduced pixels, counted from the reduction's corner; a cell stands for its middle.
    let factor = Double(flash.factor)
    let period = best.period * factor
    let turn = 2 * Double.pi * ((0.5 * factor - 0.5 + origin) / period)
    return Flicker(
      isVertical: best.isVertical, period: period, sine: best.sine * cos(turn) + best.cosine * sin(turn),
      cosine: best.cosine * cos(turn) - best.sine * sin(turn))
  }

  /// Of Fisher's F, explained over unexplained variance.
  private static let leastSignificance = 30.0

  /// The ambient frame as it were if the ratio were the same everywhere.
  func steady(_ ambient: Reduction) -> Reduction {
    let corner = isVertical ? ambient.rectangle.y : ambient.rectangle.x
    let bounds = ambient.image.bounds
    let middle = 0.5 * Double(ambient.factor - 1)
    let factors = (0..<(isVertical ? bounds.height : bounds.width)).map { cell in
      factor(at: Double(corner) + Double(cell * ambient.factor) + middle)
    }
    var image = ambient.image
    for y in 0..<bounds.height {
      for x in 0..<bounds.width {
        let index = y * bounds.width + x
        image.pixels[index] *= Pixel(rgb: factors[isVertical ? y : x], alpha: 1)
      }
    }
    return Reduction(image: image, factor: ambient.factor, rectangle: ambient.rectangle)
  }
}

/// How the ratio changes from one block of rows (or columns) to the next, channel by channel.
private struct RatioSteps {
  /// The waves that are tried have so many periods in the picture. Slower ones are not told from the flash's falloff.
  private static let fewestPeriods = 1.25
  private static let blocks = 48
  /// How much a flash's light over the ambient light usually changes from block to block, relative to itself.
  private static let usualChange = 0.15
  /// The largest slope of that change in the whole row, that is, falloff: standard deviation.
  private static let usualFalloff = 0.03
  /// How large waves usually are: standard deviation of the logarithm.
  private static let usualWave = 0.2

  /// Deeper lamps than any make less of a ratio.
  private static let largestWave = 0.4

  let isVertical: Bool
  /// Rows a block.
  private let length: Int
  /// One change of the logarithm and its weight for each step, for red, green and blue.
  private var changes: [[(value: Double, weight: Double)]] = []

  init?(flash: Image, ambient: Image, ratio: SIMD3<Float>, isVertical: Bool) {
    let bounds = flash.bounds
    let (along, across) = isVertical ? (bounds.height, bounds.width) : (bounds.width, bounds.height)
    length = max(1, along / Self.blocks)
    let count = along / length
    guard count >= 16, across >= 64 else { return nil }
    self.isVertical = isVertical
    // Blocks of about as many pixels across as there are rows in them, at least four.
    let width = max(4, length)
    let cells = across / width
    var sums = [(flash: SIMD3<Float>, ambient: SIMD3<Float>, count: Int)](
      repeating: (.zero, .zero, 0), count: count * cells)
    for block in 0..<count * length {
      for place in 0..<cells * width {
        let (x, y) = isVertical ? (place, block) : (block, place)
        let (f, a) = (flash.pixels[y * bounds.width + x], ambient.pixels[y * bounds.width + x])
        guard f.w > 0, a.w > 0, f.rgb.isFinite, a.rgb.isFinite else { continue }
        let index = block / length * cells + place / width
        sums[index].flash += f.rgb
        sums[index].ambient += a.rgb
        sums[index].count += 1
      }
    }
    let (least, full) = (0.002 * Float(length * width), length * width)
    for channel in 0..<3 {
      func quotient(_ block: Int, _ cell: Int) -> Double? {
        let sum = sums[block * cells + cell]
        guard 5 * sum.count > 3 * full, sum.ambient[channel] > least else { return nil }
        return Double(sum.flash[channel] / sum.ambient[channel] / ratio[channel])
      }
      changes.append(
        (0..<count - 1).map { block in
          Self.change(
            (0..<cells).compactMap { cell in
              guard let one = quotient(block, cell), let other = quotient(block + 1, cell) else { return nil }
              return (other - one, max(0.5 * (one + other) - 1, 0))
            })
        })
    }
  }

  /// The change of the ratio, relative to it, by iteratively reweighted least squares (Cauchy's weights).
  private static func change(_ samples: [(change: Double, flash: Double)]) -> (value: Double, weight: Double) {
    guard samples.count >= 20 else { return (0, 0) }
    var robust = [Double](repeating: 1, count: samples.count)
    var (value, variance) = (0.0, Double.infinity)
    for _ in 0..<8 {
      var (s, sd, sdd, sy, sdy) = (0.0, 0.0, 1 / (usualFalloff * usualFalloff), 0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        let w = robust[index] / square(deviation(sample.flash))
        s += w
        sd += w * sample.flash
        sdd += w * sample.flash * sample.flash
        sy += w * sample.change
        sdy += w * sample.flash * sample.change
      }
      let determinant = s * sdd - sd * sd
      guard determinant > 0, s > 0 else { return (0, 0) }
      value = (sdd * sy - sd * sdy) / determinant
      let falloff = (s * sdy - sd * sy) / determinant
      let residuals = samples.map { ($0.change - value - falloff * $0.flash) / deviation($0.flash) }
      let scale = max(1.4826 * median(residuals.map { abs($0) }), 0.2)
      for (index, residual) in residuals.enumerated() { robust[index] = 1 / (1 + square(residual / (1.5 * scale))) }
      variance = 1.2 * scale * scale * sdd / determinant
    }
    // A thousandth is what other errors leave.
    let weight = 1 / (variance + 1e-6)
    return value.isFinite && weight.isFinite ? (value, weight) : (0, 0)
  }

  private static func deviation(_ flash: Double) -> Double { (square(usualChange * flash) + 1e-4).squareRoot() }

  private static func square(_ value: Double) -> Double { value * value }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// The wave that explains most of green's changes, with the other channels' waves of the same period; in reduced pixels.
  var wave: (isVertical: Bool, period: Double, sine: SIMD3<Double>, cosine: SIMD3<Double>, significance: Double)? {
    let count = changes[1].count + 1
    var best = (significance: 0.0, periods: 0.0)
    func search(_ candidates: StrideTo<Double>) {
      for periods in candidates {
        let significance = fit(changes[1], periods).significance
        if significance > best.significance { best = (significance, periods) }
      }
    }
    search(stride(from: Self.fewestPeriods, to: Double(count) / 4, by: 0.05))
    search(stride(from: best.periods - 0.05, to: best.periods + 0.05, by: 0.005))
    guard best.periods > 0 else { return nil }
    let own = (0..<3).map { fit(changes[$0], best.periods) }
    let green = own[1]
    // All channels swing together, if not equally far; and no lamp makes a larger wave of a ratio.
    let fits = own.map { fit in
      let isAlike =
        fit.sine * green.sine + fit.cosine * green.cosine > 0.8 * hypot(fit.sine, fit.cosine)
        * hypot(green.sine, green.cosine)
      // A channel that does not know for itself does as green.
      return (fit: fit.significance > 0.2 * best.significance && isAlike ? fit : green, isOwn: isAlike)
    }
    guard hypot(green.sine, green.cosine) < Self.largestWave, fits.count(where: \.isOwn) > 1 else { return nil }
    return (
      isVertical, Double(count * length) / best.periods, SIMD3(fits[0].fit.sine, fits[1].fit.sine, fits[2].fit.sine),
      SIMD3(fits[0].fit.cosine, fits[1].fit.cosine, fits[2].fit.cosine), best.significance
    )
  }

  /// Sine and cosine at the place of a reduced pixel, by least squares, and F.
  private func fit(
    _ steps: [(value: Double, weight: Double)], _ periods: Double
  ) -> (sine: Double, cosine: Double, significance: Double) {
    let count = steps.count + 1
    let rate = 2 * Double.pi * periods / Double(count)
    // The middle of block b lies at (b + ½) blocks less half a pixel.
    let middle = 0.5 - 0.5 / Double(length)
    let prior = 1 / Self.square(Self.usualWave)
    var (ss, sc, cc, sy, cy, all) = (prior, 0.0, prior, 0.0, 0.0, 0.0)
    func basis(_ step: Int) -> (Double, Double) {
      let (one, other) = (rate * (Double(step) + middle), rate * (Double(step + 1) + middle))
      return (sin(other) - sin(one), cos(other) - cos(one))
    }
    for (index, step) in steps.enumerated() {
      let (s, c) = basis(index)
      ss += step.weight * s * s
      sc += step.weight * s * c
      cc += step.weight * c * c
      sy += step.weight * s * step.value
      cy += step.weight * c * step.value
      all += step.weight * step.value * step.value
    }
    let determinant = ss * cc - sc * sc
    guard determinant > 0 else { return (0, 0, 0) }
    let (sine, cosine) = ((cc * sy - sc * cy) / determinant, (ss * cy - sc * sy) / determinant)
    var left = 0.0
    for (index, step) in steps.enumerated() {
      let (s, c) = basis(index)
      left += step.weight * Self.square(step.value - sine * s - cosine * c)
    }
    let known = steps.count(where: { $0.weight > 0 })
    guard known > 12 else { return (0, 0, 0) }
    let significance = (all - left) / 2 / max(left / Double(known - 4), 1)
    return significance.isFinite ? (sine, cosine, significance) : (0, 0, 0)
  }
}
