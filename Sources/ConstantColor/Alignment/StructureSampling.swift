/// The cubic convolution of Catmull and Rom (Keys 1981, a = -1/2): exact for quadratics, four samples a direction.
enum CatmullRom {
  /// The weights of the samples at -1, 0, 1, 2 for a place `t` (0...1) behind sample 0.
  @inline(__always)
  static func weights(_ t: Float) -> SIMD4<Float> {
    let t2 = t * t
    let t3 = t2 * t
    return SIMD4(
      -0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3, 0.5 * t3 - 0.5 * t2)
  }
}

/// A structure plane under a moving point of view.
struct StructureSampler {
  private let samples: UnsafePointer<SIMD4<Float>>
  private let width, height: Int

  /// Reads `plane` during `body`; nothing is done with a plane too small to interpolate in.
  static func with(_ plane: StructurePlane, _ body: (StructureSampler) -> Void) {
    guard plane.width >= 4, plane.height >= 4 else { return }
    plane.samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress, buffer.count == plane.width * plane.height else { return }
      body(StructureSampler(samples: base, width: plane.width, height: plane.height))
    }
  }

  /// The structure at a place, or nil where four samples do not surround it in both directions.
  @inline(__always)
  func sample(_ x: Float, _ y: Float) -> SIMD4<Float>? {
    guard x >= 1, y >= 1, x < Float(width &- 2), y < Float(height &- 2) else { return nil }
    let column = Int(x)
    let row = Int(y)
    let horizontal = CatmullRom.weights(x - Float(column))
    let vertical = CatmullRom.weights(y - Float(row))
    var p = samples + ((row &- 1) &* width &+ column &- 1)
    var sum = SIMD4<Float>.zero
    for line in 0..<4 {
      let value =
        (p[0] * horizontal.x + p[1] * horizontal.y) + (p[2] * horizontal.z + p[3] * horizontal.w)
      sum += value * vertical[line]
      p += width
    }
    return sum
  }
}
