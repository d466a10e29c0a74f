import Simulation
import Testing

@Suite("Truth") struct TruthTests {
  @Test("Each region has its own bit, as the masks of sets have")
  func regions() {
    #expect(Region.names.map(\.region.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128])
  }
}
