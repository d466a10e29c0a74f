import Raster

/// The average of one tile after the other, in memory that serves them all.
///
/// The frames are brought to one exposure and taken apart into planes. A pixel that has no value takes the mean of those
/// that have one, and a clipped pixel takes it where that is more, so that means over a neighbourhood are of the same
/// places in all frames.
final class AverageTile {
  /// The largest tile, without its margin.
  static let width = 128
  static let height = 64

  let matches: [FrameMatch]
  let planes: Planes
  /// Each frame's noise in the common exposure.
  let noise: [NoiseModel]
  private let strip: UnsafeMutableBufferPointer<Pixel>
  private let outlier: AverageOutliers
  private let blend: AverageBlend
  private var columns: [Float]

  private static let margin = AmbientAverage.margin
  private static let stripRows = 16

  /// What each plane of a frame holds.
  enum Plane {
    static let value = 0
    /// The 3 × 3 mean.
    static let mean = 3
    /// Alpha; 0 without a value, ``clipped`` where the value is a lower bound.
    static let trust = 6
    /// 1 where the frame contradicts the others.
    static let outlier = 7
    static let ofFrame = 8
    // Of all frames together, after those of the frames:
    /// The mean of the values that there are, and the 3 × 3 mean of it.
    static let common = 0
    static let smooth = 3
    /// What misregistration may do, as a variance.
    static let room = 6
    /// The flash frame.
    static let flash = 9
    /// One row for each frame.
    static let rows = 12
    static let shared = 13
  }

  /// The trust of a clipped pixel.
  static let clipped: Float = -1

  init(_ matches: [FrameMatch], _ limits: OutlierLimits) {
    self.matches = matches
    noise = matches.map(\.scaledNoise)
    let (width, height) = (Self.width + 2 * Self.margin, Self.height + 2 * Self.margin)
    planes = Planes(count: matches.count * Plane.ofFrame + Plane.shared, width: width, height: height, reach: 5)
    outlier = AverageOutliers(frames: matches.count, limits)
    blend = AverageBlend(matches.map(\.gain))
    columns = [Float](repeating: 1, count: width + 8)
    strip = .allocate(capacity: width * Self.stripRows + 8)
    strip.initialize(repeating: .zero)
  }

  deinit { strip.deallocate() }

  /// A plane of a frame.
  @inline(__always)
  func plane(_ frame: Int, _ plane: Int) -> UnsafeMutablePointer<Float> { planes[frame &* Plane.ofFrame &+ plane] }

  /// A plane of all frames.
  @inline(__always)
  func shared(_ plane: Int) -> UnsafeMutablePointer<Float> { planes[matches.count &* Plane.ofFrame &+ plane] }

  /// Three neighbouring planes at a place.
  @inline(__always)
  func colour(_ first: UnsafeMutablePointer<Float>, _ place: Int) -> ColorVector {
    let size = planes.size
    return ColorVector(
      Vector8(at: first + place), Vector8(at: first + (place &+ size)), Vector8(at: first + (place &+ 2 &* size)))
  }

  @inline(__always)
  private func store(_ colour: ColorVector, _ first: UnsafeMutablePointer<Float>, _ place: Int) {
    let size = planes.size
    colour.x.store(at: first + place)
    colour.y.store(at: first + (place &+ size))
    colour.z.store(at: first + (place &+ 2 &* size))
  }

  /// Writes the pixels of the part `tile` of `rectangle`; counts the pixels of each frame.
  func run(
    _ tile: Rectangle, of rectangle: Rectangle, _ frames: [PartialFrame], _ bound: AmbientAverage.Bound?,
    into output: MutablePixels
  ) -> [(voting: Int, rejected: Int)] {
    prepare(tile, frames)
    if let bound { load(tile.expanded(by: Self.margin), bound.flash) }
    let hasOutliers = outlier.find(self)
    return blend.write(
      self, tile, of: rectangle, hasOutliers: hasOutliers, bound: bound, inset: Self.margin, into: output)
  }

  /// The frames' distances from their median in a tile: see ``AverageOutliers/distances(_:inset:width:height:)``.
  func distances(_ tile: Rectangle, _ frames: [PartialFrame]) -> (narrow: [Float], wide: [Float]) {
    prepare(tile, frames)
    return outlier.distances(self, inset: Self.margin, width: tile.width, height: tile.height)
  }

  private func prepare(_ tile: Rectangle, _ frames: [PartialFrame]) {
    let area = tile.expanded(by: Self.margin)
    planes.shape(width: area.width, height: area.height)
    for index in matches.indices { load(area, index, frames[index]) }
    fill()
    for index in matches.indices { smooth(plane(index, Plane.value), plane(index, Plane.mean)) }
    smooth(shared(Plane.common), shared(Plane.smooth))
    findRoom()
  }

  // MARK: Input

  private func load(_ area: Rectangle, _ index: Int, _ frame: PartialFrame) {
    let match = matches[index]
    let (values, trusts) = (plane(index, Plane.value), plane(index, Plane.trust))
    if !match.bands.isVertical { for x in 0..<area.width { columns[x] = match.bands.factor(at: area.x + x) } }
    read(area, frame) { pixels, start, row in
      let factor = match.bands.isVertical ? match.bands.factor(at: area.y + row) : 1
      let gain = ColorVector(match.gain * factor)
      columns.withUnsafeBufferPointer { columns in
        guard let columns = columns.baseAddress else { return }
        var x = 0
        while x < area.width {
          let pixel = PixelVector(pixels, start &+ x)
          let place = row &* planes.stride &+ x
          let isKnown = pixel.colour.isOrdinary
          // Without trust there is no value; but what reaches 1.0 was light, and more of it than can be told.
          let isClipped = isKnown .& (pixel.colour.max .>= 1)
          let hasValue = isKnown .& (pixel.alpha .> 0)
          let trust = pixel.alpha.greater(Vector8(repeating: ResidualMap.leastTrust)).lesser(Vector8(repeating: 1))
          Vector8.zero.replacing(with: trust, where: hasValue)
            .replacing(with: Self.clipped, where: isClipped).store(at: trusts + place)
          let light = pixel.colour * gain * (match.bands.isVertical ? Vector8(repeating: 1) : Vector8(at: columns + x))
          store(ColorVector.zero.replacing(with: light, where: isKnown), values, place)
          x &+= 8
        }
      }
    }
  }

  private func load(_ area: Rectangle, _ flash: any PixelSource) {
    let target = shared(Plane.flash)
    read(area, flash) { pixels, start, row in
      var x = 0
      while x < area.width {
        let pixel = PixelVector(pixels, start &+ x)
        // A flash frame that says nothing bounds nothing.
        let unknown = ColorVector(SIMD3(repeating: 65504))
        let isKnown = pixel.colour.isOrdinary .& (pixel.colour.max .< 1)
        store(unknown.replacing(with: pixel.colour, where: isKnown), target, row &* planes.stride &+ x)
        x &+= 8
      }
    }
  }

  /// Reads a frame in strips, and hands over its rows.
  @inline(__always)
  private func read(_ area: Rectangle, _ source: some PixelSource, _ body: (Pixels, Int, Int) -> Void) {
    let pixels = MutablePixels(strip.baseAddress.map { UnsafeMutableRawPointer($0) }, count: strip.count)
    for top in stride(from: 0, to: area.height, by: Self.stripRows) {
      let rows = min(Self.stripRows, area.height - top)
      source.read(Rectangle(x: area.x, y: area.y + top, width: area.width, height: rows), into: pixels)
      for row in 0..<rows { body(pixels.readable, row * area.width, top + row) }
    }
  }

  // MARK: Neighbourhoods

  /// Gives a value to the pixels that have none, as far as another frame has one.
  private func fill() {
    for y in 0..<planes.height {
      var x = 0
      while x < planes.width {
        let place = y &* planes.stride &+ x
        var (sum, count) = (ColorVector.zero, Vector8.zero)
        for frame in matches.indices {
          let isMeasured = Vector8(at: plane(frame, Plane.trust) + place) .> 0
          sum = sum + ColorVector.zero.replacing(with: colour(plane(frame, Plane.value), place), where: isMeasured)
          count += Vector8(isMeasured)
        }
        let mean = sum * (1 / count.greater(Vector8(repeating: 1)))
        store(mean, shared(Plane.common), place)
        for frame in matches.indices {
          let (trust, values) = (Vector8(at: plane(frame, Plane.trust) + place), plane(frame, Plane.value))
          let isMissing = (trust .== 0) .& (count .> 0)
          let value = colour(values, place)
          let bound = ColorVector(value.x.greater(mean.x), value.y.greater(mean.y), value.z.greater(mean.z))
          store(value.replacing(with: mean, where: isMissing).replacing(with: bound, where: trust .< 0), values, place)
        }
        x &+= 8
      }
    }
  }

  /// The 3 × 3 means of three planes.
  private func smooth(_ source: UnsafeMutablePointer<Float>, _ target: UnsafeMutablePointer<Float>) {
    let stride = planes.stride
    for channel in 0..<3 {
      let (from, to) = (source + channel * planes.size, target + channel * planes.size)
      for y in 1..<max(1, planes.height - 1) {
        var x = 0
        while x < planes.width {
          let place = y &* stride &+ x
          @inline(__always) func row(_ place: Int) -> Vector8 {
            Vector8(at: from + (place &- 1)) + Vector8(at: from + place) + Vector8(at: from + (place &+ 1))
          }
          ((row(place &- stride) + row(place) + row(place &+ stride)) * (1.0 / 9)).store(at: to + place)
          x &+= 8
        }
      }
    }
  }

  /// A shift by a part of a pixel changes values by that part of their slope.
  private func findRoom() {
    let stride = planes.stride
    for channel in 0..<3 {
      let from = shared(Plane.smooth) + channel * planes.size
      let to = shared(Plane.room) + channel * planes.size
      for y in 2..<max(2, planes.height - 2) {
        var x = 0
        while x < planes.width {
          let place = y &* stride &+ x
          let across = (Vector8(at: from + (place &+ 1)) - Vector8(at: from + (place &- 1))) * 0.5
          let down = (Vector8(at: from + (place &+ stride)) - Vector8(at: from + (place &- stride))) * 0.5
          ((across * across + down * down) * (Self.misregistration * Self.misregistration)).store(at: to + place)
          x &+= 8
        }
      }
    }
  }

  /// What registration leaves, RMS in pixels.
  private static let misregistration: Float = 0.25
}
