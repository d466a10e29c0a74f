import Glibc
import Raster

/// A plane projective map: nine numbers, row-major, the last one 1.
///
/// Maps (x, y, 1) in the flash frame to the ambient frame. Coordinates are absolute pixels: x to the
/// right, y down, pixel centres at whole numbers. Hartley and Zisserman, *Multiple View Geometry*, chapter 2.
public struct Homography: Equatable, Sendable {
  /// The three rows of the matrix.
  public let row0, row1, row2: SIMD3<Double>

  init(row0: SIMD3<Double>, row1: SIMD3<Double>, row2: SIMD3<Double>) {
    self.row0 = row0
    self.row1 = row1
    self.row2 = row2
  }

  /// The map that leaves every point where it is.
  public static let identity = Homography(row0: [1, 0, 0], row1: [0, 1, 0], row2: [0, 0, 1])

  /// The map with these nine numbers, row-major, scaled so that the last is 1; nil where there are not nine, one is
  /// not finite, or the matrix has no inverse or a last number of 0.
  public init?(_ numbers: [Double]) {
    guard numbers.count == 9, numbers.allSatisfy(\.isFinite), numbers[8] != 0 else { return nil }
    let scaled = numbers.map { $0 / numbers[8] }
    self.init(
      row0: SIMD3(scaled[0], scaled[1], scaled[2]), row1: SIMD3(scaled[3], scaled[4], scaled[5]),
      row2: SIMD3(scaled[6], scaled[7], 1))
    guard scaled.allSatisfy(\.isFinite), determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
  }

  /// A shift in pixels.
  public static func translation(x: Double, y: Double) -> Homography {
    Homography(row0: [1, 0, x], row1: [0, 1, y], row2: [0, 0, 1])
  }

  /// A rotation (radians, from x towards y) and a scale about `center`, followed by a shift in pixels.
  public static func similarity(
    rotation: Double, scale: Double, about center: SIMD2<Double> = .zero, shift: SIMD2<Double> = .zero
  ) -> Homography {
    let c = scale * cos(rotation)
    let s = scale * sin(rotation)
    return Homography(
      row0: [c, -s, center.x - c * center.x + s * center.y + shift.x],
      row1: [s, c, center.y - s * center.x - c * center.y + shift.y],
      row2: [0, 0, 1])
  }

  /// The nine numbers, row-major.
  public var elements: [Double] {
    [row0.x, row0.y, row0.z, row1.x, row1.y, row1.z, row2.x, row2.y, row2.z]
  }

  /// The determinant of the matrix.
  public var determinant: Double {
    row0.x * (row1.y * row2.z - row1.z * row2.y) - row0.y * (row1.x * row2.z - row1.z * row2.x)
      + row0.z * (row1.x * row2.y - row1.y * row2.x)
  }

  /// Where the point goes; nil on or beyond the horizon, where the map has no finite place in front of the camera.
  public func apply(to point: SIMD2<Double>) -> SIMD2<Double>? {
    let w = row2.x * point.x + row2.y * point.y + row2.z
    guard w > 1e-9 else { return nil }
    return SIMD2(
      (row0.x * point.x + row0.y * point.y + row0.z) / w, (row1.x * point.x + row1.y * point.y + row1.z) / w)
  }

  /// The map that undoes this one; nil where there is none.
  public var inverse: Homography? {
    let (a, b, c) = (row0, row1, row2)
    return Homography([
      b.y * c.z - b.z * c.y, a.z * c.y - a.y * c.z, a.y * b.z - a.z * b.y,
      b.z * c.x - b.x * c.z, a.x * c.z - a.z * c.x, a.z * b.x - a.x * b.z,
      b.x * c.y - b.y * c.x, a.y * c.x - a.x * c.y, a.x * b.y - a.y * b.x,
    ])
  }

  /// The map that applies `first` and then this one; nil where the product cannot be scaled to a last number of 1.
  public func concatenating(after first: Homography) -> Homography? {
    func row(_ r: SIMD3<Double>) -> [Double] {
      let product = r.x * first.row0 + r.y * first.row1 + r.z * first.row2
      return [product.x, product.y, product.z]
    }
    return Homography(row(row0) + row(row1) + row(row2))
  }

  /// Whether every point of `rectangle` has a finite image, nothing is mirrored or folded, and lengths change by
  /// less than a factor of four: a map that two exposures of one scene can have.
  public func isPlausible(over rectangle: Rectangle) -> Bool {
    let determinant = determinant
    guard elements.allSatisfy(\.isFinite), determinant > 0 else { return false }
    for corner in rectangle.corners {
      let w = row2.x * corner.x + row2.y * corner.y + row2.z
      guard w > 1e-3, w < 1e3, let image = apply(to: corner), abs(image.x) < 1e9, abs(image.y) < 1e9 else {
        return false
      }
      // The Jacobian of a projective map has the determinant det(H) / w³.
      let area = determinant / (w * w * w)
      guard area > 1.0 / 16, area < 16 else { return false }
      // A shear can keep the area and still stretch: both axes are looked at.
      for column in 0..<2 {
        let dx = (row0[column] - image.x * row2[column]) / w
        let dy = (row1[column] - image.y * row2[column]) / w
        let length = hypot(dx, dy)
        guard length > 0.25, length < 4 else { return false }
      }
    }
    return true
  }

  /// The largest distance between what this map and `other` make of the corners of `rectangle`, in pixels;
  /// infinite where one of them has no image of a corner.
  public func cornerDistance(to other: Homography, over rectangle: Rectangle) -> Double {
    var largest = 0.0
    for corner in rectangle.corners {
      guard let a = apply(to: corner), let b = other.apply(to: corner) else { return .infinity }
      largest = max(largest, hypot(a.x - b.x, a.y - b.y))
    }
    return largest
  }
}

extension Rectangle {
  /// The centres of the four corner pixels.
  var corners: [SIMD2<Double>] {
    let (left, top) = (Double(x), Double(y))
    let (right, bottom) = (left + Double(max(width, 1) - 1), top + Double(max(height, 1) - 1))
    return [SIMD2(left, top), SIMD2(right, top), SIMD2(left, bottom), SIMD2(right, bottom)]
  }
}

/// A map near a place, where it is as good as a plane: its value there, and how fast that changes.
struct LocalMap {
  private var center = SIMD2<Float>.zero, alongX = SIMD2<Float>.zero, alongY = SIMD2<Float>.zero

  /// Everything goes to the origin.
  init() {}

  init(_ map: Homography, around place: SIMD2<Double>) {
    let (x, y) = (place.x, place.y)
    let depth = map.row2.x * x + map.row2.y * y + map.row2.z
    // Beyond the horizon there is no place.
    let w = depth > 1e-9 ? 1 / depth : .nan
    let there = SIMD2(
      (map.row0.x * x + map.row0.y * y + map.row0.z) * w, (map.row1.x * x + map.row1.y * y + map.row1.z) * w)
    center = SIMD2<Float>(there)
    alongX = SIMD2<Float>((SIMD2(map.row0.x, map.row1.x) - there * map.row2.x) * w)
    alongY = SIMD2<Float>((SIMD2(map.row0.y, map.row1.y) - there * map.row2.y) * w)
  }

  /// Where what lies so far from the place goes.
  @inline(__always)
  func apply(_ x: Float, _ y: Float) -> SIMD2<Float> { center + alongX * x + alongY * y }
}
