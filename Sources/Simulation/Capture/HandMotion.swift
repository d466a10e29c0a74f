import Glibc

/// How far the hand moves between two frames.
public enum HandMotion: String, CaseIterable, Sendable {
  /// On a tripod.
  case none
  /// Some pixels and a quarter of a degree, as in rapid succession.
  case small
  /// Ten pixels, a degree, and a little perspective.
  case large
  /// A few pixels, and corners that move by two more.
  case perspective

  /// Where the ambient frame sees what the flash frame sees at (x, y, 1), row by row; the last number is 1. Distances are for a picture
  /// 640 pixels wide, and grow with it.
  func homography(width: Int, height: Int, _ generator: inout SplitMix) -> [Double] {
    func signed(_ amount: Double) -> Double { amount * (2 * generator.uniform() - 1) }
    let scale = Double(width) / 640
    let (shift, turn, zoom, tilt): (Double, Double, Double, Double) =
      switch self {
      case .none: (0, 0, 0, 0)
      case .small: (4, 0.25, 0.0015, 0)
      case .large: (10, 0.9, 0.006, 1.5)
      case .perspective: (3, 0.3, 0.002, 2.5)
      }
    guard self != .none else { return Self.identity }
    let angle = signed(turn) * .pi / 180
    let size = 1 + signed(zoom)
    let (c, s) = (size * cos(angle), size * sin(angle))
    let (dx, dy) = (signed(shift) * scale, signed(shift) * scale)
    // A tilt moves the corners by about as many pixels as it says.
    let (x, y) = (Double(width - 1) / 2, Double(height - 1) / 2)
    let (px, py) = (signed(tilt) * scale / (x * x), signed(tilt) * scale / (y * y))
    // About the centre: first to it, then turned and tilted, then back and shifted.
    let to: [Double] = [1, 0, -x, 0, 1, -y, 0, 0, 1]
    let turned: [Double] = [c, s, 0, -s, c, 0, px, py, 1]
    let back: [Double] = [1, 0, x + dx, 0, 1, y + dy, 0, 0, 1]
    let product = Self.product(back, Self.product(turned, to))
    return product.map { $0 / product[8] }
  }

  static let identity = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]

  static func product(_ a: [Double], _ b: [Double]) -> [Double] {
    (0..<9).map { index in
      let (row, column) = (index / 3 * 3, index % 3)
      return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6]
    }
  }

  /// The inverse of a homography; nil for a singular one.
  static func inverse(_ h: [Double]) -> [Double]? {
    guard h.count == 9 else { return nil }
    let adjugate = [
      h[4] * h[8] - h[5] * h[7], h[2] * h[7] - h[1] * h[8], h[1] * h[5] - h[2] * h[4],
      h[5] * h[6] - h[3] * h[8], h[0] * h[8] - h[2] * h[6], h[2] * h[3] - h[0] * h[5],
      h[3] * h[7] - h[4] * h[6], h[1] * h[6] - h[0] * h[7], h[0] * h[4] - h[1] * h[3],
    ]
    guard abs(adjugate[8]) > 1e-12, adjugate.allSatisfy(\.isFinite) else { return nil }
    return adjugate.map { $0 / adjugate[8] }
  }

  /// A point through a homography.
  static func apply(_ h: [Double], _ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let w = h[6] * x + h[7] * y + h[8]
    return ((h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w)
  }
}
