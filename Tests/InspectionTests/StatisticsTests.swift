import Inspection
import JSONValue
import Raster
import Testing
import TextOutput

struct ChannelStatisticsTests {
  @Test func percentilesAreExact() throws {
    var numbers = Numbers(7)
    let count = 4001
    let values = (0..<count).map { _ in Float(numbers.next() * numbers.next() * 3 - 0.5) }
    let picture = Image(Rectangle(width: count, height: 1)) { x, _ in Pixel(values[x], -values[x], 0.25, 1) }
    let statistics = try #require(ChannelStatistics.measure(picture, channels: .rgba))
    let sorted = values.sorted().map { Double($0) }
    let red = statistics.channels[0]
    #expect(red.p1 == sorted[40] && red.p50 == sorted[2000] && red.p99 == sorted[3960])
    #expect(red.min == sorted.first && red.max == sorted.last)
    #expect(abs((red.mean ?? 0) - sorted.reduce(0, +) / Double(count)) < 1e-12)
    #expect(statistics.channels[1].p99 == -sorted[40])
    let blue = statistics.channels[2]
    #expect([blue.min, blue.p1, blue.p50, blue.p99, blue.max] == [0.25, 0.25, 0.25, 0.25, 0.25])
    #expect(statistics.channels.map(\.name) == ["R", "G", "B", "A"])
  }

  @Test func ofOneChannelWithAlphaTheLastComponentIsRead() throws {
    let picture = Image(Rectangle(width: 8, height: 2)) { x, _ in Pixel(Float(x), 9, 9, x < 4 ? 0 : 1) }
    let channels = try #require(ChannelStatistics.measure(picture, channels: .greyAlpha)).channels
    #expect(channels.map(\.name) == ["Y", "A"])
    #expect(channels.map(\.max) == [7, 1] && channels.map(\.mean) == [3.5, 0.5])
    let histogram = try #require(Histogram.measure(picture, channels: .greyAlpha, bins: 2, range: 0...8))
    #expect(histogram.channels.map(\.counts) == [[8, 8], [16, 0]])
  }

  @Test func percentilesLieBetweenTwoValues() throws {
    // NumPy: percentile([0, 1, 2, 10], [1, 50, 99]) is 0.03, 1.5, 9.76.
    let picture = row([SIMD3(0, 0, 0), SIMD3(1, 0, 0), SIMD3(2, 0, 0), SIMD3(10, 0, 0)])
    let red = try #require(ChannelStatistics.measure(picture)?.channels.first)
    #expect(abs((red.p1 ?? 0) - 0.03) < 1e-12 && red.p50 == 1.5 && abs((red.p99 ?? 0) - 9.76) < 1e-12)
  }

  @Test func whatIsNoNumberIsCounted() throws {
    let picture = row([SIMD3(.nan, .infinity, 1), SIMD3(1, -.infinity, 2), SIMD3(.nan, .nan, 3)])
    let statistics = try #require(ChannelStatistics.measure(picture))
    #expect(statistics.channels.map(\.nan) == [2, 1, 0] && statistics.channels.map(\.inf) == [0, 2, 0])
    #expect(statistics.channels[1].mean == nil && statistics.channels[1].min == nil)
    #expect(statistics.json["channels"].elements?[1]["p50"] == .null)
    #expect(statistics.text.contains(unknownText))
    #expect(statistics.csv.split(separator: "\n").count == 4)
  }

  @Test func nothingIsSaidOfNothing() throws {
    let empty = try #require(ChannelStatistics.measure(Image(Rectangle(width: 0, height: 0))))
    #expect(empty.pixelCount == 0 && empty.channels.allSatisfy { $0.mean == nil })
    let outside = ChannelStatistics.measure(plain(.one), in: Rectangle(x: 90, y: 90, width: 3, height: 3))
    #expect(outside?.channels.first?.max == nil)
  }

  @Test func threadsDoNotMatter() throws {
    var numbers = Numbers(3)
    let picture = Image(Rectangle(width: 1024, height: 700)) { _, _ in
      Pixel(Float(numbers.next()), Float(numbers.next() * 1e-5), Float(numbers.next() * 100), 1)
    }
    let backwards = Execution { count, body in
      for index in (0..<count).reversed() { body(Turns(index..<index + 1)) }
    }
    #expect(ChannelStatistics.measure(picture) == ChannelStatistics.measure(picture, execution: backwards))
    let cancelled = CancellationToken()
    cancelled.cancel()
    let stopped = Execution(cancellation: cancelled) { count, body in body(Turns(count)) }
    #expect(ChannelStatistics.measure(picture, execution: stopped) == nil)
    #expect(Histogram.measure(picture, execution: stopped) == nil)
  }
}

struct HistogramTests {
  @Test func valuesAreInTheirBins() throws {
    let picture = row(
      [0, 0.1, 0.25, 0.5, 0.999, 1, -0.5, 2].map { SIMD3(repeating: $0) } + [SIMD3(.nan, 0, .infinity)])
    let histogram = try #require(Histogram.measure(picture, bins: 4, range: 0...1))
    #expect(histogram.channels[0].counts == [2, 1, 1, 2])
    #expect(histogram.channels[0].below == 1 && histogram.channels[0].above == 1 && histogram.channels[0].nan == 1)
    #expect(histogram.channels[1].counts == [3, 1, 1, 2])
    #expect(histogram.channels[2].above == 2)
    #expect(histogram.csv.split(separator: "\n").count == 7)
    #expect(histogram.json["edges"].doubles == [0, 0.25, 0.5, 0.75, 1])
  }

  @Test func aLogarithmicAxisHasStops() throws {
    let picture = row([0.25, 0.3, 0.5, 1, 1.9, 0, -1].map { SIMD3(repeating: $0) })
    let histogram = try #require(Histogram.measure(picture, axis: .log, bins: 3, range: 0.25...2))
    #expect(histogram.channels[0].counts == [2, 1, 2] && histogram.channels[0].below == 2)
    #expect(abs(histogram.edge(1) - 0.5) < 1e-12)
  }

  @Test func rangesAreFound() throws {
    var numbers = Numbers(1)
    let picture = Image(Rectangle(width: 100, height: 100)) { _, _ in Pixel(repeating: Float(numbers.next())) }
    #expect(Histogram.measure(picture)?.range == 0...1)
    let dark = Image(Rectangle(width: 100, height: 100)) { _, _ in Pixel(repeating: Float(numbers.next()) * 0.01) }
    let range = try #require(Histogram.measure(dark)?.range)
    #expect(range.upperBound > 0.009 && range.upperBound <= 0.01)
    for value in [0, 1, -3, 1e30, .nan, .infinity] as [Float] {
      for axis in Histogram.Axis.allCases {
        let constant = try #require(Histogram.measure(plain(SIMD3(repeating: value)), axis: axis))
        #expect(constant.range.upperBound > constant.range.lowerBound)
        let channel = constant.channels[0]
        #expect(channel.counts.reduce(channel.below + channel.above + channel.nan, +) == 12)
        #expect(!constant.text().isEmpty)
      }
    }
  }

  @Test func drawingsFit() throws {
    var numbers = Numbers(9)
    let picture = Image(Rectangle(width: 200, height: 100)) { _, _ in
      Pixel(Float(numbers.next()), Float(numbers.next() * numbers.next()), 0.5, 1)
    }
    for bins in [8, 64, 300] {
      let histogram = try #require(Histogram.measure(picture, bins: bins))
      for width in [20, 60, 200] {
        let text = histogram.text(width: width, height: 4)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
        #expect(text.contains("█"))
        let ascii = histogram.text(width: width, logarithmicCounts: true, ascii: true)
        #expect(ascii.unicodeScalars.allSatisfy { $0.isASCII })
      }
    }
  }
}
