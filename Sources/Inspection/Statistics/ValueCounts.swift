/// Values counted by the leading bits of their representation, which keep their order: a histogram whose bins are as
/// wide as a fixed part of the value, over everything that a float can be.
struct ValueCounts {
  /// How many bits are left out: 16 leaves a sign, the exponent and 7 bits of the mantissa.
  let shift: UInt32
  private(set) var counts: [UInt32]
  private(set) var finite = 0
  private(set) var nan = 0
  private(set) var infinite = 0
  private(set) var sum = 0.0
  /// Of the finite values.
  private(set) var min = Float.infinity
  private(set) var max = -Float.infinity

  init(shift: UInt32 = 16) {
    self.shift = Swift.min(Swift.max(shift, 10), 24)
    counts = [UInt32](repeating: 0, count: 1 << (32 - Int(self.shift)))
  }

  /// Adds `count` values.
  mutating func add(_ count: Int, _ value: (Int) -> Float) {
    let shift = shift
    var (lowest, highest, total) = (min, max, 0.0)
    var (usable, notNumbers, unbounded) = (0, 0, 0)
    counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<count {
        let value = value(index)
        guard value.isFinite else {
          if value.isNaN { notNumbers += 1 } else { unbounded += 1 }
          continue
        }
        usable += 1
        total += Double(value)
        if value < lowest { lowest = value }
        if value > highest { highest = value }
        counts[Int(Self.key(value) >> shift)] &+= 1
      }
    }
    (min, max, sum) = (lowest, highest, sum + total)
    finite += usable
    nan += notNumbers
    infinite += unbounded
  }

  mutating func merge(_ other: ValueCounts) {
    for index in counts.indices { counts[index] &+= other.counts[index] }
    finite += other.finite
    nan += other.nan
    infinite += other.infinite
    sum += other.sum
    min = Swift.min(min, other.min)
    max = Swift.max(max, other.max)
  }

  /// The mean of the finite values; nil where there are none.
  var mean: Double? { finite > 0 ? sum / Double(finite) : nil }

  /// The bin in which the value of a rank (0 is the least) lies, and how many values are below the bin; nil for no rank.
  func bin(ofRank rank: Int) -> (bin: Int, below: Int)? {
    guard rank >= 0, rank < finite else { return nil }
    var below = 0
    for (bin, count) in counts.enumerated() {
      if below + Int(count) > rank { return (bin, below) }
      below += Int(count)
    }
    return nil
  }

  /// A quantile, as near as the bins tell: values are taken to be evenly spread in theirs. Nil where there are no values.
  func quantile(_ part: Double) -> Double? {
    let place = Double(finite - 1) * part
    guard let (bin, below) = bin(ofRank: Int(place)), counts[bin] > 0 else { return nil }
    let low = Self.value(UInt32(bin) << shift)
    let high = Self.value((UInt32(bin) << shift) | ((1 << shift) - 1))
    let inside = (place - Double(below) + 0.5) / Double(counts[bin])
    let value = Double(low) + (Double(high) - Double(low)) * Swift.min(inside, 1)
    return Swift.min(Swift.max(value, Double(min)), Double(max))
  }

  /// A number that orders like the float.
  static func key(_ value: Float) -> UInt32 {
    // Both zeros are one value.
    let bits = (value + 0).bitPattern
    return bits & 0x8000_0000 == 0 ? bits | 0x8000_0000 : ~bits
  }

  /// The float of a key.
  static func value(_ key: UInt32) -> Float {
    Float(bitPattern: key & 0x8000_0000 == 0 ? ~key : key & 0x7FFF_FFFF)
  }
}
