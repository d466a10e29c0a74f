import Raster

/// Eight floats of neighbouring pixels: what one instruction works on.
typealias Vector8 = SIMD8<Float>

extension SIMD8 where Scalar == Float {
  /// The lesser of each two lanes; this one's where they do not compare. (The standard library's `pointwiseMin` goes lane
  /// by lane and costs ten times as much.)
  @inline(__always)
  func lesser(_ other: Self) -> Self { replacing(with: other, where: other .< self) }

  /// The greater of each two lanes; this one's where they do not compare.
  @inline(__always)
  func greater(_ other: Self) -> Self { replacing(with: other, where: other .> self) }

  /// The lanes limited to 0...1; NaN becomes 0.
  @inline(__always)
  var unit: Self { Self.zero.greater(self).lesser(Self(repeating: 1)) }

  /// 0 instead of what is no finite number.
  @inline(__always)
  var defined: Self { replacing(with: 0, where: self * 0 .!= 0) }

  /// Whether each lane is a number of ordinary size: larger ones are no light, and their squares must stay finite.
  @inline(__always)
  var isOrdinary: SIMDMask<SIMD8<Int32>> { (self .< 65504) .& (self .> -65504) }

  /// 1 where the mask is set, 0 elsewhere.
  @inline(__always)
  init(_ mask: SIMDMask<SIMD8<Int32>>) { self = Self.zero.replacing(with: 1, where: mask) }

  /// Eight floats at any address. (The standard library's `loadUnaligned` stays a call in large functions.)
  @inline(__always)
  init(at address: UnsafePointer<Float>) {
    let v = UnsafeRawPointer(address).assumingMemoryBound(to: EightFloats.self).pointee
    self.init(v.0, v.1, v.2, v.3, v.4, v.5, v.6, v.7)
  }

  /// Eight floats at any address.
  @inline(__always)
  init(at address: UnsafeMutablePointer<Float>) { self.init(at: UnsafePointer(address)) }

  /// Stores the eight floats at any address.
  @inline(__always)
  func store(at address: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
  }
}

/// Eight floats with the alignment of one.
private typealias EightFloats = (Float, Float, Float, Float, Float, Float, Float, Float)

/// Three channels of eight neighbouring pixels.
struct ColorVector {
  var x, y, z: Vector8

  @inline(__always)
  init(_ x: Vector8, _ y: Vector8, _ z: Vector8) { (self.x, self.y, self.z) = (x, y, z) }

  /// The same colour in all lanes.
  @inline(__always)
  init(_ colour: SIMD3<Float>) {
    self.init(Vector8(repeating: colour.x), Vector8(repeating: colour.y), Vector8(repeating: colour.z))
  }

  static var zero: ColorVector { ColorVector(.zero, .zero, .zero) }

  @inline(__always)
  static func + (a: Self, b: Self) -> Self { Self(a.x + b.x, a.y + b.y, a.z + b.z) }
  @inline(__always)
  static func - (a: Self, b: Self) -> Self { Self(a.x - b.x, a.y - b.y, a.z - b.z) }
  @inline(__always)
  static func * (a: Self, b: Self) -> Self { Self(a.x * b.x, a.y * b.y, a.z * b.z) }
  @inline(__always)
  static func / (a: Self, b: Self) -> Self { Self(a.x / b.x, a.y / b.y, a.z / b.z) }
  @inline(__always)
  static func + (a: Self, b: Vector8) -> Self { Self(a.x + b, a.y + b, a.z + b) }
  @inline(__always)
  static func * (a: Self, b: Vector8) -> Self { Self(a.x * b, a.y * b, a.z * b) }

  /// See ``SIMD3/brightness``.
  @inline(__always)
  var brightness: Vector8 { x * 0.25 + y * 0.5 + z * 0.25 }
  /// The variance of ``brightness``, if these are the channels' variances.
  @inline(__always)
  var brightnessVariance: Vector8 { x * 0.0625 + y * 0.25 + z * 0.0625 }
  @inline(__always)
  var sum: Vector8 { x + y + z }
  @inline(__always)
  var max: Vector8 { x.greater(y).greater(z) }
  @inline(__always)
  var min: Vector8 { x.lesser(y).lesser(z) }
  /// Negative values become 0.
  @inline(__always)
  var positive: Self { Self(Vector8.zero.greater(x), Vector8.zero.greater(y), Vector8.zero.greater(z)) }

  /// See ``SIMD8/isOrdinary``, of all three channels.
  @inline(__always)
  var isOrdinary: SIMDMask<SIMD8<Int32>> { x.isOrdinary .& y.isOrdinary .& z.isOrdinary }

  /// Whether all three channels are numbers and not infinite.
  @inline(__always)
  var isFinite: SIMDMask<SIMD8<Int32>> { (x * 0 .== 0) .& (y * 0 .== 0) .& (z * 0 .== 0) }

  @inline(__always)
  var squareRoot: Self { Self(x.squareRoot(), y.squareRoot(), z.squareRoot()) }

  /// Another colour where the mask is set.
  @inline(__always)
  func replacing(with other: Self, where mask: SIMDMask<SIMD8<Int32>>) -> Self {
    Self(
      x.replacing(with: other.x, where: mask), y.replacing(with: other.y, where: mask),
      z.replacing(with: other.z, where: mask))
  }
}

/// Eight neighbouring pixels, channel by channel.
struct PixelVector {
  var colour: ColorVector
  var alpha: Vector8

  @inline(__always)
  init(_ colour: ColorVector, _ alpha: Vector8) { (self.colour, self.alpha) = (colour, alpha) }

  /// The pixels from `index` on; the view must hold eight.
  @inline(__always)
  init(_ pixels: Pixels, _ index: Int) {
    @inline(__always) func four(_ first: Int) -> SIMD16<Float> {
      SIMD16(
        lowHalf: SIMD8(lowHalf: pixels[first], highHalf: pixels[first &+ 1]),
        highHalf: SIMD8(lowHalf: pixels[first &+ 2], highHalf: pixels[first &+ 3]))
    }
    let (low, high) = (four(index), four(index &+ 4))
    let even = SIMD16(lowHalf: low.evenHalf, highHalf: high.evenHalf)
    let odd = SIMD16(lowHalf: low.oddHalf, highHalf: high.oddHalf)
    colour = ColorVector(even.evenHalf, odd.evenHalf, even.oddHalf)
    alpha = odd.oddHalf
  }

  /// Writes the first `count` pixels from `index` on.
  @inline(__always)
  func store(_ pixels: MutablePixels, _ index: Int, count: Int) {
    if count >= 8 {
      for lane in 0..<8 {
        pixels[index &+ lane] = Pixel(colour.x[lane], colour.y[lane], colour.z[lane], alpha[lane])
      }
    } else {
      for lane in 0..<count {
        pixels[index &+ lane] = Pixel(colour.x[lane], colour.y[lane], colour.z[lane], alpha[lane])
      }
    }
  }
}

extension NoiseModel {
  /// The variance at eight pixels; negative values count as dark.
  @inline(__always)
  func variance(_ value: ColorVector) -> ColorVector {
    let light = value.positive
    return ColorVector(
      light.x * gain.x + floor.x, light.y * gain.y + floor.y, light.z * gain.z + floor.z)
  }
}
