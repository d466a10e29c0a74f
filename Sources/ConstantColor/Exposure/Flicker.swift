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
  /// 1 and d tells both apart in every row, and waves are fitted to both. They count if they explain far more of
  /// the changes than chance.
  static func find(
    flash: Reduction, ambient: Reduction, ratio: ExposureRatio, execution: Execution
  ) -> Flicker? {
    guard flash.image.bounds == ambient.image.bounds, ratio.channels.min() > 0, ratio.channels.isFinite else {
      return nil
    }
    let waves = execution.map(2, placeholder: nil) { index in
      RatioSteps(flash: flash.image, ambient: ambient.image, ratio: ratio.channels, isVertical: index == 0)?.wave
    }
    let best = waves.compactMap { $0 }.max { $0.significance < $1.significance }
    guard let best, best.significance > leastSignificance else { return nil }
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

/// How the quotients flash / ambient change from one block of rows (or columns) to the next, channel by channel.
private struct RatioSteps {
  /// The waves that are tried have so many periods in the picture. Slower ones are not told from the flash's falloff.
  private static let fewestPeriods = 1.25
  private static let blocks = 48
  /// How much a flash's light over the ambient light usually changes from block to block, relative to itself.
  private static let usualChange = 0.15
  /// How large waves usually are: standard deviation of the logarithm.
  private static let usualWave = 0.2
  /// Deeper lamps than any make less of a ratio.
  private static let largestWave = 0.4
  /// What other errors than those that scatter leave of a change, squared.
  private static let floor = 1e-6

  /// The change a + b · d between two blocks, where d is the flash's light over the ambient light.
  private struct Step {
    var value = SIMD2<Double>.zero
    /// Two equations that say the same with a standard error of 1: coefficients of a and b, right side.
    var equations: [(a: Double, b: Double, right: Double)] = []
  }

  let isVertical: Bool
  /// Rows a block.
  private let length: Int
  /// One change for each step, for red, green and blue.
  private var changes: [[Step]] = []

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
          Self.step(
            (0..<cells).compactMap { cell in
              guard let one = quotient(block, cell), let other = quotient(block + 1, cell) else { return nil }
              return (other - one, max(0.5 * (one + other) - 1, 0))
            })
        })
    }
  }

  /// The step by iteratively reweighted least squares (Cauchy's weights).
  private static func step(_ samples: [(change: Double, flash: Double)]) -> Step {
    guard samples.count >= 20 else { return Step() }
    var robust = [Double](repeating: 1, count: samples.count)
    var (value, covariance) = (SIMD2<Double>.zero, SIMD3<Double>.zero)
    for _ in 0..<8 {
      // A prior of 1 for b keeps it defined where there is no flash.
      var (s, sd, sdd, sy, sdy) = (0.0, 0.0, 1.0, 0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        let w = robust[index] / square(deviation(sample.flash))
        s += w
        sd += w * sample.flash
        sdd += w * sample.flash * sample.flash
        sy += w * sample.change
        sdy += w * sample.flash * sample.change
      }
      let determinant = s * sdd - sd * sd
      guard determinant > 0, s > 0 else { return Step() }
      value = SIMD2(sdd * sy - sd * sdy, s * sdy - sd * sy) / determinant
      let residuals = samples.map { ($0.change - value.x - value.y * $0.flash) / deviation($0.flash) }
      let scale = max(1.4826 * residuals.map { abs($0) }.median, 0.2)
      for (index, residual) in residuals.enumerated() { robust[index] = 1 / (1 + square(residual / (1.5 * scale))) }
      covariance = 1.2 * scale * scale * SIMD3(sdd, -sd, s) / determinant + SIMD3(floor, 0, floor)
    }
    // The inverse of the covariance, as the product of a triangle with itself (Cholesky).
    let determinant = covariance.x * covariance.z - covariance.y * covariance.y
    guard determinant > 0 else { return Step() }
    let inverse = SIMD3(covariance.z, -covariance.y, covariance.x) / determinant
    let first = inverse.x.squareRoot()
    let (second, third) = (inverse.y / first, (max(inverse.z - square(inverse.y / first), 0)).squareRoot())
    let equations = [
      (a: first, b: second, right: first * value.x + second * value.y), (a: 0, b: third, right: third * value.y),
    ]
    return equations.allSatisfy { $0.right.isFinite } ? Step(value: value, equations: equations) : Step()
  }

  private static func deviation(_ flash: Double) -> Double { (square(usualChange * flash) + 1e-4).squareRoot() }

  private static func square(_ value: Double) -> Double { value * value }

  /// The wave that explains most of green's changes, with the other channels' waves of the same period; in reduced pixels.
  var wave: (isVertical: Bool, period: Double, sine: SIMD3<Double>, cosine: SIMD3<Double>, significance: Double)? {
    let count = changes[1].count + 1
    let steady = (0..<3).map { Self.misfit(Self.solve(changes[$0]) { _ in nil }) }
    func fit(_ channel: Int, _ periods: Double) -> (sine: Double, cosine: Double, significance: Double) {
      let rate = 2 * Double.pi * periods / Double(count)
      // The middle of block b lies at (b + ½) blocks less half a pixel.
      let middle = 0.5 - 0.5 / Double(length)
      let solved = Self.solve(changes[channel]) { step in
        let (one, other) = (rate * (Double(step) + middle), rate * (Double(step + 1) + middle))
        return SIMD2(sin(other) - sin(one), cos(other) - cos(one))
      }
      guard let solved, let before = steady[channel], let left = Self.misfit(solved) else { return (0, 0, 0) }
      let freedom = Double(2 * changes[channel].count(where: { !$0.equations.isEmpty }) - 7)
      guard freedom > 20 else { return (0, 0, 0) }
      let significance = (before - left) / 4 / max(left / freedom, 1)
      return (solved.values[3], solved.values[4], significance.isFinite ? significance : 0)
    }
    var best = (significance: 0.0, periods: 0.0)
    func search(_ candidates: StrideTo<Double>) {
      for periods in candidates {
        let significance = fit(1, periods).significance
        if significance > best.significance { best = (significance, periods) }
      }
    }
    search(stride(from: Self.fewestPeriods, to: Double(count) / 4, by: 0.05))
    search(stride(from: best.periods - 0.05, to: best.periods + 0.05, by: 0.005))
    guard best.periods > 0 else { return nil }
    let own = (0..<3).map { fit($0, best.periods) }
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

  /// Least squares for the flash's falloff (b as a parabola along the picture) and for two waves: of the ratio, in a, and of
  /// the ambient frame alone, in b, since q is the flash's light over that.
  ///
  /// - Parameter basis: the changes of sine and cosine at a step; nil without waves.
  private static func solve(
    _ steps: [Step], _ basis: (Int) -> SIMD2<Double>?
  ) -> (values: [Double], rows: [(row: [Double], right: Double)])? {
    var rows: [(row: [Double], right: Double)] = []
    var equations = NormalEquations(unknowns: 7)
    for unknown in 3..<7 {
      var row = [Double](repeating: 0, count: 7)
      row[unknown] = 1 / usualWave
      equations.add(row, 0)
    }
    for (index, step) in steps.enumerated() {
      let wave = basis(index) ?? .zero
      let place = 2 * Double(index) / Double(max(steps.count, 1)) - 1
      for equation in step.equations {
        let (a, b) = (equation.a, equation.b)
        let row = [b, b * place, b * place * place, a * wave.x, a * wave.y, b * wave.x, b * wave.y]
        equations.add(row, equation.right)
        rows.append((row, equation.right))
      }
    }
    return equations.solution.map { ($0, rows) }
  }

  private static func misfit(_ solved: (values: [Double], rows: [(row: [Double], right: Double)])?) -> Double? {
    solved.map { solved in
      solved.rows.reduce(0) { sum, equation in
        sum + square(zip(equation.row, solved.values).reduce(equation.right) { $0 - $1.0 * $1.1 })
      }
    }
  }
}
