import ConstantColor
import Glibc

/// The proportion of a sheet, from how its corners appear.
public enum SheetShape {
  /// Width divided by height of the rectangle whose corners a camera sees so; by its pinhole, with square pixels and the
  /// optical axis in the middle of the frame.
  ///
  /// Zhang and He, "Whiteboard scanning and image enhancement", Digital Signal Processing 17 (2007), equations 11 to 20. The focal
  /// length follows from the corners, too, unless two sides are almost parallel; then it hardly matters.
  ///
  /// - Parameters:
  ///   - center: the middle of the frame in pixels.
  ///   - focalLength: in pixels, where it is known.
  ///   - diagonal: of the frame, in pixels: what focal lengths are measured by.
  public static func aspectRatio(
    of outline: PageOutline, center: SIMD2<Double>, focalLength: Double? = nil, diagonal: Double
  ) -> Double {
    func point(_ index: Int) -> SIMD3<Double> { SIMD3(outline.corners[index] - center, 1) }
    // As in the paper: top left, top right, bottom left, bottom right.
    let (m1, m2, m3, m4) = (point(0), point(1), point(3), point(2))
    let plain =
      ((outline.length(0) + outline.length(2)) / (outline.length(1) + outline.length(3)))
    let (k2, k3) = (triple(m1, m4, m3) / triple(m2, m4, m3), triple(m1, m4, m2) / triple(m3, m4, m2))
    let (n2, n3) = (k2 * m2 - m1, k3 * m3 - m1)
    guard n2.x.isFinite, n2.y.isFinite, n2.z.isFinite, n3.x.isFinite, n3.y.isFinite, n3.z.isFinite else { return plain }
    let square: Double
    if let focalLength {
      square = focalLength * focalLength
    } else {
      // From 0.55 (very wide) to 4 (tele) diagonals; 0.8 is that of most telephones and of 35 mm.
      let found = -(n2.x * n3.x + n2.y * n3.y) / (n2.z * n3.z)
      let (least, most) = (0.55 * diagonal, 4 * diagonal)
      let isClear = abs(n2.z) * diagonal > 0.04 * hypot(n2.x, n2.y) && abs(n3.z) * diagonal > 0.04 * hypot(n3.x, n3.y)
      square =
        isClear && found.isFinite && found > 0
        ? min(max(found, least * least), most * most) : 0.64 * diagonal * diagonal
    }
    func length(_ n: SIMD3<Double>) -> Double { (n.x * n.x + n.y * n.y) / square + n.z * n.z }
    let ratio = (length(n2) / length(n3)).squareRoot()
    return ratio.isFinite && ratio > 0.02 && ratio < 50 ? ratio : plain
  }

  private static func triple(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
    (a.y * b.z - a.z * b.y) * c.x + (a.z * b.x - a.x * b.z) * c.y + (a.x * b.y - a.y * b.x) * c.z
  }

  /// The map from pixels of the straight page to the picture; nil for an outline that no camera sees.
  ///
  /// Heckbert, *Fundamentals of Texture Mapping and Image Warping* (1989), section 2.2.3.
  ///
  /// - Parameters:
  ///   - width, height: of the straight page in pixels; its edges, half a pixel outside the first and last centres, are the
  ///     outline's sides.
  public static func homography(to outline: PageOutline, width: Int, height: Int) -> Homography? {
    guard width > 0, height > 0 else { return nil }
    let c = outline.corners
    let sum = c[0] - c[1] + c[2] - c[3]
    let (first, second) = (c[1] - c[2], c[3] - c[2])
    let determinant = first.x * second.y - second.x * first.y
    guard determinant != 0 else { return nil }
    let g = (sum.x * second.y - second.x * sum.y) / determinant
    let h = (first.x * sum.y - sum.x * first.y) / determinant
    let across = c[1] - c[0] + g * c[1]
    let down = c[3] - c[0] + h * c[3]
    // Of pixel centres: u = (x + ½) / width.
    let (w, v) = (1 / Double(width), 1 / Double(height))
    func row(_ a: Double, _ b: Double, _ c: Double) -> [Double] { [a * w, b * v, c + 0.5 * (a * w + b * v)] }
    return Homography(row(across.x, down.x, c[0].x) + row(across.y, down.y, c[0].y) + row(g, h, 1))
  }
}
