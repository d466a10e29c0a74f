import ColorScience
import Testing

@Suite struct RGBSpaceTests {
  @Test(arguments: ReferenceValues.displayP3) func displayP3AgreesWithReference(_ row: [Double]) {
    let rgb = RGBSpace.displayP3.fromXYZ * SIMD3(row[0], row[1], row[2])
    #expect(maximumDifference(rgb, SIMD3(row[3], row[4], row[5])) < 1e-8)
  }

  /// CSS Color 4, section 17, prints these for its sample code.
  @Test func matricesAgreeWithCSS() {
    let expected: [(RGBSpace, [Double])] = [
      (
        .sRGB,
        [
          506752.0 / 1_228_815, 87881.0 / 245763, 12673.0 / 70218, 87098.0 / 409605, 175762.0 / 245763,
          12673.0 / 175545, 7918.0 / 409605, 87881.0 / 737289, 1_001_167.0 / 1_053_270,
        ]
      ),
      (
        .rec2020,
        [
          63_426_534.0 / 99_577_255, 20_160_776.0 / 139_408_157, 47_086_771.0 / 278_816_314, 26_158_966.0 / 99_577_255,
          472_592_308.0 / 697_040_785, 8_267_143.0 / 139_408_157, 0, 19_567_812.0 / 697_040_785,
          295_819_943.0 / 278_816_314,
        ]
      ),
    ]
    for (space, numbers) in expected {
      for (number, reference) in zip(space.toXYZ.rowMajor, numbers) { #expect(abs(number - reference) < 1e-12) }
    }
  }

  @Test(arguments: RGBSpace.all) func whiteIsWhite(_ space: RGBSpace) {
    #expect(maximumDifference(space.toXYZ * SIMD3(1, 1, 1), XYZ(space.white).vector) < 1e-14)
    #expect(maximumDifference(space.fromXYZ * XYZ(space.white).vector, SIMD3(1, 1, 1)) < 1e-14)
    #expect(RGBSpace.named(space.identifier) == space)
  }

  @Test(arguments: RGBSpace.all) func conversionsKeepNeutrals(_ space: RGBSpace) throws {
    let matrix = try #require(RGBSpace.sRGB.matrix(to: space))
    #expect(maximumDifference(matrix * SIMD3(0.5, 0.5, 0.5), SIMD3(0.5, 0.5, 0.5)) < 1e-14)
    let back = try #require(space.matrix(to: .sRGB))
    for (number, expected) in zip((back * matrix).rowMajor, Matrix3.identity.rowMajor) {
      #expect(abs(number - expected) < 1e-12)
    }
  }

  @Test func samePrimariesNeedNoConversion() {
    #expect(RGBSpace.sRGB.matrix(to: .linearSRGB) == .identity)
    #expect(RGBSpace.named("adobe") == nil)
  }

  @Test func nonsenseIsNoSpace() {
    let point = Chromaticity(x: 0.3, y: 0.3)
    func space(_ red: Chromaticity, _ white: Chromaticity) -> RGBSpace? {
      RGBSpace(
        identifier: "x", name: "x", red: red, green: Chromaticity(x: 0.3, y: 0.6),
        blue: Chromaticity(x: 0.15, y: 0.06), white: white)
    }
    #expect(space(Chromaticity(x: 0.64, y: 0.33), .d65) != nil)
    #expect(space(Chromaticity(x: 0.3, y: 0.6), .d65) == nil)
    #expect(space(Chromaticity(x: .nan, y: 0.6), .d65) == nil)
    #expect(space(point, Chromaticity(x: 0.3, y: 0)) == nil)
  }
}

@Suite struct TransferFunctionTests {
  @Test(arguments: [TransferFunction.sRGB, .bt2020, .proPhoto, .linear])
  func thereAndBack(_ curve: TransferFunction) {
    var last = -Double.infinity
    for step in -300...1200 {
      let linear = Double(step) / 800
      let value = curve.encode(linear)
      #expect(value > last)
      #expect(abs(curve.decode(value) - linear) < 1e-8)
      #expect(curve.encode(-linear) == -value)
      last = value
    }
    #expect(abs(curve.encode(1) - 1) < 1e-12 && abs(curve.decode(1) - 1) < 1e-12 && curve.encode(0) == 0)
    #expect(curve.encode(.nan).isNaN && curve.decode(.nan).isNaN)
  }

  @Test(arguments: [TransferFunction.sRGB, .bt2020, .proPhoto])
  func monotoneAroundTheKnee(_ curve: TransferFunction) {
    let knee = curve.c * curve.d
    var last = 0.0
    for step in -1000...1000 {
      let value = curve.encode(knee * (1 + Double(step) * 1e-9))
      #expect(value >= last)
      last = value
    }
  }

  @Test func publishedValues() {
    #expect(abs(TransferFunction.sRGB.encode(0.5) - 0.735356983052449) < 1e-12)
    #expect(abs(TransferFunction.sRGB.encode(0.001) - 0.01292) < 1e-12)
    #expect(abs(TransferFunction.sRGB.decode(128.0 / 255) - 0.215860500113899) < 1e-12)
    #expect(abs(TransferFunction.bt2020.encode(0.01) - 0.045) < 1e-12)
    #expect(abs(TransferFunction.bt2020.encode(0.5) - (1.09929682680944 * 0.732042847972 - 0.09929682680944)) < 1e-9)
    #expect(abs(TransferFunction.proPhoto.encode(0.18) - 0.385711424751) < 1e-12)
    #expect(abs(TransferFunction.proPhoto.encode(0.001) - 0.016) < 1e-12)
  }
}

@Suite struct OKLabTests {
  /// The table of Ottosson's article, given there to three places.
  @Test(arguments: [
    [0.950, 1.000, 1.089, 1.000, 0.000, 0.000], [1.000, 0.000, 0.000, 0.450, 1.236, -0.019],
    [0.000, 1.000, 0.000, 0.922, -0.671, 0.263], [0.000, 0.000, 1.000, 0.153, -1.415, -0.449],
  ]) func agreesWithOttosson(_ row: [Double]) {
    let lab = OKLab(XYZ(row[0], row[1], row[2]))
    #expect(maximumDifference(lab.vector, SIMD3(row[3], row[4], row[5])) < 1.1e-3)
  }

  @Test func neutralsAreNeutral() {
    for luminance in [1e-6, 0.18, 1, 4] {
      let lab = OKLab(XYZ(luminance * XYZ.d65.vector))
      #expect(lab.chroma < 1e-14)
      #expect(abs(lab.lightness * lab.lightness * lab.lightness - luminance) < 1e-12)
    }
  }

  @Test func thereAndBack() {
    for xyz in [XYZ(0.2, 0.3, 0.1), XYZ(0.5, 0.1, 1.2), XYZ(0.1, -0.02, 0.4), XYZ(0, 0, 0)] {
      #expect(maximumDifference(OKLab(xyz).xyz.vector, xyz.vector) < 1e-14)
    }
  }
}
