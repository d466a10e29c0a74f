/// IEEE 754 numbers of 16 bits, which Swift's own type does not offer on every processor.
enum Half {
  /// The value of a bit pattern.
  static func value(_ bits: UInt16) -> Float {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10 & 0x1F)
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      let small = Float(fraction) * 0x1p-24
      return sign == 0 ? small : -small
    case 31: return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }

  /// The bit pattern of the nearest value, ties to even; beyond 65504 infinity.
  static func bits(_ value: Float) -> UInt16 {
    let sign = UInt16(value.bitPattern >> 16 & 0x8000)
    let size = abs(value)
    guard !size.isNaN else { return sign | 0x7E00 }
    // Half a step above the largest number rounds up.
    guard size < 65520 else { return sign | 0x7C00 }
    guard size >= 0x1p-14 else { return sign | UInt16((size * 0x1p24).rounded(.toNearestOrEven)) }
    let bits = size.bitPattern
    let rounded = bits + 0xFFF + (bits >> 13 & 1)
    return sign | UInt16(rounded >> 13 - 112 << 10)
  }
}
