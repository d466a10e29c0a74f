import Glibc
import Simulation
import Testing

@Suite("Chance") struct ChanceTests {
  private struct Moments {
    var mean = 0.0
    var variance = 0.0
    var skewness = 0.0

    init(_ values: [Double]) {
      let count = Double(values.count)
      mean = values.reduce(0, +) / count
      var (second, third) = (0.0, 0.0)
      for value in values {
        let off = value - mean
        second += off * off
        third += off * off * off
      }
      variance = second / count
      skewness = third / count / pow(variance, 1.5)
    }
  }

  @Test("The generator gives the numbers of the reference implementation")
  func reference() {
    // S. Vigna, splitmix64.c, from the state 1234567.
    var generator = SplitMix(state: 1_234_567)
    let expected: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
    ]
    #expect(expected.allSatisfy { generator.next() == $0 })
  }

  @Test("Normal numbers have mean 0, variance 1, no skewness")
  func normal() {
    var generator = SplitMix(seed: 1, 2)
    let count = 200_000
    let moments = Moments((0..<count).map { _ in generator.normal() })
    // Four standard errors.
    #expect(abs(moments.mean) < 4 / Double(count).squareRoot())
    #expect(abs(moments.variance - 1) < 4 * (2 / Double(count)).squareRoot())
    #expect(abs(moments.skewness) < 4 * (6 / Double(count)).squareRoot())
  }

  @Test(
    "Poisson numbers have the mean, variance and skewness of theirs",
    arguments: [0.02, 0.7, 5, 60, 99.9, 100.1, 900, 6000])
  func poisson(_ mean: Double) {
    var generator = SplitMix(seed: 3, UInt64(mean * 100))
    let count = 100_000.0
    let values = (0..<Int(count)).map { _ in generator.poisson(mean) }
    #expect(values.allSatisfy { $0 >= 0 && $0 == $0.rounded() })
    let moments = Moments(values)
    #expect(abs(moments.mean - mean) < 4 * (mean / count).squareRoot())
    // Rounding of the larger ones adds 1/12; the fourth central moment is 3 mean² + mean.
    let rounding = mean < 100 ? 0 : 1.0 / 12
    #expect(abs(moments.variance - mean - rounding) < 4 * ((2 * mean * mean + mean) / count).squareRoot())
    // Small means have a wide spread of skewness: their sixth moments are large.
    let spread = (6 / count * (1 + 6 / mean + 5 / (mean * mean))).squareRoot()
    #expect(abs(moments.skewness - 1 / mean.squareRoot()) < 5 * spread)
  }

  @Test("No light gives no electrons")
  func nothing() {
    var generator = SplitMix(seed: 1)
    #expect([0, -1, -Double.infinity, .nan].allSatisfy { generator.poisson($0) == 0 })
  }

  @Test("Streams of different parts and seeds have nothing in common")
  func streams() {
    var streams = [SplitMix(seed: 1), SplitMix(seed: 1, 0), SplitMix(seed: 1, 1), SplitMix(seed: 2, 1)]
    streams += [SplitMix(seed: 1, 1, 0), SplitMix(seed: 1, 0, 1)]
    streams += [SplitMix(seed: SeedRange.judging.lowerBound, 1), SplitMix(seed: SeedRange.tuning.upperBound - 1, 1)]
    var numbers = Set<UInt64>()
    for index in streams.indices { for _ in 0..<1000 { numbers.insert(streams[index].next()) } }
    #expect(numbers.count == 1000 * streams.count)
  }

  @Test("What is tuned and what is judged have no seed in common")
  func seeds() {
    #expect(!SeedRange.tuning.contains(SeedRange.judging.lowerBound))
    #expect(SeedRange.tuning.upperBound <= SeedRange.judging.lowerBound)
    // Command lines take numbers as doubles.
    #expect(UInt64(Double(SeedRange.judging.upperBound)) == SeedRange.judging.upperBound)
  }
}
