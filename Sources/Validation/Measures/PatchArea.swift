import ColorScience
import ConstantColor
import Simulation

/// The pixels by which a patch is judged: those whose centres lie in its polygon, shrunk about its centroid so that
/// neither edges nor small errors of place reach in.
public struct PatchArea: Sendable {
  /// Places in the picture, counted row after row.
  public let pixels: [Int]

  /// The pixels of a picture inside a convex polygon.
  ///
  /// - Parameter share: what is left of the polygon's size after shrinking.
  public init(_ polygon: [SIMD2<Double>], share: Double, width: Int, height: Int) {
    let middle = polygon.reduce(.zero, +) / Double(max(1, polygon.count))
    let corners = polygon.map { middle + share * ($0 - middle) }
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    guard corners.count > 2, let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
      left.isFinite, right.isFinite, top.isFinite, bottom.isFinite
    else {
      pixels = []
      return
    }
    /// The whole numbers between two places that are in the picture.
    func inside(_ low: Double, _ high: Double, _ size: Int) -> Range<Int> {
      let first = Int(min(max(low.rounded(.up), 0), Double(size)))
      let last = Int(min(max(high.rounded(.down) + 1, 0), Double(size)))
      return first..<max(first, last)
    }
    /// Positive on one side of the line from a to b, negative on the other.
    func side(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ point: SIMD2<Double>) -> Double {
      (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    }
    let turn = side(corners[0], corners[1], middle) < 0 ? -1.0 : 1.0
    var pixels: [Int] = []
    for y in inside(top, bottom, height) {
      for x in inside(left, right, width) {
        let point = SIMD2(Double(x), Double(y))
        let isInside = corners.indices.allSatisfy { index in
          turn * side(corners[index], corners[(index + 1) % corners.count], point) >= 0
        }
        if isInside { pixels.append(y * width + x) }
      }
    }
    self.pixels = pixels
  }

  /// The area of a patch of the truth, in the flash frame, or in the frame that a map leads to.
  public init(_ patch: PairTruth.Patch, by map: Homography? = nil, width: Int, height: Int) {
    let polygon = patch.polygon.map { map?.apply(to: $0) ?? (map == nil ? $0 : SIMD2(.nan, .nan)) }
    self.init(polygon, share: patch.kind == .object ? 0.9 : 0.6, width: width, height: height)
  }

  /// The mean colour; nil where the patch has no pixel in the picture.
  public func mean(of picture: XYZPicture) -> XYZ? {
    var sum = SIMD3<Double>.zero
    var count = 0.0
    for index in pixels where picture.pixels.indices.contains(index) {
      sum += SIMD3<Double>(picture.pixels[index])
      count += 1
    }
    return count > 0 ? XYZ(sum / count) : nil
  }

  /// The mean of one number a pixel; nil where the patch has no pixel in the picture.
  public func mean(of values: [Float]) -> Double? {
    let inside = pixels.filter(values.indices.contains)
    guard !inside.isEmpty else { return nil }
    return inside.reduce(0) { $0 + Double(values[$1]) } / Double(inside.count)
  }
}
