import Raster

/// The estimate of one tile after the other, in memory that serves them all.
///
/// The frames are read once, in strips, and taken apart into planes; then come the guide, the averages, and the blend
/// (``FlashOnlyBlend``).
final class FlashOnlyTile {
  /// The largest tile, without its margin: multiples of GEGL's tiles. The planes of three rows stay in a second-level
  /// cache, and the margin costs a quarter.
  static let width = 512
  static let height = 512

  let estimate: FlashOnlyEstimate
  let planes: Planes
  /// Whether the tile or its margin has a clipped pixel.
  private(set) var hasClipping = false
  private var gains: GainRows
  private let strips: UnsafeMutableBufferPointer<Pixel>

  /// What each plane holds.
  enum Plane {
    static let difference = 0
    static let flash = 3
    /// The fill's colour.
    static let fill = 6
    /// 1 where a pixel may lend its value to others.
    static let validity = 9
    static let clipping = 10
    /// 1 where all numbers were defined, and where there is ambient data, too.
    static let known = 11
    static let measured = 12
    /// Brightness of the flash frame and its chromaticity, the mean of 3 × 3.
    static let brightness = 13
    static let chroma = 14
    /// Variances of the difference's brightness and of the chromaticity.
    static let variance = 16
    static let chromaVariance = 17
    static let differenceBrightness = 18
    /// What the averages begin with: variance relative to ``variance``.
    static let relativeVariance = 19
    /// Brightness of difference and flash, and relative variance; twice, to filter back and forth.
    static let narrow = 20
    static let narrowOther = 23
    /// Colour of the difference, of the fill, and relative variance; twice.
    static let wide = 26
    static let wideOther = 33
    /// Whether both frames agree on the colour (``EstimateQuality/agreement``).
    static let agreement = 40
    /// How much of the surroundings the flash lit.
    static let nearness = 41
    static let count = 42
  }

  private static let margin = FlashOnlyEstimate.margin
  private static let stripRows = 16

  /// Memory for the tiles of a rectangle.
  init(_ estimate: FlashOnlyEstimate, of rectangle: Rectangle) {
    self.estimate = estimate
    let width = min(Self.width, rectangle.width) + 2 * Self.margin
    let height = min(Self.height, rectangle.height) + 2 * Self.margin
    planes = Planes(count: Plane.count, width: width, height: height, reach: 8)
    gains = GainRows(estimate.gains, width: planes.stride)
    strips = .allocate(capacity: 3 * (width * Self.stripRows + 8))
    strips.initialize(repeating: .zero)
  }

  deinit { strips.deallocate() }

  /// Computes the tile, and writes its pixels row after row.
  func run(
    _ tile: Rectangle, difference: (any PixelSource)?, flash: some PixelSource, ambient: (any PixelSource)?,
    into output: MutablePixels
  ) {
    let area = tile.expanded(by: Self.margin)
    planes.shape(width: area.width, height: area.height)
    load(area, difference, flash, ambient)
    measure()
    filter()
    FlashOnlyBlend(self).write(inset: Self.margin, width: tile.width, height: tile.height, into: output)
  }

  // MARK: Input

  private func load(
    _ area: Rectangle, _ difference: (any PixelSource)?, _ flash: some PixelSource, _ ambient: (any PixelSource)?
  ) {
    hasClipping = false
    let length = strips.count / 3
    func memory(_ index: Int) -> MutablePixels {
      MutablePixels(strips.baseAddress.map { UnsafeMutableRawPointer($0 + index * length) }, count: length)
    }
    let (differences, flashes, ambients) = (memory(0), memory(1), memory(2))
    for top in stride(from: 0, to: area.height, by: Self.stripRows) {
      let rows = min(Self.stripRows, area.height - top)
      let strip = Rectangle(x: area.x, y: area.y + top, width: area.width, height: rows)
      flash.read(strip, into: flashes)
      ambient?.read(strip, into: ambients)
      if let difference {
        difference.read(strip, into: differences)
      } else {
        AmbientSubtraction().process(
          flash: flashes.readable, ambient: ambient == nil ? nil : ambients.readable,
          into: differences.suffix(from: 0, count: strip.count))
      }
      for row in 0..<rows {
        gains.move(to: strip.y + row, from: area.x)
        let start = row * area.width
        if ambient != nil {
          loadRow(top + row, differences.readable, flashes.readable, ambients.readable, start)
        } else {
          loadRow(top + row, differences.readable, flashes.readable, nil, start)
        }
      }
    }
  }

  @inline(__always)
  private func loadRow(_ row: Int, _ differences: Pixels, _ flashes: Pixels, _ ambients: Pixels?, _ start: Int) {
    let all = SIMDMask<SIMD8<Int32>>(repeating: true)
    var highest = Vector8.zero
    var x = 0
    while x < planes.width {
      let place = row &* planes.stride &+ x
      let (d, f) = (PixelVector(differences, start &+ x), PixelVector(flashes, start &+ x))
      let a = ambients.map { PixelVector($0, start &+ x) } ?? PixelVector(.zero, .zero)
      // NaN fails the comparisons.
      let isKnown = d.colour.isOrdinary .& f.colour.isOrdinary .& a.colour.isOrdinary
      let hasAmbient = ambients == nil ? all : (d.alpha .> 0) .& (a.alpha .> 0)
      let difference = ColorVector.zero.replacing(with: d.colour, where: isKnown)
      let flash = ColorVector.zero.replacing(with: f.colour, where: isKnown)
      let ambient = ColorVector.zero.replacing(with: a.colour, where: isKnown)
      let isClipped = flash.max .>= 1
      let isMeasured = isKnown .& hasAmbient
      let isValid = isMeasured .& .!isClipped
      highest = highest.greater(flash.max)

      var variance = estimate.flashNoise.variance(flash) + Vector8(repeating: 1e-10)
      var fill = (flash * gains.flash(x)).positive
      if ambients != nil {
        let noise = estimate.ambientNoise.variance(ambient)
        variance = variance + noise
        // The gains to the ambient frame vanish with its reliability.
        let mixed = fill * (1 - gains.reliability(x)) + gains.fill(ambient, noise, x)
        fill = fill.replacing(with: mixed, where: hasAmbient)
      }
      store(difference, Plane.difference, place)
      store(flash, Plane.flash, place)
      store(fill, Plane.fill, place)
      gains.nearness(x).store(at: planes[Plane.nearness] + place)
      Vector8(isValid).store(at: planes[Plane.validity] + place)
      // What both frames have clipped is the room's light, not the flash's glare.
      Vector8(isClipped .& isMeasured).store(at: planes[Plane.clipping] + place)
      Vector8(isKnown).store(at: planes[Plane.known] + place)
      Vector8(isMeasured).store(at: planes[Plane.measured] + place)
      flash.brightness.store(at: planes[Plane.brightness] + place)
      difference.brightness.store(at: planes[Plane.differenceBrightness] + place)
      Vector8(repeating: 1e6).replacing(with: variance.brightnessVariance, where: isKnown)
        .store(at: planes[Plane.variance] + place)
      (variance.x + variance.z).store(at: planes[Plane.chromaVariance] + place)
      // Without ambient data the difference is not one: nothing is known until a neighbour lends its value.
      Vector8(repeating: 1e6).replacing(with: 1, where: isMeasured)
        .store(at: planes[Plane.relativeVariance] + place)
      x &+= 8
    }
    // Lanes beyond the row may hold anything; at worst they say that a tile has clipping, which changes no result.
    if highest.max() >= 1 { hasClipping = true }
  }

  @inline(__always)
  private func store(_ colour: ColorVector, _ plane: Int, _ place: Int) {
    colour.x.store(at: planes[plane] + place)
    colour.y.store(at: planes[plane + 1] + place)
    colour.z.store(at: planes[plane + 2] + place)
  }

  // MARK: Guide

  /// How far demosaicing may be off in a dark pixel, relative to how much brighter its neighbours are: a false colour that no
  /// noise model knows.
  private static let demosaicError: Float = 0.15

  /// The chromaticity of the flash frame's 3 × 3 mean, and how far noise moves it; and what a bright edge adds to noise.
  private func measure() {
    let stride = planes.stride
    let (red, green, blue) = (planes[Plane.flash], planes[Plane.flash + 1], planes[Plane.flash + 2])
    let (chromaRed, chromaBlue) = (planes[Plane.chroma], planes[Plane.chroma + 1])
    let (variance, known) = (planes[Plane.chromaVariance], planes[Plane.known])
    let (brightness, brightnessVariance) = (planes[Plane.brightness], planes[Plane.variance])
    @inline(__always) func sum(_ plane: UnsafeMutablePointer<Float>, _ place: Int) -> Vector8 {
      @inline(__always) func row(_ place: Int) -> Vector8 {
        Vector8(at: plane + (place &- 1)) + Vector8(at: plane + place) + Vector8(at: plane + (place &+ 1))
      }
      return row(place &- stride) + row(place) + row(place &+ stride)
    }
    for y in 1..<max(1, planes.height - 1) {
      var x = 1
      while x < planes.width - 1 {
        let place = y &* stride &+ x
        let (r, g, b) = (sum(red, place), sum(green, place), sum(blue, place))
        let scale = 1 / (r + g + b).greater(Vector8(repeating: 9e-6))
        (r * scale).store(at: chromaRed + place)
        (b * scale).store(at: chromaBlue + place)
        // Nine times the total of the mean is the sum: the variance of a mean of nine, of two channels.
        let edge = sum(brightness, place) * (1.0 / 9) - Vector8(at: brightness + place)
        let excess = Vector8.zero.greater(edge) * Self.demosaicError
        (Vector8(at: brightnessVariance + place) + excess * excess).store(at: brightnessVariance + place)
        let noise = (Vector8(at: variance + place) + 2 * excess * excess) * (4.5 * scale * scale) + 1.6e-5
        Vector8(repeating: 1e6).replacing(with: noise, where: Vector8(at: known + place) .> 0).store(
          at: variance + place)
        x &+= 8
      }
    }
  }

  // MARK: Averaging

  private func filter() {
    let filter = EdgeAvoidingFilter(
      brightness: planes[Plane.brightness], chroma: (planes[Plane.chroma], planes[Plane.chroma + 1]),
      brightnessVariance: planes[Plane.variance], chromaVariance: planes[Plane.chromaVariance],
      validity: planes[Plane.validity], width: planes.width, height: planes.height, stride: planes.stride)
    let (narrow, other) = (self.narrow(Plane.narrow), self.narrow(Plane.narrowOther))
    let (wide, wideOther) = (self.wide(Plane.wide), self.wide(Plane.wideOther))
    let source = EdgeAvoidingFilter.Narrow(
      values: (planes[Plane.differenceBrightness], planes[Plane.brightness]), variance: planes[Plane.relativeVariance])
    let wideSource = EdgeAvoidingFilter.Wide(
      values: (
        planes[Plane.difference], planes[Plane.difference + 1], planes[Plane.difference + 2], planes[Plane.fill],
        planes[Plane.fill + 1], planes[Plane.fill + 2]
      ), variance: planes[Plane.relativeVariance])
    // The insets add up to the margin: one pixel for the guide, then the sum of the steps.
    filter.apply(narrow: (source, narrow), wide: (wideSource, wide), step: 1, inset: 2)
    filter.apply(narrow: (narrow, other), wide: (wide, wideOther), step: 2, inset: 4)
    FlashOnlyBlend(self).compare(inset: 4)
    filter.apply(narrow: (other, narrow), wide: (wideOther, wide), step: 4, inset: 8)
    filter.apply(wide: (wide, wideOther), step: 8, inset: 16)
    filter.apply(wide: (wideOther, wide), step: 16, inset: 32)
  }

  private func narrow(_ first: Int) -> EdgeAvoidingFilter.Narrow {
    EdgeAvoidingFilter.Narrow(values: (planes[first], planes[first + 1]), variance: planes[first + 2])
  }

  private func wide(_ first: Int) -> EdgeAvoidingFilter.Wide {
    EdgeAvoidingFilter.Wide(
      values: (
        planes[first], planes[first + 1], planes[first + 2], planes[first + 3], planes[first + 4], planes[first + 5]
      ), variance: planes[first + 6])
  }
}
