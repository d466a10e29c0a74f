import Testing
import Validation

/// Expected numbers come from numpy and scipy (Mann and Whitney's U for the area under the curve).
@Suite("Reliability") struct ReliabilityTests {
  private static let samples: [(confidence: Float, error: Float)] = (0..<20_000).map { index in
    let confidence = Float(Double(index * 7919 % 10_007) / 10_007)
    let error = 6 * (Double(index * 104_729 % 10_009) / 10_009) * Double(1.2 - confidence)
    return (confidence, Float(error))
  }

  @Test("Confidences are compared with what was within tolerance, bin by bin")
  func figures() throws {
    var samples = ConfidenceSamples()
    for sample in Self.samples { samples.add(confidence: sample.confidence, error: sample.error) }
    let figures = try #require(samples.figures(tolerance: 3, regions: []))
    #expect(abs(try #require(figures.reliabilityGap) - 0.372049915067) < 1e-6)
    #expect(abs(figures.brierSkill + 0.0837766621445) < 1e-6)
    #expect(abs(figures.auc - 0.818551364313) < 1e-6)
    #expect(figures.sureShare == 0.09995 && figures.sureWithinTolerance == 1)
    #expect(figures.bins.count == 10 && figures.bins[3].count == 2000)
    #expect(abs(figures.bins[3].withinTolerance - 0.583) < 1e-12)
  }

  @Test("Equal scores count one half")
  func ties() throws {
    let scores = Self.samples.map { ($0.confidence * 20).rounded(.toNearestOrEven) / 20 }
    let good = Self.samples.map { $0.error <= 3 }
    #expect(abs(try #require(areaUnderCurve(scores, isGood: good)) - 0.818007258827) < 1e-6)
    #expect(areaUnderCurve([1, 2, 3], isGood: [false, true, true]) == 1)
    #expect(areaUnderCurve([-1, -2, 3], isGood: [false, true, true]) == 0.5)
    #expect(areaUnderCurve([0, -0.0], isGood: [false, true]) == 0.5)
    #expect(areaUnderCurve([1, 2], isGood: [true, true]) == nil)
  }

  @Test("Few samples have no gap, and numbers that are none no confidence")
  func few() throws {
    var samples = ConfidenceSamples()
    #expect(samples.figures(tolerance: 3, regions: []) == nil && samples.withinTolerance(3) == nil)
    samples.add(confidence: .nan, error: 1)
    samples.add(confidence: 7, error: .nan)
    let figures = try #require(samples.figures(tolerance: 3, regions: []))
    #expect(figures.reliabilityGap == nil && figures.bins[0].count == 1 && figures.bins[9].count == 1)
    #expect(samples.withinTolerance(3) == 0.5)
  }

  @Test("Where all are right, or none, there is no skill to speak of")
  func noSkill() throws {
    for error: Float in [1, 9] {
      var samples = ConfidenceSamples()
      for confidence: Float in [0.1, 0.6, 0.9] { samples.add(confidence: confidence, error: error) }
      let figures = try #require(samples.figures(tolerance: 3, regions: []))
      #expect(figures.brierSkill.isNaN && figures.auc.isNaN)
    }
  }
}
