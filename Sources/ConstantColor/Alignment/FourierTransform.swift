import Glibc

/// A two-dimensional discrete Fourier transform of a square plane whose side is a power of two.
///
/// Double precision, Cooley and Tukey's radix-2 algorithm in place.
struct FourierTransform {
  /// Samples per side.
  let side: Int
  private let cosines, sines: [Double]
  private let reversed: [Int]

  /// A transform for planes of `side` × `side`; the side is raised to the next power of two.
  init(side requested: Int) {
    var bits = 1
    while 1 << bits < requested { bits += 1 }
    side = 1 << bits
    let side = side
    cosines = (0..<side / 2).map { cos(2 * .pi * Double($0) / Double(side)) }
    sines = (0..<side / 2).map { -sin(2 * .pi * Double($0) / Double(side)) }
    reversed = (0..<side).map { index in
      var value = 0
      for bit in 0..<bits where index & (1 << bit) != 0 { value |= 1 << (bits - 1 - bit) }
      return value
    }
  }

  /// Transforms `plane` (real, imaginary), without a scale; `inverse` turns the sign of the exponent.
  func transform(_ plane: inout [SIMD2<Double>], inverse: Bool) {
    guard plane.count == side * side else { return }
    plane.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      for row in 0..<side { line(base + row * side, inverse) }
      transpose(base)
      for row in 0..<side { line(base + row * side, inverse) }
      transpose(base)
    }
  }

  private func transpose(_ plane: UnsafeMutablePointer<SIMD2<Double>>) {
    let block = 16
    for top in stride(from: 0, to: side, by: block) {
      for left in stride(from: top, to: side, by: block) {
        for y in top..<min(side, top + block) {
          for x in max(left, y + 1)..<max(max(left, y + 1), min(side, left + block)) {
            let value = plane[y &* side &+ x]
            plane[y &* side &+ x] = plane[x &* side &+ y]
            plane[x &* side &+ y] = value
          }
        }
      }
    }
  }

  private func line(_ values: UnsafeMutablePointer<SIMD2<Double>>, _ inverse: Bool) {
    for i in 0..<side where reversed[i] > i {
      let value = values[i]
      values[i] = values[reversed[i]]
      values[reversed[i]] = value
    }
    let sign = inverse ? -1.0 : 1.0
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        var length = 1
        while length < side {
          let step = side / (2 * length)
          var start = 0
          while start < side {
            for k in 0..<length {
              let (c, s) = (cosines[k &* step], sines[k &* step] * sign)
              let low = values[start &+ k]
              let high = values[start &+ k &+ length]
              let turned = SIMD2(high.x * c - high.y * s, high.x * s + high.y * c)
              values[start &+ k] = low + turned
              values[start &+ k &+ length] = low - turned
            }
            start += 2 * length
          }
          length *= 2
        }
      }
    }
  }
}
