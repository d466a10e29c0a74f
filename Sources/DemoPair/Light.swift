import ColorScience
import Glibc

/// A small lamp: a disc of points, whose light falls off with the square of the distance.
struct Lamp: Sendable {
  let points: [Vector]
  let center: Vector
  /// What a white surface that faces the lamp at `reference` looks like, in linear sRGB.
  let color: Vector
  let reference: Float

  init(at center: Vector, radius: Float, samples: Int, color: Vector, reference: Float) {
    self.center = center
    self.color = color
    self.reference = reference
    let (right, up) = tangents(normalized(center - Vector(0, 0.4, 0)))
    // Vogel's spiral covers a disc evenly with any number of points.
    points = (0..<samples).map { index in
      let r = radius * ((Float(index) + 0.5) / Float(samples)).squareRoot()
      let angle = 2.399963 * Float(index)
      return center + right * (r * cos(angle)) + up * (r * sin(angle))
    }
  }
}

/// What lights the scene: lamps, and light from everywhere.
struct Lighting: Sendable {
  let lamps: [Lamp]
  let surroundings: Vector

  /// A warm lamp on the left and a greenish tube on the right: two lights that no single white balance suits.
  static let ambient = Lighting(
    lamps: [
      Lamp(at: [-3.0, 2.1, 1.5], radius: 0.1, samples: 8, color: 0.15 * white(kelvin: 2700), reference: 3.9),
      Lamp(
        at: [3.0, 2.6, 0.6], radius: 0.5, samples: 10, color: 0.11 * white(kelvin: 4300, duv: 0.022), reference: 3.4),
    ],
    surroundings: 0.045 * white(kelvin: 3000))

  /// The camera's flash, whose light is D65, and what the room throws back of it.
  static let flash = Lighting(
    lamps: [
      Lamp(
        at: Camera.place + Vector(0.1, 0.42, 0), radius: 0.05, samples: 4, color: Vector(repeating: 0.5), reference: 4.3
      )
    ],
    surroundings: Vector(repeating: 0.025))

  /// A light's colour in linear sRGB, with luminance 1.
  static func white(kelvin: Double, duv: Double = 0) -> Vector {
    let white = CorrelatedColorTemperature(kelvin: kelvin, duv: duv).chromaticity ?? .d65
    let color = RGBSpace.sRGB.fromXYZ * XYZ(white).vector
    return Vector(Float(color.x), Float(color.y), Float(color.z))
  }
}

extension Scene {
  /// The light that comes back along a ray. Every sample is at a fixed place, so that the two frames differ in
  /// nothing but their light and the camera's noise.
  func radiance(_ ray: Ray, _ lighting: Lighting, depth: Int = 0) -> Vector {
    guard let (hit, thing) = hit(ray) else { return lighting.surroundings * 0.5 }
    let point = ray.point(at: hit.distance) + hit.normal * 1e-3
    let reflectance = thing.texture.reflectance(hit)
    var color = reflectance * lighting.surroundings * openness(point, hit.normal)
    for lamp in lighting.lamps {
      color += light(of: lamp, at: point, hit.normal, view: ray.direction, reflectance, thing.gloss)
    }
    if thing.gloss > 0, depth == 0 {
      let mirrored = ray.direction - 2 * dot(ray.direction, hit.normal) * hit.normal
      let grazing = pow(1 - max(0, -dot(ray.direction, hit.normal)), 5)
      let reflected = radiance(Ray(origin: point, direction: mirrored), lighting, depth: 1)
      color += reflected * (thing.gloss + (1 - thing.gloss) * grazing * min(1, thing.gloss * 12))
    }
    return color
  }

  private func light(
    of lamp: Lamp, at point: Vector, _ normal: Vector, view: Vector, _ reflectance: Vector, _ gloss: Float
  ) -> Vector {
    let way = lamp.center - point
    let distance = length(way)
    let direction = way / distance
    let facing = dot(direction, normal)
    guard facing > 0 else { return .zero }
    let visible = lamp.points.count { !isBlocked(from: point, to: $0) }
    guard visible > 0 else { return .zero }
    let strength = Float(visible) / Float(lamp.points.count) * (lamp.reference / distance) * (lamp.reference / distance)
    var color = reflectance * facing
    if gloss > 0 {
      // Blinn's highlight, normalised so that a sharper one is brighter.
      let sharpness: Float = gloss > 0.02 ? 700 : 40
      let half = normalized(direction - view)
      color += gloss * (sharpness + 8) / 8 * pow(max(0, dot(half, normal)), sharpness) * facing
    }
    return lamp.color * strength * color
  }

  /// The part of the surroundings that a point sees, weighted by the cosine.
  private func openness(_ point: Vector, _ normal: Vector) -> Float {
    let (right, forward) = tangents(normal)
    var sum: Float = 0
    for sample in Self.directions {
      let direction = right * sample.x + normal * sample.y + forward * sample.z
      // The wall and the table themselves give light back; only what is near takes some away.
      sum += openness(Ray(origin: point, direction: direction))
    }
    return sum / Float(Self.directions.count)
  }

  /// Directions about (0, 1, 0) whose density follows the cosine.
  private static let directions: [Vector] = (0..<16).map { index in
    let r = ((Float(index) + 0.5) / 16).squareRoot()
    let angle = 2.399963 * Float(index)
    return Vector(r * cos(angle), (1 - r * r).squareRoot(), r * sin(angle))
  }
}
