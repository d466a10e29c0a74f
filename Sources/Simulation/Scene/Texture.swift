import Glibc

/// Patterns without end: the same at a place whoever asks.
struct Texture: Sendable {
  /// Another number, another pattern.
  let seed: UInt32

  /// Noise of several octaves, mean 1/2, about 0...1.
  ///
  /// - Parameter size: the size of the largest spots.
  func clouds(_ place: Place, size: Float, octaves: Int = 4) -> Float {
    var (sum, weight, total) = (Float(0), Float(1), Float(0))
    var point = place / size
    for _ in 0..<octaves {
      sum += weight * value(point)
      total += weight
      weight *= 0.55
      point = point * 2.03 + Place(17.3, 9.1)
    }
    return sum / total
  }

  /// Noise of one octave, 0...1: even at whole numbers, smooth between.
  func value(_ point: Place) -> Float {
    let base = Place(point.x.rounded(.down), point.y.rounded(.down))
    let (x, y) = (Int32(clamping: Int(base.x)), Int32(clamping: Int(base.y)))
    var t = point - base
    t = t * t * (3 - 2 * t)
    let top = chance(x, y) + t.x * (chance(x &+ 1, y) - chance(x, y))
    let bottom = chance(x, y &+ 1) + t.x * (chance(x &+ 1, y &+ 1) - chance(x, y &+ 1))
    return top + t.y * (bottom - top)
  }

  /// A number of chance for a cell, 0..<1.
  func chance(_ x: Int32, _ y: Int32) -> Float {
    var h = UInt32(bitPattern: x) &* 0x8DA6_B343 ^ UInt32(bitPattern: y) &* 0xD816_3841 ^ seed &* 0xCB1A_B31F
    h = (h ^ (h >> 15)) &* 0x2C1B_3C6D
    h = (h ^ (h >> 12)) &* 0x297A_2D39
    h ^= h >> 15
    return Float(h >> 8) * 0x1p-24
  }
}
