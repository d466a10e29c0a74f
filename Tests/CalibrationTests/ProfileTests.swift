import Calibration
import ColorScience
import ConstantColor
import JSONValue
import TestSupport
import Testing

@Suite struct ProfileTests {
  private func profile() throws -> CalibrationProfile {
    let result = try Characterisation(SimulatedCamera().chart(), reference: .colorChecker)
    return CalibrationProfile(
      input: .camera, make: "Maker", model: "Model \"X\"", transform: result.transform,
      exposure: CalibrationProfile.Exposure(time: 1.0 / 30, iso: 51, fNumber: 1.8), duration: .continuous,
      noise: NoiseModel(gain: SIMD3(1e-4, 2e-4, 3e-4), floor: SIMD3(repeating: 1e-7)),
      expectedError: result.chosen.leaveOneOut.mean, colorErrors: result.colorErrors())
  }

  private func text(_ profile: CalibrationProfile, _ change: (inout [JSON.Member]) -> Void = { _ in }) -> [UInt8] {
    var members = profile.members
    change(&members)
    return Array(JSON.object(members).text().utf8)
  }

  @Test func readingGivesWhatWasWritten() throws {
    let profile = try profile()
    let read = try CalibrationProfile(parsing: text(profile))
    #expect(read.transform == profile.transform && read.transform.rootPolynomial != nil)
    #expect(read.input == .camera && read.make == "Maker" && read.model == "Model \"X\"")
    #expect(read.exposure == profile.exposure && read.duration == .continuous && read.noise == profile.noise)
    #expect(read.expectedError == profile.expectedError)
    for (read, written) in zip(read.colorErrors.squares, profile.colorErrors.squares) {
      #expect(abs(read - written) <= 0.00051)
    }
  }

  /// Members that this version does not know are somebody's notes.
  @Test func unknownMembersAreSkipped() throws {
    let profile = try profile()
    let read = try CalibrationProfile(parsing: text(profile) { $0.append(JSON.Member("note", ["by": "me"])) })
    #expect(read.transform == profile.transform)
  }

  @Test func noiseGrowsWithTheISO() throws {
    var profile = try profile()
    let noise = try #require(profile.noise)
    #expect(profile.noise(atISO: 51) == noise)
    let more = try #require(profile.noise(atISO: 102))
    #expect(abs(more.gain.y / noise.gain.y - 2) < 1e-5 && abs(more.floor.y / noise.floor.y - 4) < 1e-5)
    for iso in [nil, 0, -1, .nan, 12, 6400] as [Double?] { #expect(profile.noise(atISO: iso) == nil) }
    profile.input = .linearSRGB
    #expect(profile.noise(atISO: 51) == nil)
  }

  /// Profiles that know nothing by colour have their mean error for all colours.
  @Test func olderProfilesAreRead() throws {
    let profile = try profile()
    let read = try CalibrationProfile(parsing: text(profile) { $0.removeAll { $0.key == "colorErrors" } })
    #expect(read.colorErrors == ColorErrorMap(constant: Float(profile.expectedError)))
  }

  @Test func brokenProfilesSayWhy() throws {
    let profile = try profile()
    func error(_ bytes: [UInt8]) -> String? {
      do {
        _ = try CalibrationProfile(parsing: bytes)
        return nil
      } catch { return error.description }
    }
    func replaced(_ key: String, _ value: JSON) -> String? {
      error(
        text(profile) { members in members.indices.forEach { if members[$0].key == key { members[$0].value = value } } }
      )
    }
    #expect(error([])?.isEmpty == false)
    #expect(error(Array("{".utf8))?.contains("JSON") == true)
    #expect(error(Array("[1, 2]".utf8))?.contains("no calibration profile") == true)
    #expect(error([UInt8](repeating: UInt8(ascii: "["), count: 100_000))?.contains("deep") == true)
    #expect(replaced("format", "something else")?.contains("no calibration profile") == true)
    #expect(replaced("formatVersion", .integer(99))?.contains("newer") == true)
    #expect(replaced("input", "jpeg")?.contains("input") == true)
    #expect(replaced("transform", .null)?.contains("matrix") == true)
    #expect(replaced("flashDuration", .null)?.contains("flashDuration") == true)
    for version in [0, -3, 0.5] {
      #expect(replaced("formatVersion", .number(version))?.contains("never was") == true)
    }
    #expect(replaced("expectedError", .integer(-1))?.contains("expectedError") == true)
    #expect(replaced("expectedError", "small")?.contains("expectedError") == true)
    #expect(replaced("expectedError", .null) == nil)
    #expect(replaced("colorErrors", .numbers([1, 2, 3]))?.contains("colorErrors") == true)
    #expect(replaced("colorErrors", "none")?.contains("colorErrors") == true)
    #expect(replaced("colorErrors", .null) == nil)
    let zeros = JSON.numbers([Double](repeating: 0, count: 9))
    #expect(replaced("transform", ["matrix": zeros, "white": .numbers(SIMD3(1, 1, 1))])?.contains("singular") == true)
    let unit = JSON.numbers([1, 0, 0, 0, 1, 0, 0, 0, 1])
    func white(_ white: SIMD3<Double>) -> String? {
      replaced("transform", ["matrix": unit, "white": .numbers(white)])
    }
    #expect(white(SIMD3(1, 0, 1))?.contains("white") == true)
    #expect(white(SIMD3(1, 1e-300, 1))?.contains("white") == true)
    #expect(white(SIMD3(1, 1e300, 1))?.contains("white") == true)
    func polynomial(_ value: Double) -> String? {
      let coefficients = JSON.array([JSON](repeating: .numbers(SIMD3(repeating: value)), count: 6))
      return replaced(
        "transform",
        [
          "matrix": unit, "white": .numbers(SIMD3(1, 1, 1)),
          "rootPolynomial": ["degree": .integer(2), "coefficients": coefficients],
        ])
    }
    #expect(polynomial(1) == nil && polynomial(1e300)?.contains("rootPolynomial") == true)
    #expect(
      replaced("transform", ["matrix": unit, "white": .numbers(SIMD3(1, 1, 1)), "smallestRatio": "x"])?
        .contains("smallestRatio") == true)
  }

  @Test func relativeExposure() throws {
    var profile = try profile()
    let other = CalibrationProfile.Exposure(time: 1.0 / 15, iso: 102, fNumber: 3.6)
    // Twice the time, twice the gain, a quarter of the light.
    #expect(abs(profile.relativeExposure(of: other) - 1) < 1e-12)
    profile.duration = .strobe
    #expect(abs(profile.relativeExposure(of: other) - 0.5) < 1e-12)
    let unknown = CalibrationProfile.Exposure(time: nil, iso: nil, fNumber: nil)
    #expect(profile.relativeExposure(of: unknown) == 1)
  }
}
