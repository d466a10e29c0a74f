import Raster

/// The ambient look of one tile after the other, in memory that serves them all.
final class AmbientLookTile {
  /// The largest tile, without its margin.
  static let width = 384
  static let height = 256
  /// One pixel for each step of the filter, and one for what is summed beside them.
  static let margin = 8

  private let look: AmbientLook
  private let planes: Planes
  private let strips: UnsafeMutableBufferPointer<Pixel>

  private static let stripRows = 16

  /// What each plane holds.
  private enum Plane {
    static let colour = 0
    static let ambient = 3
    /// The ambient picture's luminance, and its variance.
    static let luminance = 6
    static let variance = 7
    /// What tells surfaces apart: logarithm of luminance, and red against blue, in the constant-colour picture.
    static let surface = 8
    static let surfaceVariance = 10
    static let one = 11
    /// What the constant-colour picture weighs.
    static let weight = 12
    /// Luminance of both pictures and relative variance; twice, to filter back and forth.
    static let narrow = 13
    static let narrowOther = 16
    /// Both colours and relative variance, twice.
    static let wide = 19
    static let wideOther = 26
    static let count = 33
  }

  /// The colour error (ΔE00) of a white-balanced frame, beside which the confidence's is weighed.
  private static let ambientError: Float = 5
  /// What is darker has no colour in the constant-colour picture, relative to a clipped sensor.
  private static let dark: Float = 3e-4
  /// Logarithmic differences in the constant-colour picture by which surfaces are told apart.
  private static let difference: Float = 0.06

  init(_ look: AmbientLook) {
    self.look = look
    let (width, height) = (Self.width + 2 * Self.margin, Self.height + 2 * Self.margin)
    planes = Planes(count: Plane.count, width: width, height: height, reach: 8)
    strips = .allocate(capacity: 3 * (width * Self.stripRows + 8))
    strips.initialize(repeating: .zero)
  }

  deinit { strips.deallocate() }

  /// Computes the tile, and writes its pixels row after row.
  func run(
    _ tile: Rectangle, colour: some PixelSource, ambient: some PixelSource, confidence: (any PixelSource)?,
    into output: MutablePixels
  ) {
    let area = tile.expanded(by: Self.margin)
    planes.shape(width: area.width, height: area.height)
    load(area, colour, ambient, confidence)
    filter()
    for y in 0..<tile.height {
      for x in stride(from: 0, to: tile.width, by: 8) {
        let place = (y + Self.margin) * planes.stride + x + Self.margin
        blend(place).store(output, y * tile.width + x, count: min(8, tile.width - x))
      }
    }
  }

  private func load(
    _ area: Rectangle, _ colour: some PixelSource, _ ambient: some PixelSource, _ confidence: (any PixelSource)?
  ) {
    let length = strips.count / 3
    func memory(_ index: Int) -> MutablePixels {
      MutablePixels(strips.baseAddress.map { UnsafeMutableRawPointer($0 + index * length) }, count: length)
    }
    let (colours, ambients, confidences) = (memory(0), memory(1), memory(2))
    for top in stride(from: 0, to: area.height, by: Self.stripRows) {
      let rows = min(Self.stripRows, area.height - top)
      let strip = Rectangle(x: area.x, y: area.y + top, width: area.width, height: rows)
      colour.read(strip, into: colours)
      ambient.read(strip, into: ambients)
      confidence?.read(strip, into: confidences)
      for row in 0..<rows {
        for x in stride(from: 0, to: area.width, by: 8) {
          let index = row * area.width + x
          let trust = confidence == nil ? Vector8(repeating: 0.9999) : PixelVector(confidences.readable, index).colour.x
          load(
            (top + row) * planes.stride + x, PixelVector(colours.readable, index).colour,
            PixelVector(ambients.readable, index).colour, trust)
        }
      }
    }
  }

  @inline(__always)
  private func load(_ place: Int, _ colour: ColorVector, _ ambient: ColorVector, _ confidence: Vector8) {
    // NaN fails the comparisons.
    let flash = ColorVector.zero.replacing(with: colour, where: colour.isOrdinary)
    let light = ColorVector.zero.replacing(with: ambient, where: ambient.isOrdinary)
    let (flashLuminance, luminance) = (Vector8.zero.greater(flash.luminance), light.luminance)
    store(flash, Plane.colour, place)
    store(light, Plane.ambient, place)
    luminance.store(at: planes[Plane.luminance] + place)
    (Vector8.zero.greater(luminance) * look.noise.gain + (look.noise.floor + 1e-12))
      .store(at: planes[Plane.variance] + place)
    (flashLuminance + 10 * Self.dark).logarithm.store(at: planes[Plane.surface] + place)
    let sum = Vector8.zero.greater(flash.x) + flashLuminance + Vector8.zero.greater(flash.z) + 10 * Self.dark
    ((flash.x - flash.z) / sum).store(at: planes[Plane.surface + 1] + place)
    Vector8(repeating: Self.difference * Self.difference).store(at: planes[Plane.surfaceVariance] + place)
    Vector8(repeating: 1).store(at: planes[Plane.one] + place)
    // Confidence is 1 − exp(−t²/E²): the error E that it stands for does not depend on the tolerance t.
    let known = -(1 - confidence.unit.lesser(Vector8(repeating: 0.9999))).logarithm
    let (precision, ambientPrecision) = (
      known * (Self.ambientError * Self.ambientError), look.tolerance * look.tolerance
    )
    let power = flashLuminance * flashLuminance
    let visible = power / (power + Self.dark * Self.dark)
    (visible * precision / (precision + ambientPrecision)).store(at: planes[Plane.weight] + place)
  }

  @inline(__always)
  private func store(_ colour: ColorVector, _ plane: Int, _ place: Int) {
    colour.x.store(at: planes[plane] + place)
    colour.y.store(at: planes[plane + 1] + place)
    colour.z.store(at: planes[plane + 2] + place)
  }

  private func filter() {
    let filter = EdgeAvoidingFilter(
      brightness: planes[Plane.luminance], chroma: (planes[Plane.surface], planes[Plane.surface + 1]),
      brightnessVariance: planes[Plane.variance], chromaVariance: planes[Plane.surfaceVariance],
      validity: planes[Plane.one], width: planes.width, height: planes.height, stride: planes.stride)
    func narrow(_ first: Int) -> EdgeAvoidingFilter.Narrow {
      EdgeAvoidingFilter.Narrow(values: (planes[first], planes[first + 1]), variance: planes[first + 2])
    }
    func wide(_ first: Int) -> EdgeAvoidingFilter.Wide {
      EdgeAvoidingFilter.Wide(
        values: (
          planes[first], planes[first + 1], planes[first + 2], planes[first + 3], planes[first + 4], planes[first + 5]
        ), variance: planes[first + 6])
    }
    let source = EdgeAvoidingFilter.Narrow(
      values: (planes[Plane.luminance], planes[Plane.luminance]), variance: planes[Plane.one])
    let colours = EdgeAvoidingFilter.Wide(
      values: (
        planes[Plane.colour], planes[Plane.colour + 1], planes[Plane.colour + 2], planes[Plane.ambient],
        planes[Plane.ambient + 1], planes[Plane.ambient + 2]
      ), variance: planes[Plane.one])
    filter.apply(
      narrow: (source, narrow(Plane.narrow)), wide: (colours, wide(Plane.wide)), step: 1, inset: 1)
    filter.apply(
      narrow: (narrow(Plane.narrow), narrow(Plane.narrowOther)), wide: (wide(Plane.wide), wide(Plane.wideOther)),
      step: 2, inset: 3)
    filter.apply(
      narrow: (narrow(Plane.narrowOther), narrow(Plane.narrow)), wide: (wide(Plane.wideOther), wide(Plane.wide)),
      step: 4, inset: 7)
  }

  @inline(__always)
  private func value(_ plane: Int, _ place: Int) -> Vector8 { Vector8(at: planes[plane] + place) }

  @inline(__always)
  private func colour(_ plane: Int, _ place: Int) -> ColorVector {
    ColorVector(value(plane, place), value(plane + 1, place), value(plane + 2, place))
  }

  @inline(__always)
  private func blend(_ place: Int) -> PixelVector {
    let luminance = value(Plane.narrow, place)
    let flash = colour(Plane.colour, place)
    let ambient = colour(Plane.wide + 3, place)
    // What is lost in noise has no colour.
    let noise = (value(Plane.variance, place) * value(Plane.wide + 6, place)).squareRoot()
    let balanced = chromaticity(ambient, noise)
    let weight = weight(around: place)
    let mixed = balanced + (chromaticity(flash, Vector8(repeating: Self.dark)) - balanced) * weight
    let result = mixed * luminance
    return PixelVector(ColorVector.zero.replacing(with: result, where: result.isFinite), Vector8(repeating: 1))
  }

  /// A colour of luminance 1; one that is as dark as `least` is halfway to neutral.
  @inline(__always)
  private func chromaticity(_ colour: ColorVector, _ least: Vector8) -> ColorVector {
    let scale = 1 / (Vector8.zero.greater(colour.luminance) + least + Vector8(repeating: 1e-9))
    return (colour + least) * scale
  }

  /// The weight, smoothed by binomial weights over 5 × 5.
  @inline(__always)
  private func weight(around place: Int) -> Vector8 {
    @inline(__always) func row(_ place: Int) -> Vector8 {
      value(Plane.weight, place &- 2) + value(Plane.weight, place &+ 2)
        + 4 * (value(Plane.weight, place &- 1) + value(Plane.weight, place &+ 1)) + 6 * value(Plane.weight, place)
    }
    let stride = planes.stride
    let sum =
      row(place &- 2 &* stride) + row(place &+ 2 &* stride) + 4 * (row(place &- stride) + row(place &+ stride))
      + 6 * row(place)
    return sum * (1.0 / 256)
  }
}
