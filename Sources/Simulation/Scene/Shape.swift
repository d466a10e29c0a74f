import Glibc

/// A place in a scene: x to the right, y down. Scenes are 640 units wide and, in a picture of 4 : 3, 480 high.
typealias Place = SIMD2<Float>

/// An outline on the wall: a rectangle turned about its centre, or an ellipse.
struct Shape: Sendable {
  enum Kind: Sendable { case rectangle, ellipse }

  let kind: Kind
  let centre: Place
  /// Half of the width and height.
  let half: Place
  /// The cosine and sine of the angle by which it is turned.
  private let turn: Place
  /// The farthest of its points from the centre.
  private let reach: Float

  static func rectangle(centre: Place, size: Place, angle: Float) -> Shape {
    Shape(kind: .rectangle, centre: centre, half: size / 2, angle: angle)
  }

  static func ellipse(centre: Place, radii: Place) -> Shape {
    Shape(kind: .ellipse, centre: centre, half: radii, angle: 0)
  }

  private init(kind: Kind, centre: Place, half: Place, angle: Float) {
    (self.kind, self.centre, self.half) = (kind, centre, half)
    turn = Place(cos(angle), sin(angle))
    reach = (half * half).sum().squareRoot()
  }

  /// Whether a place is inside, or nearer to the outline than `margin`; never wrong about what is inside.
  func isNear(_ place: Place, margin: Float = 0) -> Bool {
    let off = place - centre
    return (off * off).sum() < (reach + margin) * (reach + margin)
  }

  /// Whether a place is inside.
  func contains(_ place: Place) -> Bool { isNear(place) && distance(place) < 0 }

  /// The distance from the outline, negative inside; for an ellipse about.
  func distance(_ place: Place) -> Float {
    switch kind {
    case .rectangle:
      let local = turned(place - centre)
      let outside = SIMD2(abs(local.x), abs(local.y)) - half
      let beyond = SIMD2(max(outside.x, 0), max(outside.y, 0))
      return (beyond * beyond).sum().squareRoot() + min(max(outside.x, outside.y), 0)
    case .ellipse:
      let local = (place - centre) / half
      return ((local * local).sum().squareRoot() - 1) * min(half.x, half.y)
    }
  }

  /// Where a place is in the shape's own frame: -1...1 from left to right and from top to bottom.
  func local(_ place: Place) -> Place { turned(place - centre) / half }

  /// The place of a point of the shape's own frame.
  func place(_ local: Place) -> Place {
    let off = local * half
    return centre + Place(turn.x * off.x - turn.y * off.y, turn.y * off.x + turn.x * off.y)
  }

  /// Turned back into the shape's own frame.
  private func turned(_ off: Place) -> Place {
    Place(turn.x * off.x + turn.y * off.y, turn.x * off.y - turn.y * off.x)
  }
}

/// 0 below the first edge, 1 above the second, smooth between.
func smoothstep(_ first: Float, _ second: Float, _ x: Float) -> Float {
  let t = min(max((x - first) / (second - first), 0), 1)
  return t * t * (3 - 2 * t)
}
