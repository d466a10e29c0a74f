/// One pixel in linear light: red, green, blue, alpha (not premultiplied).
public typealias Pixel = SIMD4<Float>

extension SIMD4 where Scalar == Float {
  /// Red, green and blue, without alpha.
  @inlinable public var rgb: SIMD3<Float> { SIMD3(x, y, z) }

  /// A pixel from its colour and its alpha.
  @inlinable public init(rgb: SIMD3<Float>, alpha: Float) { self.init(rgb.x, rgb.y, rgb.z, alpha) }
}

/// Pixels to read, row after row, four floats each.
///
/// A view without ownership: it is valid during the call that received it. The floats may begin at
/// any address (hosts hand over memory that is not aligned to whole pixels).
public struct Pixels {
  @usableFromInline let base: UnsafeRawPointer?
  /// How many pixels there are.
  public let count: Int

  /// The `count` pixels at `base`.
  @inlinable public init(_ base: UnsafeRawPointer?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  /// The pixel at `index`, which the caller keeps within `0..<count`.
  @inlinable public subscript(index: Int) -> Pixel {
    assert(index >= 0 && index < count)
    return base.unsafelyUnwrapped.loadUnaligned(fromByteOffset: index &* 16, as: Pixel.self)
  }

  /// Runs `body` on the memory of all pixels.
  @inlinable public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try body(UnsafeRawBufferPointer(start: base, count: count &* 16))
  }

  /// The pixels from `start` on, at most `count` of them.
  @inlinable public func suffix(from start: Int, count length: Int) -> Pixels {
    let first = min(max(0, start), count)
    return Pixels(base.map { $0 + first * 16 }, count: min(max(0, length), count - first))
  }
}

/// Pixels to write; otherwise like ``Pixels``. May be the same memory as an input: kernels read a
/// pixel before they write it.
public struct MutablePixels {
  @usableFromInline let base: UnsafeMutableRawPointer?
  /// How many pixels there are.
  public let count: Int

  /// The `count` pixels at `base`.
  @inlinable public init(_ base: UnsafeMutableRawPointer?, count: Int) {
    self.base = base
    self.count = base == nil ? 0 : count
  }

  /// The pixel at `index`, which the caller keeps within `0..<count`.
  @inlinable public subscript(index: Int) -> Pixel {
    get {
      assert(index >= 0 && index < count)
      return base.unsafelyUnwrapped.loadUnaligned(fromByteOffset: index &* 16, as: Pixel.self)
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      base.unsafelyUnwrapped.storeBytes(of: newValue, toByteOffset: index &* 16, as: Pixel.self)
    }
  }

  /// Runs `body` on the memory of all pixels.
  @inlinable public func withUnsafeBytes<Result>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeMutableRawBufferPointer(start: base, count: count &* 16))
  }

  /// The same memory, to read.
  @inlinable public var readable: Pixels { Pixels(base.map { UnsafeRawPointer($0) }, count: count) }

  /// The pixels from `start` on, at most `count` of them.
  @inlinable public func suffix(from start: Int, count length: Int) -> MutablePixels {
    let first = min(max(0, start), count)
    return MutablePixels(base.map { $0 + first * 16 }, count: min(max(0, length), count - first))
  }
}
