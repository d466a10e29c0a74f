import Glibc
import Raster

/// The centre-weighted mean and the plain mean of a one-channel map, fed in pieces.
///
/// A pixel at the distance d from the centre of the picture weighs 0.3 + 0.7 · exp(−d² / (2 (0.25 D)²)), D the
/// diagonal: a soft version of the classic centre-weighted light meter. Sums are whole numbers in units of
/// 2⁻³⁰, so the result does not depend, in any bit, on how the map was cut or in which order the pieces came.
public struct CenterWeighting: Sendable {
  /// The picture.
  public let bounds: Rectangle
  private var weightedSum: Int64 = 0
  private var weightSum: Int64 = 0
  private var plainSum: Int64 = 0
  private var count: Int64 = 0

  /// Nothing yet of a picture.
  public init(_ bounds: Rectangle) { self.bounds = bounds }

  /// The centre-weighted mean of what was fed, 0...1; nil before any pixel.
  public var centerWeightedMean: Double? { weightSum > 0 ? Double(weightedSum) / Double(weightSum) : nil }

  /// The plain mean of what was fed, 0...1; nil before any pixel.
  public var mean: Double? { count > 0 ? Double(plainSum) / Self.unit / Double(count) : nil }

  /// The weight of a place, 0.3...1.
  public func weight(x: Int, y: Int) -> Double {
    Self.edge + (1 - Self.edge) * factor(x, bounds.x, bounds.width) * factor(y, bounds.y, bounds.height)
  }

  /// Adds the values of a rectangle, row after row; each pixel of the picture is to be fed once.
  ///
  /// Values are limited to 0...1, NaN counts as 0. Pixels outside the picture, or beyond the end of `values`,
  /// are left out.
  public mutating func add(_ rectangle: Rectangle, _ values: Span<Float>) {
    add(rectangle, count: values.count) { values[$0] }
  }

  /// Adds the first channel of the pixels of a rectangle, otherwise like ``add(_:_:)-(_,Span<Float>)``.
  public mutating func add(_ rectangle: Rectangle, _ values: Pixels) {
    add(rectangle, count: values.count) { values[$0].x }
  }

  /// Adds what another part of the same picture has gathered.
  public mutating func merge(_ other: CenterWeighting) {
    weightedSum &+= other.weightedSum
    weightSum &+= other.weightSum
    plainSum &+= other.plainSum
    count &+= other.count
  }

  private static let edge = 0.3
  private static let unit = 1_073_741_824.0

  @inline(__always)
  private mutating func add(_ rectangle: Rectangle, count available: Int, _ value: (Int) -> Float) {
    let inside = rectangle.intersection(bounds)
    guard !inside.isEmpty else { return }
    let columns = (inside.x..<inside.maxX).map { factor($0, bounds.x, bounds.width) }
    for y in inside.y..<inside.maxY {
      let row = (1 - Self.edge) * factor(y, bounds.y, bounds.height)
      let start = (y - rectangle.y) * rectangle.width + inside.x - rectangle.x
      let length = min(columns.count, available - start)
      guard length > 0 else { return }
      for column in 0..<length {
        let raw = value(start + column)
        let limited = raw > 0 ? Double(min(raw, 1)) : 0
        let weight = Self.edge + row * columns[column]
        weightedSum &+= units(limited * weight)
        weightSum &+= units(weight)
        plainSum &+= units(limited)
      }
      count &+= Int64(length)
    }
  }

  /// A number of 0...1 in units of 2⁻³⁰: at 2²² the last bit of a double is worth just that.
  @inline(__always) private func units(_ value: Double) -> Int64 {
    Int64(bitPattern: (value + 4_194_304).bitPattern &- (4_194_304.0).bitPattern)
  }

  /// One axis' part of the Gaussian, which is a product of both.
  private func factor(_ place: Int, _ start: Int, _ length: Int) -> Double {
    let distance = Double(place) - Double(start) - Double(length - 1) / 2
    let (width, height) = (Double(bounds.width), Double(bounds.height))
    let variance = 0.25 * 0.25 * (width * width + height * height)
    return exp(-distance * distance / (2 * variance))
  }
}
