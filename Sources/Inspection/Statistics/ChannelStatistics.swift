import JSONValue
import Raster
import TextOutput

/// What the channels of a picture hold: extremes, percentiles, mean, and how many values are no numbers.
public struct ChannelStatistics: Equatable, Sendable {
  /// One channel; nil where it has no finite value.
  public struct Channel: Equatable, Sendable {
    /// The channel's name: R, G, B, A or Y.
    public let name: String
    /// Of the finite values. Percentiles are exact, between two values by a straight line.
    public let min, p1, p50, p99, mean, max: Double?
    /// How many values are NaN, and how many infinite.
    public let nan, inf: Int
  }

  /// The channels, in order.
  public let channels: [Channel]
  /// How many pixels were read.
  public let pixelCount: Int

  /// Reads the part of a picture inside `area` (nil: all of it) twice, in bands. Nil where it was cancelled.
  public static func measure(
    _ source: some PixelSource, in area: Rectangle? = nil, channels: Channels = .rgb, execution: Execution = .serial
  ) -> ChannelStatistics? {
    let area = area.map { $0.intersection(source.bounds) } ?? source.bounds
    let counted = source.accumulate(
      area, execution, make: { channels.names.map { _ in ValueCounts() } },
      merge: { all, part in for index in all.indices { all[index].merge(part[index]) } },
      { counts, pixels in
        for (index, component) in channels.components.enumerated() {
          counts[index].add(pixels.count) { pixels[$0][component] }
        }
      })
    guard let counted else { return nil }
    let refined = source.accumulate(
      area, execution, make: { counted.map { ExactQuantiles($0, [0.01, 0.5, 0.99]) } },
      merge: { all, part in for index in all.indices { all[index].merge(part[index]) } },
      { quantiles, pixels in
        for (index, component) in channels.components.enumerated() {
          quantiles[index].add(pixels.count) { pixels[$0][component] }
        }
      })
    guard let refined else { return nil }
    let measured = channels.names.indices.map { index in
      let (counts, values) = (counted[index], refined[index].values)
      let isKnown = counts.finite > 0
      return Channel(
        name: channels.names[index], min: isKnown ? Double(counts.min) : nil, p1: values[0], p50: values[1],
        p99: values[2], mean: counts.mean, max: isKnown ? Double(counts.max) : nil, nan: counts.nan,
        inf: counts.infinite)
    }
    return ChannelStatistics(channels: measured, pixelCount: area.count)
  }

  /// The statistics with fixed keys; what is unknown is null.
  public var json: JSON {
    let channels = channels.map { channel -> JSON in
      [
        "name": .string(channel.name), "min": JSON(channel.min), "p1": JSON(channel.p1), "p50": JSON(channel.p50),
        "p99": JSON(channel.p99), "mean": JSON(channel.mean), "max": JSON(channel.max), "nan": .integer(channel.nan),
        "inf": .integer(channel.inf),
      ]
    }
    return ["channels": .array(channels)]
  }

  /// A table of comma-separated values, a channel a row; what is unknown is empty.
  public var csv: String {
    let rows = channels.map { channel in
      let values = Self.values(channel).map { $0.map(\.description) ?? "" }
      return ([channel.name] + values + [String(channel.nan), String(channel.inf)]).joined(separator: ",")
    }
    return (["name,min,p1,p50,p99,mean,max,nan,inf"] + rows).joined(separator: "\n")
  }

  /// A table for people.
  public var text: String {
    let head = ["", "min", "p1", "p50", "p99", "mean", "max", "NaN", "inf"]
    let rows = channels.map { channel in
      [channel.name] + Self.values(channel).map { $0.map { significant($0) } ?? unknownText }
        + [grouped(channel.nan), grouped(channel.inf)]
    }
    let table = [head] + rows
    let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    return table.map { row in
      zip(row, widths).map { rightAligned($0, $1) }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private static func values(_ channel: Channel) -> [Double?] {
    [channel.min, channel.p1, channel.p50, channel.p99, channel.mean, channel.max]
  }
}
