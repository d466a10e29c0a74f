import Raster

/// Rows of a mosaic as light: black subtracted, 1 at clipping, a few columns wide, with room around the edges.
///
/// One object serves a whole reading: it goes down through one block of columns after the other.
final class MosaicRows {
  /// How many columns a block has at most: the rows that a filter looks at stay in the first-level cache.
  static let columns = 512
  /// The largest value that does not count as clipped.
  static let belowClipping: Float = 0x1.fffffep-1

  private let mosaic: Mosaic
  /// How far a filter looks around.
  private let reach: Int
  private let capacity: Int
  private let memory: UnsafeMutablePointer<Float>
  private var loaded: [Int?]
  private var clipped: [Bool]
  /// The columns of the block, with those around it that there are.
  private var first = 0
  private var count = 0
  private var inside = 0..<0
  /// Levels of the block's columns, for each kind of row there is: black, range, white.
  private var lines: [Int: UnsafeMutablePointer<Float>] = [:]
  private let kinds: Int

  init(_ mosaic: Mosaic, reach: Int) {
    self.mosaic = mosaic
    self.reach = reach
    capacity = Self.columns + 2 * reach + 16
    let rows = 2 * reach + 1
    memory = .allocate(capacity: capacity * rows)
    memory.initialize(repeating: 0, count: capacity * rows)
    loaded = [Int?](repeating: nil, count: rows)
    clipped = [Bool](repeating: false, count: rows)
    kinds = Self.leastCommonMultiple(mosaic.pattern.rows, mosaic.levels.rows)
  }

  deinit {
    memory.deallocate()
    forgetLines()
  }

  private func forgetLines() {
    for line in lines.values { line.deallocate() }
    lines = [:]
  }

  private static func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return a / max(1, x) * b
  }

  /// Goes to the block of at most ``columns`` columns that begins at `first`.
  func begin(first: Int, count: Int) {
    self.first = first
    self.count = min(count, Self.columns)
    inside = max(0, first - reach)..<min(mosaic.samples.width, first + self.count + reach)
    for index in loaded.indices { loaded[index] = nil }
    forgetLines()
  }

  /// The values of a row from the block's first column on; `reach` values before and behind the block may be read.
  ///
  /// Rows above and below the samples stand for others of the same colours. Valid until the row `2 * reach + 1` away is
  /// asked for.
  func row(_ y: Int) -> UnsafePointer<Float> {
    let slot = CFAPattern.modulo(y, loaded.count)
    let target = memory + slot * capacity + reach
    if loaded[slot] != y {
      clipped[slot] = load(mosaic.inside(y: y), into: target)
      loaded[slot] = y
    }
    return UnsafePointer(target)
  }

  /// Whether one of the rows that are in memory has a clipped sample.
  var hasClipping: Bool { clipped.contains(true) }

  // MARK: loading

  private func load(_ y: Int, into target: UnsafeMutablePointer<Float>) -> Bool {
    let (line, isKept) = levels(y)
    defer { if !isKept { line.deallocate() } }
    let row = mosaic.samples.base + y * mosaic.samples.rowBytes
    let rowBlack = mosaic.levels.rowBlack(y: y)
    let start = target + (inside.lowerBound - first)
    let isClipped: Bool
    switch mosaic.samples.kind {
    case .uint16:
      let source = row.assumingMemoryBound(to: UInt16.self) + inside.lowerBound
      isClipped = convert(inside.count, line, rowBlack, into: start) { Float(source[$0]) }
    case .float:
      let source = row.assumingMemoryBound(to: Float.self) + inside.lowerBound
      isClipped = convert(inside.count, line, rowBlack, into: start) { index in
        let value = source[index]
        return value * 0 == 0 ? value : 0
      }
    }
    for x in first - reach..<inside.lowerBound { target[x - first] = target[mosaic.inside(x: x) - first] }
    for x in inside.upperBound..<max(inside.upperBound, first + count + reach) {
      target[x - first] = target[mosaic.inside(x: x) - first]
    }
    return isClipped
  }

  @inline(__always)
  private func convert(
    _ count: Int, _ line: UnsafeMutablePointer<Float>, _ rowBlack: Float, into target: UnsafeMutablePointer<Float>,
    _ sample: (Int) -> Float
  ) -> Bool {
    let (black, range, white) = (line, line + capacity, line + 2 * capacity)
    var highest: Float = 0
    for index in 0..<count {
      let raw = sample(index)
      let value = (raw - black[index] - rowBlack) / range[index]
      let below = value < Self.belowClipping ? value : Self.belowClipping
      let above = value > 1 ? value : 1
      let result = raw >= white[index] ? above : below
      target[index] = result
      highest = result > highest ? result : highest
    }
    return highest >= 1
  }

  /// The levels of the columns inside; kept where rows repeat soon.
  private func levels(_ y: Int) -> (UnsafeMutablePointer<Float>, isKept: Bool) {
    let kind = y % kinds
    if let line = lines[kind] { return (line, true) }
    let line = UnsafeMutablePointer<Float>.allocate(capacity: 3 * capacity)
    let levels = mosaic.levels
    for (index, x) in inside.enumerated() {
      let color = mosaic.pattern[x, y]
      line[index] = levels.columnBlack(x: x, y: y)
      line[capacity + index] = levels.range(x: x, y: y, color: color)
      line[2 * capacity + index] = levels.white[color]
    }
    guard kinds <= 16 else { return (line, false) }
    lines[kind] = line
    return (line, true)
  }
}

extension Mosaic {
  /// The column that stands for one beside the samples: of the same colours, and near.
  ///
  /// Bayer's array is its own mirror image at each of its columns. Others are continued by what stands a period away.
  func inside(x: Int) -> Int { Self.inside(x, samples.width, pattern.isBayer ? nil : pattern.columns) }
  /// The row that stands for one above or below the samples.
  func inside(y: Int) -> Int { Self.inside(y, samples.height, pattern.isBayer ? nil : pattern.rows) }

  private static func inside(_ place: Int, _ count: Int, _ period: Int?) -> Int {
    if place >= 0, place < count { return place }
    if let period {
      return place < 0
        ? CFAPattern.modulo(place, period) : count - period + CFAPattern.modulo(place - count + period, period)
    }
    let turn = CFAPattern.modulo(place, 2 * (count - 1))
    return turn < count ? turn : 2 * (count - 1) - turn
  }

  /// Whether there are samples enough to have all colours everywhere.
  var isComplete: Bool {
    !visible.isEmpty && samples.channels == 1 && samples.width >= max(2, pattern.columns)
      && samples.height >= max(2, pattern.rows)
  }
}
