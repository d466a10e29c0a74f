/// Functions of eight floats without a call for each lane. The tests of what uses them bound their errors.
extension SIMD8 where Scalar == Float {
  /// The cube root of positive numbers; relative error below 5 · 10⁻⁷.
  ///
  /// A third of the exponent as a start (Kahan's way for `cbrt`, right to 5 %), then Halley's iteration, which
  /// triples the correct digits, twice.
  @inline(__always)
  var cubeRoot: Self {
    let bits = unsafeBitCast(self, to: SIMD8<Int32>.self)
    // A third is 5/16 · (1 + 1/16) · (1 + 1/256), nearly.
    var third = (bits &>> 2) &+ (bits &>> 4)
    third = third &+ (third &>> 4)
    third = third &+ (third &>> 8)
    var root = unsafeBitCast(third &+ 709_958_130, to: Self.self)
    for _ in 0..<2 {
      let cube = root * root * root
      root *= (cube + 2 * self) / (2 * cube + self)
    }
    return root
  }

  /// 1 / (1 + e⁻ˣ); absolute error below 10⁻⁶. NaN gives 0.
  ///
  /// 2ⁿ · 2ᶠ with whole n and |f| ≤ ½; 2ᶠ by the polynomial of fifth degree with the least relative error, 8 · 10⁻⁸.
  @inline(__always)
  var logistic: Self {
    let power = Self(repeating: 120).lesser((self * -1.4426950408889634).greater(Self(repeating: -120)))
    // Adding 1.5 · 2²³ rounds to a whole number, which then stands in the lowest bits.
    let shifted = power + 12_582_912
    let t = power - (shifted - 12_582_912)
    var sum = t * 0.00132764729 + 0.00967554134
    sum = sum * t + 0.0555071327
    sum = sum * t + 0.240221197
    sum = sum * t + 0.693146967
    sum = sum * t + 1
    let exponent = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &<< 23
    return 1 / (1 + unsafeBitCast(unsafeBitCast(sum, to: SIMD8<Int32>.self) &+ exponent, to: Self.self))
  }

  /// The natural logarithm of positive numbers of ordinary size; absolute error below 10⁻⁶ of numbers from 1 to 10⁶.
  ///
  /// x = 2ⁿ · m with √½ ≤ m < √2; log m = 2 artanh((m − 1) / (m + 1)) by its series.
  @inline(__always)
  var logarithm: Self {
    let bits = unsafeBitCast(self, to: SIMD8<Int32>.self) &- 0x3F35_04F3
    let exponent = bits &>> 23
    let rest = unsafeBitCast(self, to: SIMD8<Int32>.self) &- (exponent &<< 23)
    let mantissa = unsafeBitCast(rest, to: Self.self)
    let s = (mantissa - 1) / (mantissa + 1)
    let square = s * s
    var sum = square * (1.0 / 9) + (1.0 / 7)
    sum = sum * square + (1.0 / 5)
    sum = sum * square + (1.0 / 3)
    sum = sum * square + 1
    return Self(exponent) * 0.6931471805599453 + 2 * s * sum
  }
}
