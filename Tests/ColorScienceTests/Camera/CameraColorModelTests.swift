import ColorScience
import Testing

/// The matrices of a camera whose sensitivities are published (Nikon D5100; NPL), fitted for the illuminants A and D65
/// over 214 reflectances, and what an implementation of chapter 6 of the DNG specification in Python
/// (colour-science; temperatures after Ohno) makes of them.
private enum Published {
  static let colorA = Matrix3(
    SIMD3(1.3884, -0.4376, -0.0751), SIMD3(-0.5459, 1.4641, 0.3817), SIMD3(-0.1303, 0.2482, 0.9787))
  static let colorD65 = Matrix3(
    SIMD3(0.9902, -0.248, -0.1025), SIMD3(-0.4775, 1.1944, 0.2384), SIMD3(-0.1816, 0.2941, 0.6718))
  static let forwardA = Matrix3(
    SIMD3(0.7331, 0.1114, 0.1198), SIMD3(0.2433, 0.8646, -0.1079), SIMD3(0.0902, -0.4512, 1.1859))
  static let forwardD65 = Matrix3(
    SIMD3(0.689, 0.2667, 0.0085), SIMD3(0.2639, 1.0029, -0.2668), SIMD3(0.0484, -0.2676, 1.044))

  struct Row {
    var white: Chromaticity
    var neutral: SIMD3<Double>
    /// To XYZ under D65, without and with forward matrices.
    var plain, forward: [Double]

    init(_ x: Double, _ y: Double, _ neutral: SIMD3<Double>, _ plain: [Double], _ forward: [Double]) {
      white = Chromaticity(x: x, y: y)
      (self.neutral, self.plain, self.forward) = (neutral, plain, forward)
    }
  }

  static let rows = [
    Row(
      0.3457, 0.3585, SIMD3(0.669036, 1.0, 0.729009),
      [0.99185, 0.1787, 0.14839, 0.36571, 0.95463, -0.27338, 0.12341, -0.43247, 1.97386],
      [0.99532, 0.17803, 0.14612, 0.36332, 0.96711, -0.28831, 0.12068, -0.43042, 1.97356]),
    Row(
      0.3324, 0.3474, SIMD3(0.632564, 1.0, 0.776256),
      [1.04444, 0.1926, 0.12519, 0.38944, 0.97158, -0.28074, 0.12112, -0.41012, 1.8326],
      [1.04608, 0.19258, 0.12388, 0.38737, 0.98001, -0.28991, 0.11934, -0.40785, 1.83112]),
    Row(
      0.44758, 0.40745, SIMD3(1.0, 0.942883, 0.427266),
      [0.70768, 0.04707, 0.46434, 0.23223, 0.90208, -0.19377, 0.14134, -0.69084, 3.74265],
      [0.70036, 0.062, 0.44854, 0.22693, 0.91318, -0.20584, 0.12388, -0.65328, 3.70062]),
    Row(
      0.38, 0.39, SIMD3(0.753542, 1.0, 0.59722),
      [0.88209, 0.13919, 0.24543, 0.3171, 0.90307, -0.2378, 0.13958, -0.53465, 2.54266],
      [0.89699, 0.14326, 0.2198, 0.31634, 0.93626, -0.29242, 0.12379, -0.48437, 2.4784]),
    Row(
      0.29, 0.30, SIMD3(0.537591, 1.0, 0.979266),
      [1.22915, 0.25612, 0.03426, 0.46825, 1.06995, -0.32849, 0.09547, -0.30569, 1.37187],
      [1.219, 0.21475, 0.08208, 0.46137, 0.99968, -0.25295, 0.12554, -0.37345, 1.42455]),
  ]
}

private func calibrations(forward: Bool = false) -> [CameraColorModel.Calibration] {
  [
    .init(
      kelvin: LightSource.kelvin(17), colorMatrix: Published.colorA, forwardMatrix: forward ? Published.forwardA : nil),
    .init(
      kelvin: LightSource.kelvin(21), colorMatrix: Published.colorD65,
      forwardMatrix: forward ? Published.forwardD65 : nil),
  ]
}

@Suite struct CameraColorModelTests {
  @Test(arguments: 0..<5, [false, true]) func agreesWithReference(_ index: Int, _ forward: Bool) throws {
    let row = Published.rows[index]
    let model = try CameraColorModel(calibrations(forward: forward))
    #expect(maximumDifference(try #require(model.neutral(of: row.white)), row.neutral) < 2e-5)
    let matrix = try #require(model.toD65(white: row.white))
    for (number, expected) in zip(matrix.rowMajor, forward ? row.forward : row.plain) {
      #expect(abs(number - expected) < 2e-4)
    }
  }

  @Test(arguments: [false, true]) func whitesComeBackFromTheirNeutrals(_ forward: Bool) throws {
    let model = try CameraColorModel(calibrations(forward: forward))
    for kelvin: Double in [2500, 2849, 2851, 3200, 4000, 5000, 5500, 6499, 6501, 9000, 15000] {
      for duv in [-0.015, -0.005, 0, 0.005, 0.015] {
        let white = try #require(CorrelatedColorTemperature(kelvin: kelvin, duv: duv).chromaticity)
        let neutral = try #require(model.neutral(of: white))
        #expect(neutral.max() == 1)
        // The scale of a neutral says nothing.
        for scale: Double in [1, 1e-5, 300] {
          let found = try #require(model.white(of: scale * neutral))
          #expect(abs(found.x - white.x) < 1e-7 && abs(found.y - white.y) < 1e-7)
        }
        let matrix = try #require(model.toD65(neutral: 0.2 * neutral))
        #expect(maximumDifference(matrix * neutral, XYZ.d65.vector) < 1e-9)
      }
    }
  }

  @Test func theOrderOfIlluminantsSaysNothing() throws {
    let there = try CameraColorModel(calibrations(forward: true))
    let back = try CameraColorModel(calibrations(forward: true).reversed())
    for row in Published.rows {
      #expect(there.neutral(of: row.white) == back.neutral(of: row.white))
      #expect(there.toD65(white: row.white) == back.toD65(white: row.white))
    }
  }

  @Test func equalOrUnknownIlluminantsLeaveTheFirstMatrix() throws {
    let alone = try CameraColorModel(colorMatrix: Published.colorA)
    for (one, other) in [(5000, 5000), (nil, 6500), (2850, nil), (0, 6500), (.nan, 6500)] as [(Double?, Double?)] {
      let model = try CameraColorModel([
        .init(kelvin: one, colorMatrix: Published.colorA), .init(kelvin: other, colorMatrix: Published.colorD65),
      ])
      #expect(model.toD65(white: .d50) == alone.toD65(white: .d50))
    }
  }

  @Test func interpolatesInReciprocalTemperatureAndNotBeyond() throws {
    // Diagonal matrices are seen through: the red row grows from 1 to 3.
    func diagonal(_ red: Double) -> Matrix3 { Matrix3(diagonal: SIMD3(red, 1, 1)) }
    let model = try CameraColorModel([
      .init(kelvin: 3000, colorMatrix: diagonal(1)), .init(kelvin: 6000, colorMatrix: diagonal(3)),
    ])
    func red(_ kelvin: Double) throws -> Double {
      let white = try #require(CorrelatedColorTemperature(kelvin: kelvin).chromaticity)
      let neutral = try #require(model.neutral(of: white))
      return neutral.x / neutral.y / (white.x / white.y)
    }
    #expect(abs(try red(4000) - 2) < 1e-6)
    #expect(abs(try red(4800) - 2.5) < 1e-6)
    #expect(abs(try red(2500) - 1) < 1e-9)
    #expect(abs(try red(12_000) - 3) < 1e-9)
  }

  @Test func analogBalanceAndCalibrationAreThisCamerasOwn() throws {
    let gains = SIMD3(1.5, 1, 2)
    let deviation = Matrix3(SIMD3(1.02, 0.01, 0), SIMD3(0, 0.98, 0.01), SIMD3(0.02, 0, 1.01))
    for forward in [false, true] {
      let plain = try CameraColorModel(calibrations(forward: forward))
      let own = try CameraColorModel(
        calibrations(forward: forward).map {
          var one = $0
          one.cameraCalibration = deviation
          return one
        }, analogBalance: gains)
      // The same light as both cameras see it: the same XYZ.
      let change = Matrix3(diagonal: gains) * deviation
      let color = SIMD3(0.3, 0.5, 0.1)
      let neutral = try #require(plain.neutral(of: .d50))
      let a = try #require(plain.toD65(neutral: neutral)) * color
      let b = try #require(own.toD65(neutral: change * neutral)) * (change * color)
      #expect(maximumDifference(a / a.y, b / b.y) < 1e-7)
    }
  }

  @Test func forwardMatricesAreMadeExact() throws {
    // Rounded to one digit, white would be off by several percent.
    let rough = Matrix3(SIMD3(0.7, 0.2, 0.1), SIMD3(0.3, 0.9, -0.1), SIMD3(0, -0.2, 1))
    let model = try CameraColorModel([.init(kelvin: 6500, colorMatrix: Published.colorD65, forwardMatrix: rough)])
    let neutral = try #require(model.neutral(of: .d50))
    #expect(maximumDifference(try #require(model.toD65(neutral: neutral)) * neutral, XYZ.d65.vector) < 1e-12)
  }

  @Test func nonsenseIsRefusedInAWord() {
    func error(_ matrix: Matrix3, forward: Matrix3? = nil, balance: Double = 1) -> CameraColorError? {
      do {
        _ = try CameraColorModel(
          [.init(kelvin: 5000, colorMatrix: matrix, forwardMatrix: forward)], analogBalance: SIMD3(1, balance, 1))
        return nil
      } catch { return error }
    }
    let singular = Matrix3(SIMD3(1, 2, 3), SIMD3(2, 4, 6), SIMD3(0, 1, 0))
    #expect(error(singular) == .absurdMatrix("ColorMatrix"))
    #expect(error(0 * .identity) == .absurdMatrix("ColorMatrix"))
    #expect(error(.nan * .identity) == .absurdMatrix("ColorMatrix"))
    #expect(error(1e9 * .identity) == .absurdMatrix("ColorMatrix"))
    #expect(error(-1 * .identity) == .darkWhite)
    #expect(error(.identity, forward: singular) == .absurdMatrix("ForwardMatrix"))
    #expect(error(.identity, balance: 0) == .absurdBalance && error(.identity, balance: .nan) == .absurdBalance)
    #expect(throws: CameraColorError.noCalibration) { try CameraColorModel([]) }
  }

  @Test func impossibleNeutralsHaveNoWhite() throws {
    let model = try CameraColorModel(calibrations())
    for neutral in [
      SIMD3(0.0, 1, 1), SIMD3(-1, 1, 1), SIMD3(.nan, 1, 1), SIMD3(.infinity, 1, 1), SIMD3(1, 1e-9, 1),
    ] {
      #expect(model.white(of: neutral) == nil)
      #expect(model.toD65(neutral: neutral) == nil)
    }
    #expect(model.neutral(of: Chromaticity(x: .nan, y: 0.3)) == nil)
    #expect(model.neutral(of: Chromaticity(x: 0.3, y: 0)) == nil)
    #expect(model.toD65(white: Chromaticity(x: 0.7, y: -0.1)) == nil)
  }

  @Test func lightSourcesHaveTheTemperaturesOfTheSDK() {
    #expect(LightSource.kelvin(17) == 2850 && LightSource.kelvin(21) == 6500 && LightSource.kelvin(23) == 5000)
    #expect(LightSource.kelvin(4) == 5500 && LightSource.kelvin(14) == 4150 && LightSource.kelvin(22) == 7500)
    for number in [0, 255, -1, 5, 8, 25, 70000] { #expect(LightSource.kelvin(number) == nil) }
  }
}
