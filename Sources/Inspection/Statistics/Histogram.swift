import Glibc
import JSONValue
import Raster

/// How often values occur in each channel of a picture, in bins of one width.
public struct Histogram: Equatable, Sendable {
  /// What is of one width.
  public enum Axis: String, CaseIterable, Sendable {
    /// Bins are equal steps of the value.
    case linear
    /// Bins are equal parts of a stop (factor 2); values that are not above 0 are below the axis.
    case log
  }

  /// One channel.
  public struct Channel: Equatable, Sendable {
    /// The channel's name: R, G, B, A or Y.
    public let name: String
    /// How many values are in each bin, from the least.
    public var counts: [Int]
    /// How many are below or above all bins; infinite ones are among them.
    public var below, above: Int
    /// How many are NaN.
    public var nan: Int
  }

  /// What the bins divide.
  public let axis: Axis
  /// Where the first bin begins and the last one ends, as values.
  public let range: ClosedRange<Double>
  /// The channels, in order.
  public let channels: [Channel]

  /// How many bins there are.
  public var binCount: Int { channels.first?.counts.count ?? 0 }

  /// Reads the part of a picture inside `area` (nil: all of it) in bands, twice where the range must be found.
  ///
  /// - Parameters:
  ///   - bins: 1...4096.
  ///   - range: what the bins cover; nil for what nearly all values (all but a thousandth at each end) lie in. Of a
  ///     logarithmic axis it must be above 0.
  /// - Returns: nil where it was cancelled.
  public static func measure(
    _ source: some PixelSource, in area: Rectangle? = nil, channels: Channels = .rgb, axis: Axis = .linear,
    bins: Int = 64, range: ClosedRange<Double>? = nil, execution: Execution = .serial
  ) -> Histogram? {
    let area = area.map { $0.intersection(source.bounds) } ?? source.bounds
    let bins = min(max(bins, 1), 4096)
    guard let found = range ?? usualRange(source, area, channels, axis, execution) else { return nil }
    let used = sensible(found, axis)
    let scale = BinScale(axis: axis, range: used, bins: bins)
    let empty = channels.names.map {
      Channel(name: $0, counts: [Int](repeating: 0, count: bins), below: 0, above: 0, nan: 0)
    }
    let counted = source.accumulate(
      area, execution, make: { empty },
      merge: { all, part in
        for index in all.indices {
          for bin in 0..<bins { all[index].counts[bin] += part[index].counts[bin] }
          all[index].below += part[index].below
          all[index].above += part[index].above
          all[index].nan += part[index].nan
        }
      },
      { counted, pixels in
        for (index, component) in channels.components.enumerated() {
          scale.count(pixels, component, into: &counted[index])
        }
      })
    return counted.map { Histogram(axis: axis, range: used, channels: $0) }
  }

  private static func usualRange(
    _ source: some PixelSource, _ area: Rectangle, _ channels: Channels, _ axis: Axis, _ execution: Execution
  ) -> ClosedRange<Double>? {
    let counted = source.accumulate(
      area, execution, make: { channels.names.map { _ in ValueCounts() } },
      merge: { all, part in for index in all.indices { all[index].merge(part[index]) } },
      { counts, pixels in
        for (index, component) in channels.components.enumerated() {
          // What is not above 0 has no place on a logarithmic axis.
          counts[index].add(pixels.count) {
            axis == .log && pixels[$0][component] <= 0 ? .nan : pixels[$0][component]
          }
        }
      })
    guard let counted else { return nil }
    let low = counted.compactMap { $0.quantile(0.001) }.min() ?? 0
    let high = counted.compactMap { $0.quantile(0.999) }.max() ?? 1
    // Pictures are looked at from black to white, unless they are something else altogether.
    if axis == .linear, low >= 0, high <= 1, high > 0.1 { return 0...1 }
    return low...max(low, high)
  }

  /// A range that can be divided.
  private static func sensible(_ range: ClosedRange<Double>, _ axis: Axis) -> ClosedRange<Double> {
    let bounds = [range.lowerBound, range.upperBound].map { $0.isFinite ? min(max($0, -1e38), 1e38) : 0 }
    var (low, high) = (bounds[0], bounds[1])
    if axis == .log {
      low = max(low, 1e-30)
      high = max(high, 1e-30)
      return high > low * 1.001 ? low...high : low / 2...low * 2
    }
    if high - low < 1e-6 * max(abs(high), abs(low), 1e-6) {
      let margin = max(abs(low), 1e-3) / 2
      (low, high) = (low - margin, high + margin)
    }
    return low...high
  }

  /// Where bin `index` begins; for `index` = ``binCount`` where the last one ends.
  public func edge(_ index: Int) -> Double {
    let part = Double(index) / Double(max(1, binCount))
    switch axis {
    case .linear: return range.lowerBound + (range.upperBound - range.lowerBound) * part
    case .log: return range.lowerBound * pow(range.upperBound / range.lowerBound, part)
    }
  }

  /// Axis, edges of the bins, and the counts of each channel.
  public var json: JSON {
    let channels = channels.map { channel -> JSON in
      [
        "name": .string(channel.name), "below": .integer(channel.below),
        "counts": .array(channel.counts.map { .integer($0) }), "above": .integer(channel.above),
        "nan": .integer(channel.nan),
      ]
    }
    return [
      "axis": .string(axis.rawValue), "edges": .array((0...binCount).map { .number(edge($0)) }),
      "channels": .array(channels),
    ]
  }

  /// A table of comma-separated values, a bin a row; the first row is what lies below, the last what lies above.
  public var csv: String {
    var rows = [(["from", "to"] + channels.map(\.name)).joined(separator: ",")]
    rows.append((["", edge(0).description] + channels.map { String($0.below) }).joined(separator: ","))
    for bin in 0..<binCount {
      let counts = channels.map { String($0.counts[bin]) }
      rows.append(([edge(bin).description, edge(bin + 1).description] + counts).joined(separator: ","))
    }
    rows.append(([edge(binCount).description, ""] + channels.map { String($0.above) }).joined(separator: ","))
    return rows.joined(separator: "\n")
  }
}

/// From values to bins.
private struct BinScale {
  let isLogarithmic: Bool
  let bins: Int
  let offset, factor: Float

  init(axis: Histogram.Axis, range: ClosedRange<Double>, bins: Int) {
    isLogarithmic = axis == .log
    self.bins = bins
    let low = isLogarithmic ? log2(range.lowerBound) : range.lowerBound
    let high = isLogarithmic ? log2(range.upperBound) : range.upperBound
    offset = Float(low)
    factor = Float(Double(bins) / (high - low))
  }

  func count(_ pixels: Pixels, _ component: Int, into channel: inout Histogram.Channel) {
    let last = Float(bins)
    var (below, above, nan) = (0, 0, 0)
    channel.counts.withUnsafeMutableBufferPointer { counts in
      for index in 0..<pixels.count {
        let value = pixels[index][component]
        guard !value.isNaN else {
          nan += 1
          continue
        }
        let place = ((isLogarithmic ? (value > 0 ? log2f(value) : -.infinity) : value) - offset) * factor
        // The upper end of the range belongs to the last bin; rounding must not put it out.
        if place < 0 || place.isNaN {
          if place < -1e-3 { below += 1 } else { counts[0] += 1 }
        } else if place < last {
          counts[Int(place)] += 1
        } else if place <= last + 1e-3 {
          counts[bins - 1] += 1
        } else {
          above += 1
        }
      }
    }
    channel.below += below
    channel.above += above
    channel.nan += nan
  }
}
