import Raster

/// What the trusted pixels say about the rest: gains that turn the ambient frame, or the flash frame, into
/// flash-only light, slowly varying over the picture.
///
/// The gain from ambient to flash-only *is* the inverse of the ambient light's colour (Hui et al.,
/// ICCP 2016); with several lights in a room it changes from place to place, so it is kept on a coarse
/// grid, and where no pixel nearby can be trusted it runs into the picture's mean.
struct GainMap: Sendable {
  /// Gains from the matched ambient frame to flash-only colours, in the local brightness of the flash.
  private(set) var ambient: [Pixel]
  /// Gains from the flash frame to flash-only colours: the flash's local share of the light, g / (1 + g) where g is the gain
  /// from the ambient frame. Alpha is the reliability of the ambient frame, 0...1: where there is no ambient light it holds
  /// nothing but noise.
  private(set) var flash: [Pixel]
  /// The mean colour of what the flash lit nearby, its brightness 1. Alpha is how much of the surroundings the flash lit, 0...1:
  /// elsewhere the gains come from afar.
  private(set) var tone: [Pixel]
  /// What the gains leave of surfaces' colours.
  private(set) var surfaces = SurfaceCorrection()
  /// The size of the grid in cells.
  private(set) var columns: Int, rows: Int
  private var rectangle: Rectangle
  /// Cells a pixel, in both directions.
  private var scale: SIMD2<Float>

  /// The longer side of the grid.
  private static let side = 48

  /// One pixel of the reduced frames, or the mean of some.
  struct Sample {
    var difference, flash, ambient: SIMD3<Float>
    /// The noise of the difference.
    var variance: SIMD3<Float>

    /// Whether the flash's light stands well above noise and above what an error of the exposure ratio, 3 to 6 %, would make
    /// of the ambient light. (With more nothing would be left to learn gains from.)
    func isLit(ratioUncertainty: Float) -> Bool {
      let shift = min(max(ratioUncertainty, 0.03), 0.06) * ambient.brightness
      let doubt = variance.brightness + shift * shift
      return difference.brightness > 5 * max(doubt, 0).squareRoot()
    }

    static func + (a: Sample, b: Sample) -> Sample {
      Sample(
        difference: a.difference + b.difference, flash: a.flash + b.flash, ambient: a.ambient + b.ambient,
        variance: a.variance + b.variance)
    }

    /// The mean of a sum over so many pixels. Neighbours share noise: it has twice as much as if they did not.
    func mean(of count: Int) -> Sample {
      let share = 1 / Float(max(count, 1))
      return Sample(
        difference: difference * share, flash: flash * share, ambient: ambient * share,
        variance: variance * (count > 1 ? 2 * share * share : 1))
    }

    static let zero = Sample(difference: .zero, flash: .zero, ambient: .zero, variance: .zero)
  }

  /// Neutral gains: without an ambient frame the flash frame is the flash-only light.
  init() {
    ambient = [Pixel(repeating: 1)]
    flash = [Pixel(repeating: 1)]
    tone = [Pixel(repeating: 1)]
    columns = 1
    rows = 1
    rectangle = Rectangle(width: 1, height: 1)
    scale = .zero
  }

  /// - Parameters:
  ///   - size: of the reduced frames.
  ///   - rectangle: what they span in the full frame.
  ///   - white: the flash's colour, which is likely where nothing else is known.
  ///   - ambientNoise: of the full-size matched ambient frame.
  ///   - ratioUncertainty: the relative standard error of the exposure ratio.
  ///   - sample: the reduced pixel at (x, y), nil where it is unknown or clipped.
  init(
    width: Int, height: Int, rectangle: Rectangle, white: SIMD3<Float>, ambientNoise: NoiseModel,
    ratioUncertainty: Float, sample: (Int, Int) -> Sample?
  ) {
    self.init()
    guard width > 0, height > 0, !rectangle.isEmpty else { return }
    let blocks = Blocks(width: width, height: height, ratioUncertainty: ratioUncertainty, sample)
    // Whole blocks make a cell.
    let cell = max(1, (max(blocks.columns, blocks.rows) + Self.side - 1) / Self.side)
    columns = (blocks.columns + cell - 1) / cell
    rows = (blocks.rows + cell - 1) / cell
    self.rectangle = rectangle
    let pixels = SIMD2(Float(width), Float(height)) / Float(cell * blocks.side)
    scale = pixels / SIMD2(Float(rectangle.width), Float(rectangle.height))
    let gain = blocks.gain
    let mean = gain ?? SIMD3(repeating: 1)
    surfaces = gain.map { Self.surfaces(blocks, gain: $0, white: white) } ?? SurfaceCorrection()
    var trusted = Sums(columns * rows)
    var all = Sums(columns * rows)
    for (place, block) in blocks.means {
      let index = place.row / cell * columns + place.column / cell
      let count = Float(block.count)
      // The ambient light as if the surface were one that gains turn rightly.
      let ambient = surfaces(block.mean.ambient * mean) / mean
      all.add(index, block.mean.difference * count, ambient * count, count)
      if block.isTrusted { trusted.add(index, block.mean.difference * count, ambient * count, count) }
    }
    let wholeAmbient = trusted.total
    let meanAmbient = all.meanDenominator
    var surroundings = all
    surroundings.blur(columns: columns, rows: rows, sigma: 2)
    trusted.blur(columns: columns, rows: rows, sigma: 2)
    // Where nothing nearby is known, what is known farther away decides.
    var far = all
    far.blur(columns: columns, rows: rows, sigma: 4)
    all.blur(columns: columns, rows: rows, sigma: 1)
    let level = all.adding(far, share: 0.01)
    /// How far the ambient light of a cell stands above its noise. The fill is a mean over a few tens of pixels, so that
    /// light well below the noise of one still counts; but beside a hundred times as much of the flash's light nothing
    /// needs to be filled.
    func reliability(_ index: Int) -> Float {
      let light = all.denominator[index].rgb / max(all.denominator[index].w, 1e-9)
      let signal = max(light.brightness, 0)
      let least = 0.01 * max(all.numerator[index].rgb.brightness / max(all.numerator[index].w, 1e-9), 0)
      let noise = ambientNoise.variance(light).brightnessVariance / 16 + least * least
      return signal * signal / max(signal * signal + noise, 1e-20)
    }
    let global = Self.gain(wholeAmbient.numerator, wholeAmbient.denominator) ?? SIMD3(repeating: 1)
    /// The gain from ambient light, however little there is of it.
    func fillGain(_ index: Int) -> SIMD3<Float> {
      // The picture's mean counts like a small fraction of a cell: it decides only where nothing else does.
      let local = trusted.mixed(index, with: global, strength: 0.05 * meanAmbient)
      let colour = Self.gain(local.numerator, local.denominator) ?? global
      let tone = colour / max(colour.brightness, 1e-6)
      let (d, a) = (level.numerator[index].rgb.brightness, (level.denominator[index].rgb * tone).brightness)
      let floor = 0.02 * max(global.brightness, 1e-6)
      return tone * (max(a, d) > 1e-9 ? max(d / max(a, 1e-9), floor) : max(global.brightness, floor))
    }
    let cells = (0..<columns * rows).map { (gain: fillGain($0), reliability: reliability($0)) }
    // Gains to no light at all are of any size: they count as far as there is light.
    ambient = cells.map { Pixel(rgb: $0.gain * $0.reliability, alpha: 1) }
    flash = cells.map { Pixel(rgb: $0.gain / ($0.gain + 1), alpha: $0.reliability) }
    let neutral = white / max(white.brightness, 1e-6)
    let weight = 0.05 * max(wholeAmbient.numerator.brightness / Float(columns * rows), 1e-9)
    tone = (0..<columns * rows).map { index in
      let light = pointwiseMax(trusted.numerator[index].rgb, .zero) + neutral * weight
      let share = trusted.numerator[index].w / max(surroundings.numerator[index].w, 1e-6)
      return Pixel(rgb: pointwiseMax(light / light.brightness, SIMD3(repeating: 0.05)), alpha: min(share, 1))
    }
  }

  /// How surfaces change between the lights, seen with the picture's mean gains.
  private static func surfaces(_ blocks: Blocks, gain: SIMD3<Float>, white: SIMD3<Float>) -> SurfaceCorrection {
    let trusted = blocks.trusted
    return SurfaceCorrection(
      trusted.map { sample in
        let fill = sample.ambient * gain
        // Brightness is no colour: the flash may be near or far.
        let level = sample.difference.brightness / max(fill.brightness, 1e-12)
        return SurfaceCorrection.Sample(difference: sample.difference, fill: fill * level, variance: sample.variance)
      }, share: Float(trusted.count) / Float(max(blocks.columns * blocks.rows, 1)), white: white)
  }

  /// The row of cells whose centres lie above a row of the full frame, and how far below them it lies, in cells.
  func row(_ y: Int) -> (cell: Int, fraction: Float) { Self.place(y - rectangle.y, scale.y, rows) }

  /// The same for a column.
  func column(_ x: Int) -> (cell: Int, fraction: Float) { Self.place(x - rectangle.x, scale.x, columns) }

  private static func place(_ pixel: Int, _ scale: Float, _ count: Int) -> (cell: Int, fraction: Float) {
    let position = max(0, min((Float(pixel) + 0.5) * scale - 0.5, Float(count - 1)))
    return (Int(position), position - position.rounded(.down))
  }

  static func gain(_ numerator: SIMD3<Float>, _ denominator: SIMD3<Float>) -> SIMD3<Float>? {
    guard denominator.min() > 1e-12, numerator.min() > 0 else { return nil }
    let gain = numerator / denominator
    return gain.isFinite ? gain : nil
  }
}
