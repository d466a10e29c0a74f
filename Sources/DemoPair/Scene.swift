/// A body and what it is made of.
struct Thing: Sendable {
  let shape: Shape
  let texture: Texture
  /// Reflectance of a clear coat seen straight on; 0 for a matt surface.
  let gloss: Float
  private let bound: Sphere

  init(_ shape: Shape, _ texture: Texture, gloss: Float = 0) {
    self.shape = shape
    self.texture = texture
    self.gloss = gloss
    bound = shape.bound
  }

  func hit(_ ray: Ray) -> Hit? { bound.isNear(ray) ? shape.hit(ray) : nil }
}

/// A still life on a table before a wall. Units are metres times three.
struct Scene: Sendable {
  /// The table and the wall: behind everything, so that they cast no shadow.
  let room: [Thing]
  let bodies: [Thing]

  static let stillLife = Scene(
    room: [
      Thing(.plane(Plane(origin: [0, 0, 0], normal: [0, 1, 0])), .wood, gloss: 0.012),
      Thing(.plane(Plane(origin: [0, 0, -1.25], normal: [0, 0, 1])), .plaster),
    ],
    bodies: [
      Thing(.box(Box(center: [-0.72, 0.57, -0.42], half: [0.86, 0.58, 0.03], turn: 0.12, lean: 0.16)), .card),
      Thing(.sphere(Sphere(center: [0.62, 0.4, 0.02], radius: 0.4)), .plain(sRGB(176, 38, 44)), gloss: 0.045),
      Thing(.sphere(Sphere(center: [1.2, 0.23, 0.5], radius: 0.23)), .plain(sRGB(40, 120, 132))),
      Thing(.sphere(Sphere(center: [0.16, 0.18, 0.72], radius: 0.18)), .plain(sRGB(232, 190, 52)), gloss: 0.03),
      Thing(
        .cylinder(Cylinder(base: [1.4, 0, -0.5], radius: 0.3, height: 1)),
        .rings(sRGB(224, 218, 204), sRGB(58, 78, 140)), gloss: 0.03),
      Thing(.box(Box(center: [0.42, 0.2, -0.78], half: [0.3, 0.2, 0.22], turn: -0.5)), .plain(sRGB(112, 142, 72))),
      Thing(.box(Box(center: [-0.78, 0.012, 0.7], half: [0.46, 0.01, 0.33], turn: 0.22)), .page),
    ])

  /// The first thing that a ray meets.
  func hit(_ ray: Ray) -> (hit: Hit, thing: Thing)? {
    var first: (hit: Hit, thing: Thing)?
    func look(at things: [Thing]) {
      for thing in things {
        if let hit = thing.hit(ray), hit.distance < first?.hit.distance ?? .infinity { first = (hit, thing) }
      }
    }
    look(at: room)
    look(at: bodies)
    return first
  }

  /// Whether anything stands between two points.
  func isBlocked(from point: Vector, to light: Vector) -> Bool {
    let way = light - point
    let distance = length(way)
    let ray = Ray(origin: point, direction: way / distance)
    return bodies.contains { ($0.hit(ray)?.distance ?? .infinity) < distance - 1e-3 }
  }

  /// How much of the light from everywhere reaches a point from one direction: all of it where nothing is near.
  func openness(_ ray: Ray) -> Float {
    var nearest = Float.infinity
    for thing in room { nearest = min(nearest, thing.hit(ray)?.distance ?? .infinity) }
    for thing in bodies { nearest = min(nearest, thing.hit(ray)?.distance ?? .infinity) }
    return min(1, 0.25 + nearest / 1.4)
  }
}
