import ColorScience
import Testing

@Suite struct SpectrumTests {
  @Test(arguments: SpectralReferenceValues.planckian) func planckian(_ row: (kelvin: Double, values: [Double])) throws {
    let spectrum = try #require(Spectrum.planckian(at: row.kelvin))
    for (index, expected) in row.values.enumerated() {
      #expect(abs(spectrum.value(at: 380 + 20 * Double(index)) / expected - 1) < 1e-6)
    }
  }

  @Test(arguments: SpectralReferenceValues.daylight) func daylight(_ row: (kelvin: Double, values: [Double])) throws {
    let spectrum = try #require(Spectrum.daylight(at: row.kelvin))
    let scale = row.values[9] / spectrum.value(at: 560)
    for (index, expected) in row.values.enumerated() {
      // The standard's own rounding of the factors M to three digits is in ours, and not in the reference.
      #expect(abs(spectrum.value(at: 380 + 20 * Double(index)) * scale / expected - 1) < 3e-3)
    }
  }

  @Test func d65IsTheTable() {
    // CIE 15:2018, table 1: relative power of D65.
    let table: [(Double, Double)] = [
      (380, 49.9755), (400, 82.7549), (450, 117.008), (500, 109.354), (550, 104.046), (560, 100), (600, 90.0062),
      (650, 80.0268), (700, 71.6091), (780, 63.3828),
    ]
    for (wavelength, power) in table { #expect(abs(Spectrum.d65.value(at: wavelength) / power - 1) < 2e-4) }
  }

  @Test(arguments: SpectralReferenceValues.whites) func whites(_ row: (illuminant: String, xyz: [Double])) {
    let white = XYZ(light: row.illuminant == "D50" ? .d50 : .d65)
    // The reference sums over 380...780 nm only, and z reaches beyond.
    #expect(abs(white.x - row.xyz[0]) < 1e-4 && abs(white.z - row.xyz[2]) < 2e-4 && abs(white.y - 1) < 1e-12)
  }

  @Test func spragueKeepsSamplesAndPolynomials() throws {
    // A polynomial of fifth degree is its own interpolation.
    func value(_ wavelength: Double) -> Double {
      let t = (wavelength - 550) / 200
      return 1 + t - 2 * t * t + 0.5 * t * t * t + t * t * t * t - 0.7 * t * t * t * t * t
    }
    let samples = stride(from: 380.0, through: 730, by: 10).map(value)
    let spectrum = try #require(Spectrum(firstWavelength: 380, step: 10, samples))
    for wavelength in stride(from: 380.0, through: 730, by: 5) {
      // The first and last two pieces rest on values that are themselves extrapolated.
      let isInside = (400...710).contains(wavelength)
      #expect(abs(spectrum.value(at: wavelength) - value(wavelength)) < (isInside ? 1e-9 : 2e-3))
    }
    #expect(spectrum.value(at: 830) == samples[35] && spectrum.value(at: 360) == samples[0])
    let sensitivity = try #require(Spectrum(firstWavelength: 380, step: 10, samples, beyond: .zero))
    #expect(sensitivity.value(at: 375) == 0 && sensitivity.value(at: 735) == 0)
  }

  @Test func irregularSamplesAreJoinedByLines() throws {
    let spectrum = try #require(Spectrum([(wavelength: 400, value: 0), (wavelength: 410, value: 1), (500, 0)]))
    #expect(spectrum.value(at: 405) == 0.5 && spectrum.value(at: 455) == 0.5 && spectrum.value(at: 600) == 0)
  }

  @Test func nonsenseIsNoSpectrum() {
    #expect(Spectrum([(wavelength: 400, value: 0)]) == nil)
    #expect(Spectrum([(wavelength: 400, value: 0), (wavelength: 400, value: 1)]) == nil)
    #expect(Spectrum([(wavelength: 400, value: .nan), (wavelength: 500, value: 1)]) == nil)
    #expect(Spectrum(firstWavelength: 380, step: 10, [1, 2, 3]) == nil)
    #expect(Spectrum(firstWavelength: 380, step: 0, [1, 2, 3, 4, 5, 6]) == nil)
    #expect(Spectrum.planckian(at: 0) == nil && Spectrum.planckian(at: .nan) == nil)
    #expect(Spectrum.daylight(at: 3000) == nil)
    #expect(Spectrum.planckian(at: 1e-6) == nil)
  }

  @Test func skinIsSkin() {
    // Skin lies on the yellow-red side, gets darker and yellower with melanin and redder with blood (ITA and a* as in
    // Chardon et al. 1991): pale skin near L* 70, the darkest near 30.
    func lab(_ melanin: Double, _ blood: Double) -> Lab {
      Lab(XYZ(reflectance: SkinReflectance.spectrum(melanin: melanin, blood: blood), under: .d65))
    }
    let (pale, dark) = (lab(0.01, 0.01), lab(0.12, 0.01))
    #expect((65...85).contains(pale.lightness) && (30...60).contains(dark.lightness))
    for skin in [pale, dark] { #expect(skin.a > 0 && skin.b > 8 && skin.hue < 85) }
    #expect(lab(0.01, 0.04).a > pale.a + 4)
  }
}

@Suite struct RootPolynomialTests {
  let coefficients = (0..<13).map { Double($0) }.map { SIMD3<Double>(0.1 * $0, 0.3 - 0.02 * $0, 0.01 * $0 * $0) }

  @Test(arguments: RootPolynomial.Degree.allCases) func growsWithTheLight(_ degree: RootPolynomial.Degree) throws {
    let polynomial = try #require(
      RootPolynomial(degree: degree, coefficients: Array(coefficients.prefix(degree.termCount))))
    let rgb = SIMD3(0.2, 0.5, 0.07)
    let once = polynomial(rgb)
    let tenfold = polynomial(10 * rgb)
    for axis in 0..<3 { #expect(abs(tenfold[axis] / once[axis] - 10) < 1e-12) }
  }

  @Test func termsAreFinlaysons() {
    let terms = RootPolynomial.terms(of: SIMD3(8, 27, 64), degree: .third)
    // ∛(8·27²) = 2·9, ∛(27·64²) = 3·16, ∛(8·64²) = 2·16, ∛(27·8²) = 3·4, ∛(64·27²) = 4·9, ∛(64·8²) = 4·4, ∛(8·27·64) = 24
    let squares = [216.0, 1728, 512].map { $0.squareRoot() }
    let expected: [Double] = [8, 27, 64] + squares + [18, 48, 32, 12, 36, 16, 24]
    #expect(terms.count == 13 && zip(terms, expected).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func negativeChannelsHaveNoRoots() {
    let terms = RootPolynomial.terms(of: SIMD3(-0.1, 0.5, 0.2), degree: .third)
    #expect(terms.allSatisfy(\.isFinite) && terms[0] == -0.1 && terms[3] == 0)
  }

  @Test func wrongNumbersAreRefused() {
    #expect(RootPolynomial(degree: .second, coefficients: coefficients) == nil)
    #expect(RootPolynomial(degree: .linear, coefficients: [.zero, .zero, SIMD3(0, .nan, 0)]) == nil)
  }
}
