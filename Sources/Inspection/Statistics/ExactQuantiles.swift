import Raster

/// Which values stand at some ranks, found by counting the bins they lie in once more, to the last bit.
struct ExactQuantiles {
  private let counts: ValueCounts
  private let parts: [Double]
  /// 1 and the index of a bin's fine counts; 0 where nobody asks for the bin.
  private let slots: [UInt8]
  private let bins: [Int]
  private var fine: [UInt32]

  /// Prepares for the quantiles at `parts` (0...1) of values that were counted with a shift of 16.
  init(_ counts: ValueCounts, _ parts: [Double]) {
    self.counts = counts
    self.parts = parts
    let ranks = parts.flatMap { part in Self.ranks(part, counts.finite) }
    bins = Set(ranks.compactMap { counts.bin(ofRank: $0)?.bin }).sorted()
    var slots = [UInt8](repeating: 0, count: counts.counts.count)
    for (index, bin) in bins.enumerated() { slots[bin] = UInt8(clamping: index + 1) }
    self.slots = slots
    fine = [UInt32](repeating: 0, count: bins.count << 16)
  }

  mutating func add(_ count: Int, _ value: (Int) -> Float) {
    slots.withUnsafeBufferPointer { slots in
      fine.withUnsafeMutableBufferPointer { fine in
        for index in 0..<count {
          let value = value(index)
          guard value.isFinite else { continue }
          let key = ValueCounts.key(value)
          let slot = Int(slots[Int(key >> 16)])
          if slot > 0 { fine[(slot - 1) << 16 | Int(key & 0xFFFF)] &+= 1 }
        }
      }
    }
  }

  mutating func merge(_ other: ExactQuantiles) {
    for index in fine.indices { fine[index] &+= other.fine[index] }
  }

  /// The quantiles, between two neighbouring values by a straight line (Hyndman and Fan's type 7, as NumPy does it).
  var values: [Double?] {
    parts.map { part in
      let place = Double(counts.finite - 1) * part
      let known = Self.ranks(part, counts.finite).compactMap(value)
      guard let low = known.first, let high = known.last else { return nil }
      return low + (high - low) * (place - place.rounded(.down))
    }
  }

  private static func ranks(_ part: Double, _ count: Int) -> [Int] {
    guard count > 0 else { return [] }
    let rank = Int(Double(count - 1) * min(max(part, 0), 1))
    return [rank, min(rank + 1, count - 1)]
  }

  private func value(_ rank: Int) -> Double? {
    guard let (bin, below) = counts.bin(ofRank: rank), let slot = bins.firstIndex(of: bin) else { return nil }
    var rest = rank - below
    for low in 0..<(1 << 16) {
      rest -= Int(fine[slot << 16 | low])
      if rest < 0 { return Double(ValueCounts.value(UInt32(bin) << 16 | UInt32(low))) }
    }
    return nil
  }
}
