import ColorScience
import Glibc
import SkinRecord
import TestSupport
import Testing

/// The numbers that are made of a skin colour, and their uncertainties.
@Suite struct QuantityTests {
  private let skin = Lab(65, 12, 18)

  @Test func definitions() throws {
    #expect(Quantity.lightness.value(of: skin) == 65 && Quantity.a.value(of: skin) == 12)
    // ITA = atan((65 − 50) / 18).
    #expect(abs(try #require(Quantity.ita.value(of: skin)) - 39.806) < 0.001)
    #expect(abs(try #require(Quantity.hue.value(of: skin)) - 56.310) < 0.001)
    // Linear sRGB of 0.4 and 0.2: 100 log10(2).
    let red = Lab(XYZ(RGBSpace.sRGB.toXYZ * SIMD3(0.4, 0.2, 0.15)))
    #expect(abs(try #require(Quantity.erythema.value(of: red)) - 30.103) < 0.001)
    #expect(Quantity.ita.value(of: Lab(60, 5, -3)) == nil)
    #expect(Quantity.erythema.value(of: Lab(30, -90, 30)) == nil)
  }

  @Test func hueAndErythemaDoNotDependOnBrightness() throws {
    for quantity in [Quantity.hue, .erythema] {
      let values = [0.3, 1, 1.7].compactMap { quantity.value(of: Lab(XYZ($0 * skin.xyz().vector))) }
      #expect(values.count == 3 && values.allSatisfy { abs($0 - values[0]) < 1e-9 })
    }
    // a* / (L* + 16) stays.
    let half = Lab(XYZ(0.5 * skin.xyz().vector))
    #expect(abs(half.a / (half.lightness + 16) - skin.a / (skin.lightness + 16)) < 1e-12)
  }

  /// 5 % of distance are 10 % of light, and some 5 degrees of ITA.
  @Test func whatBrightnessDoesToITA() throws {
    let ita = try #require(Quantity.ita.value(of: skin))
    let brighter = try #require(Quantity.ita.value(of: Lab(XYZ(1.1 * skin.xyz().vector))))
    #expect((3...6).contains(brighter - ita))
  }

  @Test func uncertaintyIsThatOfChance() throws {
    var chance = SplitMix(state: 5)
    let deviations = SIMD3(0.8, 0.5, 0.6)
    let covariance = Matrix3(diagonal: deviations * deviations)
    for quantity in Quantity.allCases {
      let stated = try #require(quantity.uncertainty(of: skin, covariance))
      let center = try #require(quantity.value(of: skin))
      var sum = 0.0
      for _ in 0..<4000 {
        let drawn = skin.vector + deviations * SIMD3(chance.normal(), chance.normal(), chance.normal())
        let value = try #require(quantity.value(of: Lab(drawn.x, drawn.y, drawn.z)))
        let difference = quantity.difference(value, center)
        sum += difference * difference
      }
      #expect(abs((sum / 4000).squareRoot() / stated - 1) < 0.05, "\(quantity)")
    }
  }

  @Test func huesGoRound() {
    #expect(Quantity.hue.difference(1, 359) == 2 && Quantity.hue.difference(359, 1) == -2)
    #expect(Quantity.a.difference(1, 359) == -358)
  }

  @Test func times() {
    #expect(Timestamp.seconds("1970-01-02") == 86400)
    #expect(Timestamp.seconds("2024-02-29T12:34:56").map { Timestamp.text($0) } == "2024-02-29T12:34:56")
    #expect(Timestamp.seconds("2024-02-29T12:34").map { Timestamp.text($0) } == "2024-02-29T12:34:00")
    for wrong in ["", "2024", "2023-02-29", "2024-13-01", "2024-01-01T25:00", "2024-01-01T", "x-1-1", "2024-1--1"] {
      #expect(Timestamp.seconds(wrong) == nil, "\(wrong)")
    }
  }

  @Test func codesAreNoNames() {
    for good in ["P-014", "a", "7_x.y"] { #expect(RecordName.isSubject(good)) }
    for bad in ["", "Anna Müller", "-x", "../x", "a/b", "a\nb", String(repeating: "x", count: 65)] {
      #expect(!RecordName.isSubject(bad), "\(bad)")
    }
    #expect(RecordName.isSite("left forearm, Ellbeuge") && !RecordName.isSite(" x") && !RecordName.isSite("a\u{1B}[2J"))
  }
}
