import Calibration
import ColorScience
import ConstantColor
import TestSupport
import Testing

@Suite struct CharacterisationTests {
  /// Skin that is in no training: other parameters than the fit knows.
  private let skin = [0.01, 0.022, 0.04, 0.07, 0.1].flatMap { melanin in
    [0.007, 0.015, 0.03].map { SkinReflectance.spectrum(melanin: melanin, blood: $0, oxygenation: 0.6) }
  }

  /// What even light and all patches reach: skin under an LED is hard for any camera.
  private func bestError() throws -> Double {
    let camera = SimulatedCamera()
    return error(try Characterisation(camera.chart(), reference: .colorChecker), camera, skin)
  }

  private func error(_ characterisation: Characterisation, _ camera: SimulatedCamera, _ surfaces: [Spectrum]) -> Double
  {
    let errors = surfaces.map {
      XYZ(characterisation.transform(camera.rgb($0))).colorError(to: XYZ(reflectance: $0, under: .d65))
    }
    return errors.reduce(0, +) / Double(errors.count)
  }

  @Test(arguments: [true, false]) func rootsAreBetterThanAMatrixOnAndOffTheChart(_ isLED: Bool) throws {
    let camera = SimulatedCamera(isLED: isLED)
    let result = try Characterisation(camera.chart(), reference: .colorChecker)
    #expect(result.used.count == 24 && result.rejected.isEmpty && result.candidates.count == 3)
    #expect(result.chosen.degree != .linear)
    #expect(result.chosen.chart.mean < result.candidates[0].chart.mean)
    // What the fit says of itself holds on the chart without noise, and on surfaces that it has not seen.
    let reflectances = try #require(ChartReference.colorChecker.reflectances)
    #expect(error(result, camera, reflectances) < result.chosen.leaveOneOut.mean)
    var matrix = result.transform
    matrix.rootPolynomial = nil
    let matrixErrors = skin.map { XYZ(matrix(camera.rgb($0))).colorError(to: XYZ(reflectance: $0, under: .d65)) }
    #expect(error(result, camera, skin) < matrixErrors.reduce(0, +) / Double(skin.count))
  }

  /// Errors are known by colour: those of other reflectances lie about where their colours do.
  @Test func errorsAreKnownByColour() throws {
    let result = try Characterisation(SimulatedCamera().chart(), reference: .colorChecker)
    #expect(result.chosen.errors.count > result.chosen.patchErrors.count)
    let map = result.colorErrors()
    let greatest = try #require(map.squares.max()), neutral = map.squares[map.squares.count / 2]
    let mean = result.chosen.leaveOneOut.mean
    #expect(Double(neutral) < mean * mean && greatest > 4 * neutral)
  }

  @Test func whiteIsPreserved() throws {
    for isLED in [true, false] {
      let camera = SimulatedCamera(isLED: isLED)
      let result = try Characterisation(camera.chart(), reference: .colorChecker)
      // The transform's own white is exactly white; the camera's true white is found to what noise allows.
      let own = Lab(XYZ(result.transform(result.transform.white)))
      #expect(abs(own.lightness - 100) < 1e-6 && own.chroma < 1e-6)
      #expect(Lab(XYZ(result.transform(camera.white))).ciede2000(to: Lab(100, 0, 0)) < 0.5)
      let grey = Spectrum { _ in 0.2 }
      #expect(XYZ(result.transform(camera.rgb(grey))).colorError(to: XYZ(reflectance: grey, under: .d65)) < 0.4)
    }
  }

  @Test func unusualCamerasLoseNoPatches() {
    // As many patches are used as have light, or the fit is refused for what it is: too bad for a profile.
    do {
      let result = try Characterisation(SimulatedCamera.layered.chart(), reference: .colorChecker)
      #expect(result.used.count == 24 && result.rejected.isEmpty)
    } catch CalibrationError.badFit {
    } catch {
      Issue.record(error)
    }
  }

  @Test func unevenLightIsTakenOut() throws {
    // Two to one across the chart, curved: brighter at the lower right.
    func light(_ index: Int) -> Double {
      let (x, y) = (Double(index % 6) / 5, Double(index / 6) / 3)
      return 1 / (1 + 0.5 * (1 - x) * (1 - x) + 0.5 * (1 - y))
    }
    let camera = SimulatedCamera()
    let result = try Characterisation(camera.chart(light: light), reference: .colorChecker)
    #expect(result.used.count == 24)
    let scale = zip(result.used, result.light).map { $1 / light($0.index) }
    let mean = scale.reduce(0, +) / 24
    for value in scale { #expect(abs(value / mean - 1) < 0.03) }
    #expect(try error(result, camera, skin) < bestError() + 0.2)
  }

  @Test func aShadowedPatchIsLeftOut() throws {
    let camera = SimulatedCamera()
    let result = try Characterisation(camera.chart(light: { $0 == 8 ? 0.55 : 1 }), reference: .colorChecker)
    #expect(result.rejected.map(\.index) == [8] && result.used.count == 23)
    #expect(result.rejected.first?.reason.contains("shadow") == true)
  }

  @Test func missingPatchesAreNoObstacleUntilTooFewAreLeft() throws {
    let camera = SimulatedCamera()
    let chart = camera.chart()
    let result = try Characterisation(chart.filter { $0.index % 3 != 0 }, reference: .colorChecker)
    #expect(try result.used.count == 16 && error(result, camera, skin) < bestError() + 0.7)
    #expect(throws: CalibrationError.self) { try Characterisation(Array(chart.prefix(9)), reference: .colorChecker) }
  }

  @Test func aChartReadTheWrongWayRoundIsRefused() throws {
    let camera = SimulatedCamera()
    let turned = camera.chart().map { patch in
      var patch = patch
      patch.index = 23 - patch.index
      return patch
    }
    #expect(throws: CalibrationError.self) { try Characterisation(turned, reference: .colorChecker) }
  }

  /// Without spectra there is nothing to bound a third-degree fit by, and nothing is predicted.
  @Test func coloursAloneSuffice() throws {
    let camera = SimulatedCamera()
    let reference = ChartReference(name: "own", source: "test", xyz: ChartReference.colorChecker.xyz)
    let result = try Characterisation(camera.chart(), reference: reference)
    #expect(result.candidates.map(\.degree) == [.linear, .second])
    #expect(result.candidates.allSatisfy { $0.outside == nil })
    #expect(try error(result, camera, skin) < bestError() + 1.5)
    #expect(Lab(XYZ(result.transform(camera.white))).ciede2000(to: Lab(100, 0, 0)) < 1)
  }

  @Test func noiseIsReckonedWith() throws {
    let camera = SimulatedCamera()
    let result = try Characterisation(camera.chart(noise: 0.02), reference: .colorChecker)
    #expect(try error(result, camera, skin) < bestError() + 0.5)
    #expect(result.chosen.leaveOneOut.mean > 0.8)
  }

  @Test func nonsenseIsRefused() {
    let camera = SimulatedCamera()
    let zeros = (0..<24).map { Characterisation.Patch(index: $0, rgb: .zero, standardError: .zero) }
    #expect(throws: CalibrationError.self) { try Characterisation(zeros, reference: .colorChecker) }
    let undefined = camera.chart().map { patch in
      Characterisation.Patch(index: patch.index, rgb: SIMD3(.nan, 1, 1), standardError: SIMD3(repeating: 0.1))
    }
    #expect(throws: CalibrationError.self) { try Characterisation(undefined, reference: .colorChecker) }
    #expect(throws: CalibrationError.self) { try Characterisation([], reference: .colorChecker) }
  }
}

@Suite struct ChartReferenceTests {
  /// XYZ under D65 of the same spectra by colour-science 0.4.7, summed over 380...780 nm.
  private let expected: [Int: SIMD3<Double>] = [
    0: SIMD3(0.11147072, 0.10072549, 0.06803931), 1: SIMD3(0.37193984, 0.34566979, 0.25238409),
  ]

  @Test func coloursFollowFromSpectra() {
    let chart = ChartReference.colorChecker
    #expect(chart.xyz.count == 24 && chart.reflectances?.count == 24 && chart.extraUncertainty == nil)
    for (index, xyz) in expected {
      let error = chart.xyz[index].vector - xyz
      #expect((error * error).sum().squareRoot() < 3e-4)
    }
  }

  @Test func theNewEditionIsNearTheOld() {
    // X-Rite's own comparison of the editions stays below 5 ΔE; an error of adaptation or order would be far above.
    let (old, new) = (ChartReference.colorChecker, ChartReference.colorCheckerSince2014)
    #expect(new.xyz.count == 24 && new.reflectances == nil && new.extraUncertainty?.skin == 1.2)
    let errors = zip(old.xyz, new.xyz).map { Lab($0).ciede2000(to: Lab($1)) }
    #expect(errors.allSatisfy { $0 < 5 } && errors.reduce(0, +) / 24 < 2)
  }
}
