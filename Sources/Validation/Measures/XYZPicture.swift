import ColorScience
import ConstantColor

/// A picture to be judged: XYZ under D65, unbounded, row after row.
public struct XYZPicture: Sendable {
  /// The size in pixels.
  public let width, height: Int
  /// The colours; finite.
  public private(set) var pixels: [SIMD3<Float>]

  /// A picture from its pixels. What is not finite counts as black, and missing pixels do, too.
  public init(width: Int, height: Int, pixels: [SIMD3<Float>]) {
    (self.width, self.height) = (max(0, width), max(0, height))
    let count = self.width * self.height
    self.pixels = pixels
    if pixels.count > count { self.pixels.removeLast(pixels.count - count) }
    if pixels.count < count { self.pixels += [SIMD3<Float>](repeating: .zero, count: count - pixels.count) }
    for index in 0..<count where !self.pixels[index].sum().isFinite { self.pixels[index] = .zero }
  }

  /// The picture as another frame sees it: the colour at a place is the one at the place's image, between pixels by two
  /// straight lines; beyond the edge that of the edge.
  public func warped(by map: Homography, width newWidth: Int, height newHeight: Int) -> XYZPicture {
    guard width > 0, height > 0 else { return XYZPicture(width: newWidth, height: newHeight, pixels: []) }
    var warped: [SIMD3<Float>] = []
    warped.reserveCapacity(newWidth * newHeight)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        warped.append(map.apply(to: SIMD2(Double(x), Double(y))).map(color(at:)) ?? .zero)
      }
    }
    return XYZPicture(width: newWidth, height: newHeight, pixels: warped)
  }

  private func color(at place: SIMD2<Double>) -> SIMD3<Float> {
    let x = min(max(place.x, 0), Double(width - 1))
    let y = min(max(place.y, 0), Double(height - 1))
    let (left, top) = (Int(x), Int(y))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
    let above = (1 - u) * pixels[top * width + left] + u * pixels[top * width + right]
    let below = (1 - u) * pixels[bottom * width + left] + u * pixels[bottom * width + right]
    return (1 - v) * above + v * below
  }
}

extension XYZ {
  /// A colour of a picture.
  init(_ pixel: SIMD3<Float>) { self.init(SIMD3<Double>(pixel)) }
}
