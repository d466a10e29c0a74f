import Testing
import Validation

@Suite("Figures") struct FigureTests {
  @Test("A percentile lies between neighbours as numpy's does")
  func percentiles() throws {
    #expect(abs(percentile([1, 2, 3, 4], 95) - 3.85) < 1e-12)
    #expect(percentile([7], 95) == 7)
    #expect(percentile([], 95).isNaN)
    let spread = try #require(Spread([3, 1, 2]))
    #expect(spread.mean == 2 && abs(spread.p95 - 2.9) < 1e-12 && spread.count == 3)
  }

  @Test("A reduction is known where both variances are")
  func reduction() {
    var series = SeriesFigures(name: "steady")
    series.methods[.result] = MethodFigures(variance: 1)
    #expect(series.reduction(against: .ambient) == nil)
    series.methods[.ambient] = MethodFigures(variance: 8)
    #expect(series.reduction(against: .ambient) == 0.875)
  }
}
