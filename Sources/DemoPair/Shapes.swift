import Glibc

/// A half-line of light.
struct Ray {
  let origin, direction: Vector

  func point(at distance: Float) -> Vector { origin + direction * distance }
}

/// Where a ray meets a surface.
struct Hit {
  let distance: Float
  let normal: Vector
  /// Where on the surface: coordinates of the shape's texture.
  let u, v: Float
  let side: Side

  enum Side { case front, other }
}

/// A body that rays meet. Not a protocol: values of one layout are many times faster to go through.
enum Shape: Sendable {
  case plane(Plane), sphere(Sphere), cylinder(Cylinder), box(Box)

  func hit(_ ray: Ray) -> Hit? {
    switch self {
    case .plane(let plane): plane.hit(ray)
    case .sphere(let sphere): sphere.hit(ray)
    case .cylinder(let cylinder): cylinder.hit(ray)
    case .box(let box): box.hit(ray)
    }
  }

  /// A ball around the body.
  var bound: Sphere {
    switch self {
    case .plane(let plane): Sphere(center: plane.origin, radius: .infinity)
    case .sphere(let sphere): sphere
    case .cylinder(let cylinder):
      Sphere(
        center: cylinder.base + Vector(0, cylinder.height / 2, 0), radius: hypot(cylinder.radius, cylinder.height / 2))
    case .box(let box): Sphere(center: box.center, radius: length(box.half))
    }
  }
}

private let nearest: Float = 1e-3

struct Plane: Sendable {
  let origin, normal: Vector

  func hit(_ ray: Ray) -> Hit? {
    let slope = dot(ray.direction, normal)
    guard slope < -1e-6 else { return nil }
    let distance = dot(origin - ray.origin, normal) / slope
    guard distance > nearest else { return nil }
    let place = ray.point(at: distance) - origin
    // The only planes are the table and the wall behind it.
    return Hit(distance: distance, normal: normal, u: place.x, v: normal.y > 0.5 ? place.z : place.y, side: .front)
  }
}

struct Sphere: Sendable {
  let center: Vector
  let radius: Float

  /// Whether the ray can come near: cheaper than any body's own test.
  func isNear(_ ray: Ray) -> Bool {
    let offset = center - ray.origin
    let along = dot(offset, ray.direction)
    return along > -radius && dot(offset, offset) - along * along < radius * radius
  }

  func hit(_ ray: Ray) -> Hit? {
    let offset = ray.origin - center
    let half = dot(offset, ray.direction)
    let root = half * half - dot(offset, offset) + radius * radius
    guard root > 0 else { return nil }
    let distance = -half - root.squareRoot()
    guard distance > nearest else { return nil }
    let normal = (ray.point(at: distance) - center) / radius
    return Hit(distance: distance, normal: normal, u: normal.x, v: normal.y, side: .front)
  }
}

/// An upright cylinder with a lid.
struct Cylinder: Sendable {
  /// The middle of the bottom.
  let base: Vector
  let radius, height: Float

  func hit(_ ray: Ray) -> Hit? {
    let offset = ray.origin - base
    let (o, d) = (SIMD2(offset.x, offset.z), SIMD2(ray.direction.x, ray.direction.z))
    let a = (d * d).sum()
    let half = (o * d).sum()
    let root = half * half - a * ((o * o).sum() - radius * radius)
    guard root > 0 else { return nil }
    let mantle = (-half - root.squareRoot()) / a
    let y = offset.y + ray.direction.y * mantle
    if mantle > nearest, y > 0, y < height {
      let place = (o + d * mantle) / radius
      return Hit(distance: mantle, normal: Vector(place.x, 0, place.y), u: place.x, v: y / height, side: .front)
    }
    let lid = (height - offset.y) / ray.direction.y
    let place = o + d * lid
    guard ray.direction.y < 0, lid > nearest, (place * place).sum() < radius * radius else { return nil }
    return Hit(distance: lid, normal: Vector(0, 1, 0), u: 0, v: 0, side: .other)
  }
}

/// A box that may be turned.
struct Box: Sendable {
  let center: Vector
  /// Half its width, height and depth.
  let half: Vector
  /// The directions of its width, height and depth.
  let axes: (Vector, Vector, Vector)

  /// A box turned by `turn` about the upright, then leaning back by `lean`, in radians.
  init(center: Vector, half: Vector, turn: Float = 0, lean: Float = 0) {
    self.center = center
    self.half = half
    let right = Vector(cos(turn), 0, -sin(turn))
    let forward = Vector(sin(turn), 0, cos(turn))
    let up = Vector(0, 1, 0) * cos(lean) - forward * sin(lean)
    axes = (right, up, cross(right, up))
  }

  func hit(_ ray: Ray) -> Hit? {
    let o = local(ray.origin - center)
    let d = local(ray.direction)
    let (first, second) = ((-half - o) / d, (half - o) / d)
    let enter = pointwiseMin(first, second)
    let leave = pointwiseMax(first, second)
    let distance = enter.max()
    guard distance > nearest, distance < leave.min() else { return nil }
    let place = o + d * distance
    if distance == enter.z {
      let normal = axes.2 * (d.z < 0 ? 1 : -1)
      return Hit(
        distance: distance, normal: normal, u: (place.x / half.x + 1) / 2, v: (1 - place.y / half.y) / 2,
        side: d.z < 0 ? .front : .other)
    }
    if distance == enter.y {
      return Hit(
        distance: distance, normal: axes.1 * (d.y < 0 ? 1 : -1), u: (place.x / half.x + 1) / 2,
        v: (place.z / half.z + 1) / 2, side: .other)
    }
    return Hit(distance: distance, normal: axes.0 * (d.x < 0 ? 1 : -1), u: 0, v: 0, side: .other)
  }

  private func local(_ vector: Vector) -> Vector {
    Vector(dot(vector, axes.0), dot(vector, axes.1), dot(vector, axes.2))
  }
}
