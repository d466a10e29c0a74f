import ConstantColor
import Glibc
import Raster

/// A flat scene with structure at many scales, photographed under two lights that share nothing but the scene.
struct AlignmentScene {
  /// Where the ambient camera looks: from the flash frame to the ambient frame.
  var truth = Homography.identity
  var width = 480
  var height = 360
  /// Standard deviation of the ambient frame's noise; the flash frame has half of it.
  var noise: Float = 0.002
  /// The ambient light's strength.
  var ambientLevel: Float = 0.08
  /// A part of the scene that has moved between the frames, in pixels; 0 for a scene at rest.
  var movement = 0.0

  /// The frame as a camera with a flash takes it: light from the front, falling off, with a hard shadow beside an edge.
  var flash: Image {
    Image(Rectangle(width: width, height: height)) { x, y in
      let (u, v) = (Double(x), Double(y))
      let r = hypot(u - 200, v - 150) / 300
      let shadow: Float = u > 300 && u < 318 && v > 60 && v < 240 ? 0.15 : 1
      let light = Float(0.8 / (1 + r * r)) * shadow
      return photograph(u, v, SIMD3(1, 0.95, 0.9) * light, noise / 2, seed: 1, x, y)
    }
  }

  /// The frame under the lamps: another colour, another direction, a soft shadow and a slanted hard one.
  var ambient: Image {
    let inverse = truth.inverse ?? .identity
    return Image(Rectangle(width: width, height: height)) { x, y in
      guard let place = inverse.apply(to: SIMD2(Double(x), Double(y))) else { return .zero }
      let soft = 1 / (1 + exp((place.x - 330 + 0.2 * place.y) / 12))
      let hard = place.y > 200 + 0.5 * place.x ? 0.4 : 1.0
      let light = Float((0.4 + 0.6 * soft) * hard * (0.6 + place.x / 900))
      let color = SIMD3<Float>(1, 0.7, 0.35) * (light * ambientLevel)
      return photograph(place.x, place.y, color, noise, seed: 2, x, y, moved: movement)
    }
  }

  private func photograph(
    _ u: Double, _ v: Double, _ light: SIMD3<Float>, _ noise: Float, seed: UInt64, _ x: Int, _ y: Int,
    moved: Double = 0
  ) -> Pixel {
    // A coat in the lower left moves on its own.
    let inCoat = moved != 0 && u > 30 && u < 150 && v > 220 && v < 330
    let color = Self.reflectance(inCoat ? u + moved : u, v) * light
    let index = UInt64(truncatingIfNeeded: y &* 8192 &+ x)
    let grain = SIMD3<Float>(
      Self.normal(index, seed &* 3), Self.normal(index, seed &* 3 &+ 1), Self.normal(index, seed &* 3 &+ 2))
    return Pixel(rgb: color + grain * noise, alpha: 1)
  }

  /// Smooth coloured blobs of three sizes: band-limited, so that it can be seen from anywhere.
  static func reflectance(_ u: Double, _ v: Double) -> SIMD3<Float> {
    let fine = blobs(u / 7, v / 7, 11)
    let medium = blobs(u / 19, v / 19, 12)
    let coarse = blobs(u / 61, v / 61, 13)
    let grey = 0.08 + 0.25 * fine + 0.3 * medium + 0.3 * coarse
    return SIMD3(Float(grey * (0.7 + 0.3 * medium)), Float(grey), Float(grey * (1.1 - 0.4 * coarse)))
  }

  /// Value noise with a smooth interpolation, 0...1.
  private static func blobs(_ u: Double, _ v: Double, _ seed: UInt64) -> Double {
    let (x, y) = (u.rounded(.down), v.rounded(.down))
    func corner(_ dx: Double, _ dy: Double) -> Double {
      let column = UInt64(bitPattern: Int64(x + dx))
      let row = UInt64(bitPattern: Int64(y + dy))
      return Double(hash(column &* 0x9E37 &+ row &* 0x79B9_7F4A, seed) >> 11) / Double(1 << 53)
    }
    func smooth(_ t: Double) -> Double { t * t * t * (t * (6 * t - 15) + 10) }
    let (a, b) = (smooth(u - x), smooth(v - y))
    let top = corner(0, 0) * (1 - a) + corner(1, 0) * a
    let bottom = corner(0, 1) * (1 - a) + corner(1, 1) * a
    return top * (1 - b) + bottom * b
  }

  private static func hash(_ value: UInt64, _ seed: UInt64) -> UInt64 {
    var z = value &+ seed &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  private static func normal(_ index: UInt64, _ seed: UInt64) -> Float {
    // The sum of four uniform numbers is near enough to a normal one.
    let bits = hash(index, seed &+ 77)
    let sum = (0..<4).reduce(Float(0)) { $0 + Float((bits >> (16 * UInt64($1))) & 0xFFFF) / 65536 }
    return (sum - 2) * 1.732
  }
}

/// Runs on real threads: every body call on a thread of its own.
func threaded(_ count: Int, cancellation: CancellationToken = CancellationToken()) -> Execution {
  Execution(cancellation: cancellation) { total, body in
    let parts = min(count, total)
    guard parts > 0 else { return }
    withoutActuallyEscaping(body) { body in
      let turns = Turns(total)
      var threads: [pthread_t] = []
      for _ in 0..<parts {
        let work = ThreadWork(turns: turns, body: body)
        var thread = pthread_t()
        let pointer = Unmanaged.passRetained(work).toOpaque()
        let failed = pthread_create(
          &thread, nil,
          { pointer in
            guard let pointer else { return nil }
            let work = Unmanaged<ThreadWork>.fromOpaque(pointer).takeRetainedValue()
            work.body(work.turns)
            return nil
          }, pointer)
        if failed == 0 { threads.append(thread) } else { work.body(work.turns) }
      }
      for thread in threads { pthread_join(thread, nil) }
    }
  }
}

private final class ThreadWork {
  let turns: Turns
  let body: (Turns) -> Void
  init(turns: Turns, body: @escaping (Turns) -> Void) {
    self.turns = turns
    self.body = body
  }
}
