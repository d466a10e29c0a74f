/// A prefix code for the symbols of a deflate block (RFC 1951, section 3.2.2).
struct HuffmanCode {
  /// The bits of each symbol; 0 for symbols that do not occur.
  private(set) var lengths: [UInt8]
  /// Each symbol's code, first bit lowest, as deflate writes it.
  private(set) var codes: [UInt16]

  /// No code of deflate is longer.
  private static let longest = 15

  /// The shortest code for symbols that occur `counts` times, at least two of them.
  init(counts: [Int]) {
    lengths = Self.lengths(counts)
    codes = Self.codes(lengths)
  }

  /// The size in bits of the symbols so coded.
  func size(_ counts: [Int]) -> Int {
    zip(counts, lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
  }

  /// Huffman's construction with two queues: leaves in order of their counts, and nodes in the order they arise.
  private static func lengths(_ counts: [Int]) -> [UInt8] {
    let leaves = counts.indices.filter { counts[$0] > 0 }.sorted {
      counts[$0] == counts[$1] ? $0 < $1 : counts[$0] < counts[$1]
    }
    var lengths = [UInt8](repeating: 0, count: counts.count)
    guard leaves.count > 1 else {
      for leaf in leaves { lengths[leaf] = 1 }
      return lengths
    }
    let total = 2 * leaves.count - 1
    var weights = leaves.map { counts[$0] }
    weights.reserveCapacity(total)
    var parents = [Int](repeating: 0, count: total)
    var leaf = 0
    var node = leaves.count
    func lightest(_ made: Int) -> Int {
      if leaf < leaves.count, node >= made || weights[leaf] <= weights[node] {
        leaf += 1
        return leaf - 1
      }
      node += 1
      return node - 1
    }
    for made in leaves.count..<total {
      let first = lightest(made)
      let second = lightest(made)
      parents[first] = made
      parents[second] = made
      weights.append(weights[first] + weights[second])
    }
    var depths = [Int](repeating: 0, count: total)
    var histogram = [Int](repeating: 0, count: longest + 1)
    for index in stride(from: total - 2, through: 0, by: -1) {
      depths[index] = depths[parents[index]] + 1
      if index < leaves.count { histogram[min(depths[index], longest)] += 1 }
    }
    limit(&histogram)
    // The rarest symbols take the longest codes.
    var next = 0
    for length in stride(from: longest, through: 1, by: -1) {
      for _ in 0..<histogram[length] {
        lengths[leaves[next]] = UInt8(length)
        next += 1
      }
    }
    return lengths
  }

  /// Codes cut to the longest length ask for more than the code space (Kraft's sum over 1): shorter
  /// codes give way, one at a time, each making room for two.
  private static func limit(_ histogram: inout [Int]) {
    var space = 0
    for length in 1...longest { space += histogram[length] << (longest - length) }
    while space > 1 << longest {
      guard let shorter = (1..<longest).last(where: { histogram[$0] > 0 }) else { return }
      histogram[longest] -= 1
      histogram[shorter] -= 1
      histogram[shorter + 1] += 2
      space -= 1
    }
  }

  private static func codes(_ lengths: [UInt8]) -> [UInt16] {
    var histogram = [Int](repeating: 0, count: longest + 1)
    for length in lengths where length > 0 { histogram[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: longest + 2)
    for length in 1...longest { next[length + 1] = (next[length] + histogram[length]) << 1 }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      let code = next[Int(length)]
      next[Int(length)] += 1
      var reversed: UInt16 = 0
      for bit in 0..<Int(length) where code >> bit & 1 == 1 { reversed |= 1 << (Int(length) - 1 - bit) }
      return reversed
    }
  }
}
