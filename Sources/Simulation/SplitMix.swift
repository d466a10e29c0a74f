import Glibc

/// Repeatable chance (G. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014).
public struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private var spare: Double?

  /// Always the same numbers after the same seed.
  public init(state: UInt64) { self.state = state }

  /// A stream of its own for a part of the work: rows, frames, pairs may be made in any order.
  public init(seed: UInt64, _ parts: UInt64...) {
    state = seed
    for part in parts {
      state = next() ^ (part &* 0xD1B5_4A32_D192_ED03)
    }
  }

  /// 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Evenly from 0 to 1.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Normally distributed, with a standard deviation of 1 (Box and Muller, 1958).
  public mutating func normal() -> Double {
    if let value = spare {
      spare = nil
      return value
    }
    let radius = (-2 * log(max(uniform(), 1e-300))).squareRoot()
    let angle = 2 * Double.pi * uniform()
    spare = radius * sin(angle)
    return radius * cos(angle)
  }

  /// Poisson distributed: exact for small means, from 100 on a rounded normal one with its skewness (Cornish and Fisher).
  public mutating func poisson(_ mean: Double) -> Double {
    guard mean > 0 else { return 0 }
    guard mean < 100 else {
      let z = normal()
      return max(0, (mean + mean.squareRoot() * z + (z * z - 1) / 6).rounded())
    }
    // Products of even numbers (D. Knuth, TAOCP 2, 3.4.1), in pieces that do not underflow.
    var (left, count, product) = (mean, -1.0, 1.0)
    repeat {
      count += 1
      product *= uniform()
      while product < 1, left > 0 {
        let step = min(left, 500)
        product *= exp(step)
        left -= step
      }
    } while product > 1
    return count
  }
}
