import ConstantColor
import Simulation
import Testing

@Suite("Seeds of the confidence's calibration") struct CalibrationSeedTests {
  @Test("What the confidence learned from is not what it is judged by")
  func disjoint() {
    #expect(SeedRange.tuning.upperBound <= SeedRange.judging.lowerBound)
    #expect(!Confidence.calibrationSeeds.isEmpty)
    for seed in Confidence.calibrationSeeds {
      #expect(SeedRange.tuning.contains(seed) && !SeedRange.judging.contains(seed), "\(seed)")
    }
  }
}
