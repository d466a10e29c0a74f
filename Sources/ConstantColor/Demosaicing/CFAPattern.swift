/// A colour filter array: which colour each sample of a sensor sees, as a pattern that repeats.
public struct CFAPattern: Equatable, Hashable, Sendable {
  /// The size of the repeating part.
  public let columns, rows: Int
  /// The colours of that part, row after row: 0 red, 1 green, 2 blue.
  public let colors: [UInt8]

  /// The array that repeats the given rows; nil unless all three colours, and no others, occur in it.
  public init?(columns: Int, rows: Int, colors: [UInt8]) {
    guard (1...16).contains(columns), (1...16).contains(rows), colors.count == columns * rows,
      Set(colors) == [0, 1, 2]
    else { return nil }
    self.init(unchecked: columns, rows, colors)
  }

  private init(unchecked columns: Int, _ rows: Int, _ colors: [UInt8]) {
    // The smallest part that repeats, so that equal arrays are equal.
    let width = (1...columns).first { step in
      columns % step == 0 && colors.indices.allSatisfy { colors[$0] == colors[$0 / columns * columns + $0 % step] }
    }
    let height = (1...rows).first { step in
      rows % step == 0 && colors.indices.allSatisfy { colors[$0] == colors[$0 % (step * columns)] }
    }
    let size = (width ?? columns, height ?? rows)
    self.columns = size.0
    self.rows = size.1
    self.colors = (0..<size.1).flatMap { y in (0..<size.0).map { colors[y * columns + $0] } }
  }

  /// What part of the samples each colour has, red, green, blue; their sum is 1.
  public var shares: SIMD3<Double> {
    var counts = SIMD3<Double>.zero
    for color in colors { counts[Int(min(color, 2))] += 1 }
    return counts / Double(max(colors.count, 1))
  }

  /// Red, green / green, blue.
  public static let rggb = CFAPattern(unchecked: 2, 2, [0, 1, 1, 2])
  /// Blue, green / green, red.
  public static let bggr = CFAPattern(unchecked: 2, 2, [2, 1, 1, 0])
  /// Green, red / blue, green.
  public static let grbg = CFAPattern(unchecked: 2, 2, [1, 0, 2, 1])
  /// Green, blue / red, green.
  public static let gbrg = CFAPattern(unchecked: 2, 2, [1, 2, 0, 1])
  /// Fujifilm's array of 6 × 6.
  public static let xTrans = CFAPattern(
    unchecked: 6, 6,
    [
      1, 1, 0, 1, 1, 2,
      1, 1, 2, 1, 1, 0,
      2, 0, 1, 0, 2, 1,
      1, 1, 2, 1, 1, 0,
      1, 1, 0, 1, 1, 2,
      0, 2, 1, 2, 0, 1,
    ])

  /// The colour at any place, also a negative one.
  public subscript(x: Int, y: Int) -> Int {
    Int(colors[Self.modulo(y, rows) * columns + Self.modulo(x, columns)])
  }

  /// The array as it looks from the place (x, y) on.
  public func shifted(x: Int, y: Int) -> CFAPattern {
    CFAPattern(
      unchecked: columns, rows, (0..<rows).flatMap { row in (0..<columns).map { UInt8(self[x + $0, y + row]) } })
  }

  /// Whether it is Bayer's: green on one diagonal of 2 × 2, red and blue on the other.
  public var isBayer: Bool { [Self.rggb, .bggr, .grbg, .gbrg].contains(self) }

  static func modulo(_ value: Int, _ count: Int) -> Int {
    let rest = value % count
    return rest < 0 ? rest + count : rest
  }
}
