import Calibration
import ColorScience
import Simulation
import Testing

@Suite("Spectra") struct SpectraTests {
  @Test("Illuminants have the white points of the standard", arguments: PublishedValues.whites)
  func whites(_ row: (name: String, x: Double, y: Double)) throws {
    let white = try #require(Illuminant(named: row.name)?.chromaticity)
    // D65 by its formula is 2e-5 from its table.
    #expect(abs(white.x - row.x) < 3e-5 && abs(white.y - row.y) < 3e-5)
  }

  @Test("Every light that has a name gives one lux, and \"xenon\" is near daylight of 5500 K")
  func named() throws {
    #expect(Set(PublishedValues.whites.map(\.name)).union(["xenon"]) == Set(Illuminant.named.map(\.name)))
    for light in Illuminant.named {
      let luminance = zip(light.spectrum.values, StandardObserver.colorMatchingFunctions).reduce(0) {
        $0 + $1.0 * $1.1.y
      }
      #expect(abs(luminance - 1) < 1e-12, "\(light.name)")
    }
    let xenon = try #require(Illuminant(named: "xenon")?.chromaticity)
    let white = try #require(CorrelatedColorTemperature(xenon))
    #expect(abs(white.kelvin - 5500) < 10 && abs(white.duv) < 0.005)
  }

  @Test("Tints have the chromaticity that they are called by", arguments: PublishedValues.tints)
  func tints(_ row: (kelvin: Double, tint: Tint, x: Double, y: Double)) throws {
    let light = try #require(Illuminant.white(kelvin: row.kelvin, tint: row.tint))
    let white = try #require(light.chromaticity)
    #expect(abs(white.x - row.x) < 5e-6 && abs(white.y - row.y) < 5e-6)
    #expect(light.spectrum.values.allSatisfy { $0 >= 0 })
    let name = row.tint == .planckian ? "\(Int(row.kelvin))K" : "\(Int(row.kelvin)):\(row.tint.rawValue)"
    #expect(Illuminant(named: name)?.spectrum == light.spectrum)
  }

  @Test(
    "Names of no light are refused", arguments: ["", "D66", "500", "4500:pink", "4500:green:green", "nan", ":green"])
  func unknownLights(_ name: String) { #expect(Illuminant(named: name) == nil) }

  @Test("A light without luminance is none")
  func darkLights() {
    #expect(Illuminant("dark", Spectrum { _ in 0 }) == nil)
    #expect(Illuminant("ultraviolet", Spectrum { $0 < 360 ? 1 : 0 }) == nil)
    #expect(Illuminant("negative", Spectrum { $0 < 500 ? -0.1 : 1 }) == nil)
  }

  @Test("The chart's older edition has the colours that others compute")
  func chart() throws {
    let spectra = try #require(ChartReference.colorChecker.withReflectances?.reflectances)
    try #require(spectra.count == 24)
    for (spectrum, expected) in zip(spectra, PublishedValues.colorChecker) {
      let xyz = XYZ(reflectance: spectrum, under: .d65).vector
      #expect((0..<3).allSatisfy { abs(xyz[$0] - expected[$0]) < 5e-5 })
    }
  }

  @Test("The chart's newer edition has its published colours, from reflectances that surfaces can have")
  func newChart() throws {
    let spectra = try #require(ChartReference.colorCheckerSince2014.withReflectances?.reflectances)
    let toD50 = try #require(ChromaticAdaptation.bradford.matrix(from: .d65, to: .d50ICC))
    try #require(spectra.count == 24)
    for (spectrum, lab) in zip(spectra, PublishedValues.labSince2014) {
      #expect(spectrum.values.allSatisfy { (0...1).contains($0) })
      let adapted = XYZ(toD50 * XYZ(reflectance: spectrum, under: .d65).vector)
      let found = Lab(adapted, white: .d50ICC).vector
      #expect((0..<3).allSatisfy { abs(found[$0] - lab[$0]) < 1e-3 })
    }
  }

  private let rows = (0...40).map { "\(380 + 10 * $0), \($0), \(40 - $0)" }

  @Test("A table of spectra is read: titles skipped, straight lines between, nothing beyond, nothing below 0")
  func tables() throws {
    let text = (["wavelength_nm,a,b", "# a comment", ""] + rows + ["790,-3,1"]).joined(separator: "\r\n")
    let spectra = try SpectrumTable.parse(text, columns: 2)
    try #require(spectra.count == 2)
    #expect(spectra[0].value(at: 400) == 2 && spectra[0].value(at: 405) == 2.5 && spectra[1].value(at: 380) == 40)
    #expect(spectra[0].value(at: 375) == 0 && spectra[0].value(at: 795) == 0 && spectra[0].value(at: 790) == 0)
  }

  @Test("A table that is none is refused in words that name the line")
  func badTables() {
    func message(_ rows: [String], _ columns: Int = 2) -> String? {
      do {
        _ = try SpectrumTable.parse(rows.joined(separator: "\n"), columns: columns)
        return nil
      } catch { return "\(error)" }
    }
    #expect(message(rows) == nil)
    for line in ["500,1", "500,1,2,3", "500,1,x", "500,,1", "500;1;2", "500,inf,1", "500,nan,1", "1e400,1,1"] {
      #expect(message(rows + [line])?.contains("'\(line)'") == true)
    }
    #expect(message(rows, 1)?.contains("1 number") == true)
    let range = "rising wavelengths"
    for bad in [
      [], ["name,a,b"], Array(rows.reversed()), rows + ["780,1,1"], Array(rows.dropFirst(6)), Array(rows.prefix(27)),
    ] {
      #expect(message(bad)?.contains(range) == true)
    }
  }
}
