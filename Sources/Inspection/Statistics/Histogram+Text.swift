import Glibc
import TextOutput

extension Histogram {
  /// A drawing of bars, a block for each channel.
  ///
  /// - Parameters:
  ///   - width: the columns that there are; bins share columns where there are more bins, and 20 is the least.
  ///   - height: the lines of a block, 1...40.
  ///   - logarithmicCounts: the height of a bar is the logarithm of its count, so that rare values are seen.
  ///   - ascii: without characters that are not in ASCII.
  public func text(width: Int = 80, height: Int = 6, logarithmicCounts: Bool = false, ascii: Bool = false) -> String {
    let height = min(max(height, 1), 40)
    let columns = max(1, min(binCount, max(20, width) - 4))
    var blocks: [String] = []
    for channel in channels {
      let counts = Self.shared(channel.counts, columns)
      let levels = counts.map { logarithmicCounts ? log1p($0) : $0 }
      let highest = levels.max() ?? 0
      var lines: [String] = []
      for line in (0..<height).reversed() {
        let bars = levels.map { Self.bar($0, highest, line, of: height, ascii: ascii) }
        let name = line == height - 1 ? leftAligned(channel.name, 2) : "  "
        lines.append((name + bars.joined()).trimmingTrailingBlanks)
      }
      lines.append("  " + axisLabels(columns))
      let all = channel.counts.reduce(channel.below + channel.above + channel.nan, +)
      let outside = [("below", channel.below), ("above", channel.above), ("NaN", channel.nan)].filter { $0.1 > 0 }
      if !outside.isEmpty {
        let words = outside.map { "\($0.0) \(grouped($0.1)) (\(percent(Double($0.1) / Double(max(1, all)), 2)))" }
        lines.append("  " + words.joined(separator: ", "))
      }
      blocks.append(lines.joined(separator: "\n"))
    }
    let text = blocks.joined(separator: "\n")
    return ascii ? String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : " " })) : text
  }

  /// The counts of `columns` columns; a bin that lies across two is shared, since whole bins would look like a comb.
  private static func shared(_ counts: [Int], _ columns: Int) -> [Double] {
    var shared = [Double](repeating: 0, count: columns)
    let width = Double(columns) / Double(max(1, counts.count))
    for (bin, count) in counts.enumerated() where count > 0 {
      let (start, end) = (Double(bin) * width, Double(bin + 1) * width)
      let first = min(Int(start), columns - 1)
      for column in first..<min(columns, first + Int(width) + 2) {
        let overlap = min(end, Double(column + 1)) - max(start, Double(column))
        if overlap > 0 { shared[column] += Double(count) * overlap / width }
      }
    }
    return shared
  }

  private static func bar(_ level: Double, _ highest: Double, _ line: Int, of height: Int, ascii: Bool) -> String {
    guard highest > 0, level > 0 else { return " " }
    let eighths = max(1, Int((level / highest * Double(8 * height)).rounded()))
    let here = min(max(eighths - 8 * line, 0), 8)
    // A rare value is seen all the same.
    if ascii { return here >= 4 || (line == 0 && here > 0) ? "#" : " " }
    return [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"][here]
  }

  private func axisLabels(_ columns: Int) -> String {
    let (low, high) = (significant(range.lowerBound, 3), significant(range.upperBound, 3))
    let middle = significant(edge(binCount / 2), 3)
    let kind = axis == .log ? " log" : ""
    var line = low
    let place = max(line.count + 2, columns / 2 - middle.count / 2)
    if binCount % 2 == 0, place + middle.count + 2 + high.count <= columns { line = leftAligned(line, place) + middle }
    line = leftAligned(line, max(line.count + 1, columns - high.count)) + high
    return line + kind
  }
}

extension String {
  /// Without blanks at its end.
  var trimmingTrailingBlanks: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
