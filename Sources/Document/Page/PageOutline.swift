import Glibc

/// The four corners of a page in a picture, from its top left clockwise, in pixels (centres at whole numbers).
public struct PageOutline: Equatable, Sendable {
  /// Top left, top right, bottom right, bottom left.
  public let corners: [SIMD2<Double>]

  /// An outline; nil unless it has four finite corners that go around clockwise without a dent.
  public init?(corners: [SIMD2<Double>]) {
    guard corners.count == 4, corners.allSatisfy({ abs($0.x) < 1e7 && abs($0.y) < 1e7 }) else { return nil }
    for index in 0..<4 {
      let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      let (first, second) = (b - a, c - b)
      let turn = first.x * second.y - first.y * second.x
      let lengths = hypot(first.x, first.y) * hypot(second.x, second.y)
      // Three corners on a line, or a turn to the left.
      guard lengths > 1, turn > 0.02 * lengths else { return nil }
    }
    self.corners = corners
  }

  /// The length of a side in pixels: 0 top, 1 right, 2 bottom, 3 left.
  public func length(_ side: Int) -> Double {
    let across = corners[(side + 1) % 4] - corners[side % 4]
    return hypot(across.x, across.y)
  }

  /// The area in square pixels.
  public var area: Double {
    0.5
      * (0..<4).reduce(0) { sum, index in
        let (a, b) = (corners[index], corners[(index + 1) % 4])
        return sum + a.x * b.y - a.y * b.x
      }
  }

  /// How far inside a place is, in pixels; negative outside.
  func depth(of place: SIMD2<Double>) -> Double {
    var least = Double.infinity
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      let side = b - a
      let off = place - a
      least = min(least, (side.x * off.y - side.y * off.x) / hypot(side.x, side.y))
    }
    return least
  }

  /// Each side moved inwards by some pixels.
  public func inset(by distance: Double) -> PageOutline {
    let lines = (0..<4).map { side -> PageLine in
      let along = (corners[(side + 1) % 4] - corners[side]) / length(side)
      let normal = SIMD2(-along.y, along.x)
      return PageLine(normal: normal, distance: (normal * corners[side]).sum() + distance)
    }
    let moved = (0..<4).compactMap { lines[$0].meeting(lines[($0 + 3) % 4]) }
    return PageOutline(corners: moved) ?? self
  }

  /// Turned so that another corner is the top left: by quarters, clockwise as the page is seen.
  public func turned(quarters: Int) -> PageOutline {
    let first = ((-quarters % 4) + 4) % 4
    return PageOutline(corners: (0..<4).map { corners[(first + $0) % 4] }) ?? self
  }

  /// In pixels of a picture that is reduced, or enlarged, from a place on.
  func scaled(by factor: Double, from origin: SIMD2<Double>) -> PageOutline? {
    // Pixel centres are at whole numbers: the edge of the picture is half a pixel away.
    PageOutline(corners: corners.map { ($0 - origin + 0.5) * factor - 0.5 })
  }

  /// In pixels of the source, for an outline in a reduced picture.
  func enlarged(by factor: Double, from origin: SIMD2<Double>) -> PageOutline? {
    PageOutline(corners: corners.map { ($0 + 0.5) * factor - 0.5 + origin })
  }
}
