import ColorScience
import Testing

@Suite struct ChromaticAdaptationTests {
  @Test(arguments: ReferenceValues.adaptation)
  func agreesWithReference(_ row: (name: String, white: [Double], matrix: [Double])) throws {
    let all: [ChromaticAdaptation] = [.bradford, .cat02, .cat16, .vonKries]
    let transform = try #require(all.first { $0.name == row.name })
    let matrix = try #require(
      transform.matrix(from: XYZ(row.white[0], row.white[1], row.white[2]), to: XYZ(0.95047, 1, 1.08883)))
    for (number, expected) in zip(matrix.rowMajor, row.matrix) { #expect(abs(number - expected) < 1e-8) }
  }

  @Test(arguments: [ChromaticAdaptation.bradford, .cat02, .cat16, .vonKries])
  func whiteBecomesWhite(_ transform: ChromaticAdaptation) throws {
    let there = try #require(transform.matrix(from: .illuminantA, to: .d50))
    #expect(maximumDifference(there * XYZ.illuminantA.vector, XYZ.d50.vector) < 1e-13)
    let back = try #require(transform.matrix(from: .d50, to: .illuminantA))
    for (number, expected) in zip((back * there).rowMajor, Matrix3.identity.rowMajor) {
      #expect(abs(number - expected) < 1e-12)
    }
  }

  @Test func impossibleWhitesAreRefused() {
    #expect(ChromaticAdaptation.bradford.matrix(from: XYZ(0, 0, 0)) == nil)
    #expect(ChromaticAdaptation.bradford.matrix(from: XYZ(1, -1, 1)) == nil)
    #expect(ChromaticAdaptation.bradford.matrix(from: XYZ(.nan, 1, 1)) == nil)
    #expect(ChromaticAdaptation.bradford.matrix(from: .d65, to: XYZ(.infinity, 1, 1)) == nil)
  }
}

@Suite struct LocusTests {
  @Test(arguments: ReferenceValues.daylight) func daylight(_ row: [Double]) throws {
    let point = try #require(DaylightLocus.chromaticity(at: row[0]))
    #expect(abs(point.x - row[1]) < 1e-8 && abs(point.y - row[2]) < 1e-8)
  }

  @Test func daylightEndsWhereItEnds() {
    for kelvin in [3999, 25001, .nan, -5000, .infinity] { #expect(DaylightLocus.chromaticity(at: kelvin) == nil) }
  }

  @Test(arguments: ReferenceValues.ohno) func temperatureToChromaticity(_ row: [Double]) throws {
    let point = try #require(CorrelatedColorTemperature(kelvin: row[0], duv: row[1]).chromaticity)
    #expect(abs(point.x - row[2]) < 5e-6 && abs(point.y - row[3]) < 5e-6)
  }

  @Test(arguments: ReferenceValues.ohno) func chromaticityToTemperature(_ row: [Double]) throws {
    let white = try #require(CorrelatedColorTemperature(Chromaticity(x: row[2], y: row[3])))
    #expect(abs(white.kelvin - row[0]) < 1e-4 * row[0])
    #expect(abs(white.duv - row[1]) < 3e-6)
  }

  @Test func thereAndBackIsExact() throws {
    for kelvin in [1000.5, 1234, 2000, 2856, 5003, 6504, 12_000, 40_000, 99_000] {
      for duv in [-0.02, -0.001, 0, 0.003, 0.02] {
        let point = try #require(CorrelatedColorTemperature(kelvin: kelvin, duv: duv).chromaticity)
        let white = try #require(CorrelatedColorTemperature(point))
        #expect(abs(white.kelvin - kelvin) < 1e-6 * kelvin)
        #expect(abs(white.duv - duv) < 1e-9)
      }
    }
  }

  @Test func knownIlluminants() throws {
    let d65 = try #require(CorrelatedColorTemperature(.d65))
    #expect(abs(d65.kelvin - 6504) < 3 && abs(d65.duv - 0.0032) < 1e-4)
    let a = try #require(CorrelatedColorTemperature(.illuminantA))
    #expect(abs(a.kelvin - 2856) < 2 && abs(a.duv) < 1e-4)
  }

  @Test func colorsFarFromTheLocusHaveNoTemperature() {
    for point in [(0.2, 0.7), (0.7, 0.3), (0.15, 0.06), (.nan, 0.3), (.infinity, 1), (0.3, 0.15)] {
      #expect(CorrelatedColorTemperature(Chromaticity(x: point.0, y: point.1)) == nil)
    }
    #expect(PlanckianLocus.chromaticity(at: 999) == nil)
    #expect(CorrelatedColorTemperature(kelvin: 5000, duv: .nan).chromaticity == nil)
  }
}
