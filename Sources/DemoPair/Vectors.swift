import Glibc

/// A place, a direction or a linear colour.
typealias Vector = SIMD3<Float>

func dot(_ a: Vector, _ b: Vector) -> Float { (a * b).sum() }

func cross(_ a: Vector, _ b: Vector) -> Vector {
  Vector(a.y, a.z, a.x) * Vector(b.z, b.x, b.y) - Vector(a.z, a.x, a.y) * Vector(b.y, b.z, b.x)
}

func length(_ a: Vector) -> Float { dot(a, a).squareRoot() }

func normalized(_ a: Vector) -> Vector { a / length(a) }

func mix(_ a: Vector, _ b: Vector, _ t: Float) -> Vector { a + (b - a) * t }

/// 0 below `low`, 1 above `high`, smooth between.
func smoothStep(_ low: Float, _ high: Float, _ value: Float) -> Float {
  let t = min(max((value - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}

/// Two directions at right angles to `normal` and to each other.
func tangents(_ normal: Vector) -> (Vector, Vector) {
  let first = normalized(cross(abs(normal.y) < 0.9 ? Vector(0, 1, 0) : Vector(1, 0, 0), normal))
  return (first, cross(normal, first))
}

/// Numbers in 0..<1 that depend on nothing but whole-number places: textures look the same in both frames.
func hash(_ x: Int, _ y: Int, _ seed: Int = 0) -> Float {
  var generator = SplitMix64(UInt64(bitPattern: Int64(x)) &* 0x1_0001 ^ UInt64(bitPattern: Int64(y)) << 32)
  _ = generator.next()
  generator.state ^= UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9
  return Float(generator.next() >> 40) / Float(1 << 24)
}

/// Smooth noise in 0...1 with bumps one unit apart (value noise).
func noise(_ x: Float, _ y: Float, _ seed: Int = 0) -> Float {
  let (column, row) = (x.rounded(.down), y.rounded(.down))
  let (i, j) = (Int(column), Int(row))
  let (u, v) = (smoothStep(0, 1, x - column), smoothStep(0, 1, y - row))
  let top = hash(i, j, seed) + (hash(i + 1, j, seed) - hash(i, j, seed)) * u
  let bottom = hash(i, j + 1, seed) + (hash(i + 1, j + 1, seed) - hash(i, j + 1, seed)) * u
  return top + (bottom - top) * v
}

/// A generator of random numbers with a seed (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// A number of the normal distribution with mean 0 and standard deviation 1 (Box and Muller).
  mutating func gaussian() -> Float {
    let radius = (-2 * log(Float.random(in: Float.leastNormalMagnitude..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Float.random(in: 0..<1, using: &self))
  }
}
