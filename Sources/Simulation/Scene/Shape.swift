import Glibc

/// A place in a scene: x to the right, y down. Scenes are 640 units wide and, in a picture of 4 : 3, 480 high.
typealias Place = SIMD2<Float>

/// An outline on the wall.
enum Shape: Sendable {
  /// A rectangle of a size, turned about its centre by an angle in radians.
  case rectangle(centre: Place, size: Place, angle: Float)
  case ellipse(centre: Place, radii: Place)

  /// The distance from the outline, negative inside; for an ellipse about.
  func distance(_ place: Place) -> Float {
    switch self {
    case .rectangle(let centre, let size, let angle):
      let local = Shape.turned(place - centre, by: -angle)
      let outside = SIMD2(abs(local.x), abs(local.y)) - size / 2
      let beyond = SIMD2(max(outside.x, 0), max(outside.y, 0))
      return (beyond * beyond).sum().squareRoot() + min(max(outside.x, outside.y), 0)
    case .ellipse(let centre, let radii):
      let local = (place - centre) / radii
      return ((local * local).sum().squareRoot() - 1) * min(radii.x, radii.y)
    }
  }

  /// Where a place is in the shape's own frame: -1...1 from left to right and from top to bottom.
  func local(_ place: Place) -> Place {
    switch self {
    case .rectangle(let centre, let size, let angle): Shape.turned(place - centre, by: -angle) / (size / 2)
    case .ellipse(let centre, let radii): (place - centre) / radii
    }
  }

  /// The place of a point of the shape's own frame.
  func place(_ local: Place) -> Place {
    switch self {
    case .rectangle(let centre, let size, let angle): centre + Shape.turned(local * (size / 2), by: angle)
    case .ellipse(let centre, let radii): centre + local * radii
    }
  }

  private static func turned(_ place: Place, by angle: Float) -> Place {
    let (c, s) = (cos(angle), sin(angle))
    return Place(c * place.x - s * place.y, s * place.x + c * place.y)
  }
}

/// 0 below the first edge, 1 above the second, smooth between.
func smoothstep(_ first: Float, _ second: Float, _ x: Float) -> Float {
  let t = min(max((x - first) / (second - first), 0), 1)
  return t * t * (3 - 2 * t)
}
