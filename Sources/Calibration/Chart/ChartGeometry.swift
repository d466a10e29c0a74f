import ConstantColor
import Raster

/// Where a 24-patch ColorChecker lies in a picture: 6 columns by 4 rows, dark skin first, black last.
///
/// In chart coordinates the centre of a patch is at whole numbers (column 0...5, row 0...3), and one unit is the
/// pitch of the patches. Picture coordinates are pixels, pixel centres at whole numbers.
public struct ChartGeometry: Equatable, Sendable {
  /// Patches in a row.
  public static let columns = 6
  /// Rows of patches.
  public static let rows = 4
  /// All patches.
  public static let patchCount = columns * rows

  /// From chart coordinates to picture coordinates.
  public let homography: Homography

  /// The chart with the centres of four patches, in pixels: dark skin, bluish green, black, white, in this order
  /// (around the chart, whichever way up it lies).
  ///
  /// Throws ``ChartError/corners(_:)`` where no camera could see a chart so: crossed, mirrored, bent inwards, too
  /// small to measure, or not finite.
  public init(corners: [SIMD2<Double>]) throws(ChartError) {
    guard corners.count == 4 else { throw .corners("four corners are needed, not \(corners.count)") }
    guard corners.allSatisfy({ abs($0.x) < 1e7 && abs($0.y) < 1e7 }) else {
      throw .corners("the corners must be numbers of pixels within the picture")
    }
    let turns = (0..<4).map { index in
      cross(corners[(index + 1) % 4] - corners[index], corners[(index + 2) % 4] - corners[(index + 1) % 4])
    }
    // Four left turns are a mirrored chart; two of each kind are crossed lines.
    guard turns.allSatisfy({ $0 > 0 }) else {
      let isMirrored = turns.allSatisfy { $0 < 0 }
      throw .corners(
        turns.contains(0)
          ? "three of the corners lie on one line"
          : isMirrored
            ? "the corners show the chart mirrored; name the centres of dark skin, bluish green, black, white, in"
              + " this order"
            : "the lines between the corners cross or bend inwards; name the centres of dark skin, bluish green,"
              + " black, white, in this order")
    }
    guard let homography = ProjectiveFit.homography(from: Self.cornerPlaces, to: corners) else {
      throw .corners("the corners lie so nearly on a line that they give no chart")
    }
    try self.init(homography: homography)
  }

  /// The chart behind a map from chart coordinates to pixels; throws as ``init(corners:)`` does.
  public init(homography: Homography) throws(ChartError) {
    self.homography = homography
    guard homography.determinant > 0 else { throw .corners("the chart would be mirrored or folded") }
    var smallest = Double.infinity
    var largest = 0.0
    for corner in Self.outerPlaces {
      guard let axes = Self.axes(homography, at: corner) else { throw .corners("the chart would reach the horizon") }
      for axis in [axes.0, axes.1] {
        smallest = min(smallest, length(axis))
        largest = max(largest, length(axis))
      }
      // A tilt of 80° shortens a pitch to a sixth; beyond, there is nothing to measure.
      guard cross(axes.0, axes.1) > 0.15 * length(axes.0) * length(axes.1) else {
        throw .corners("the chart would be seen from too flat an angle")
      }
    }
    guard smallest >= Self.smallestPitch else {
      throw .corners(
        "the patches would be \(Int(max(0, min(smallest, 1e6)))) pixels apart; at least \(Int(Self.smallestPitch)) are"
          + " needed")
    }
    guard largest < 6 * smallest, largest < 1e7 else {
      throw .corners("the chart would be seen from too flat an angle")
    }
  }

  /// The smallest distance between patches, in pixels, that can be measured: 3 × 3 pixels inside each.
  public static let smallestPitch = 5.0

  /// The chart coordinates of patch `index`, 0 (dark skin) to 23 (black).
  public static func place(of index: Int) -> SIMD2<Double> {
    let index = min(max(index, 0), patchCount - 1)
    return SIMD2(Double(index % columns), Double(index / columns))
  }

  /// Where the chart coordinates `place` are in the picture; nil beyond the horizon.
  public func point(at place: SIMD2<Double>) -> SIMD2<Double>? { homography.apply(to: place) }

  /// The centre of patch `index`, 0 (dark skin) to 23 (black), in pixels.
  public func center(of index: Int) -> SIMD2<Double> {
    // Within the chart every place has an image: the initialiser looked at its corners.
    homography.apply(to: Self.place(of: index)) ?? .zero
  }

  /// The centres of dark skin, bluish green, black and white: what ``init(corners:)`` takes.
  public var corners: [SIMD2<Double>] { [0, 5, 23, 18].map(center(of:)) }

  /// The middle part of patch `index` as four points, in order around it; its sides are `share` of the pitch. The
  /// patches of the chart fill about 0.85.
  public func quadrilateral(of index: Int, share: Double) -> [SIMD2<Double>] {
    let half = min(max(share.isFinite ? share : 0, 0), 1) / 2
    let place = Self.place(of: index)
    return [SIMD2(-half, -half), SIMD2(half, -half), SIMD2(half, half), SIMD2(-half, half)].map {
      homography.apply(to: place + $0) ?? center(of: index)
    }
  }

  /// Whether the middle parts of all patches lie within `bounds`.
  public func isInside(_ bounds: Rectangle, share: Double) -> Bool {
    (0..<Self.patchCount).allSatisfy { index in
      quadrilateral(of: index, share: share).allSatisfy { bounds.contains($0) }
    }
  }

  /// The largest distance between the corners of two charts, as a part of this chart's pitch.
  public func distance(to other: ChartGeometry) -> Double {
    let pitch = length(center(of: 5) - center(of: 0)) / 5
    return zip(corners, other.corners).map { length($0 - $1) }.reduce(0, max) / pitch
  }

  /// The same chart in a picture of which this one is a reduction.
  func enlarged(by factor: Int, from rectangle: Rectangle) -> ChartGeometry? {
    let scale = Double(factor)
    let shift = (scale - 1) / 2
    let map = Homography([
      scale, 0, shift + Double(rectangle.x), 0, scale, shift + Double(rectangle.y), 0, 0, 1,
    ])
    return map?.concatenating(after: homography).flatMap { try? ChartGeometry(homography: $0) }
  }

  /// How far one pitch to the right and one pitch down reach at a place: the columns of the Jacobian.
  static func axes(_ map: Homography, at place: SIMD2<Double>) -> (SIMD2<Double>, SIMD2<Double>)? {
    let w = map.row2.x * place.x + map.row2.y * place.y + map.row2.z
    guard w > 1e-6, let image = map.apply(to: place) else { return nil }
    return (
      SIMD2(map.row0.x - image.x * map.row2.x, map.row1.x - image.y * map.row2.x) / w,
      SIMD2(map.row0.y - image.x * map.row2.y, map.row1.y - image.y * map.row2.y) / w
    )
  }

  private static let cornerPlaces: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(5, 0), SIMD2(5, 3), SIMD2(0, 3)]
  private static let outerPlaces: [SIMD2<Double>] = [
    SIMD2(-0.5, -0.5), SIMD2(5.5, -0.5), SIMD2(5.5, 3.5), SIMD2(-0.5, 3.5),
  ]
}

extension Rectangle {
  /// Whether the point is on one of the pixels.
  func contains(_ point: SIMD2<Double>) -> Bool {
    point.x >= Double(x) - 0.5 && point.x <= Double(x) + Double(width) - 0.5 && point.y >= Double(y) - 0.5
      && point.y <= Double(y) + Double(height) - 0.5
  }
}

/// The z component of the vector product: positive where `b` turns from x towards y.
func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }

/// The length of a vector.
func length(_ a: SIMD2<Double>) -> Double { (a * a).sum().squareRoot() }
