import Calibration
import ColorScience
import ConstantColor
import Glibc
import JSONValue
import Raster
import TestSupport
import Testing

@Suite struct FlatFieldMeasurementTests {
  /// A white sheet by a small flash beside the lens (the law of cos⁴), with a lens that darkens blue more; and noise.
  private struct Sheet {
    var size = Rectangle(width: 400, height: 300)
    var orientation = Orientation.upright
    var level = 0.5
    var room = 0.1
    var tint = SIMD3(1.0, 1, 1)
    var change: (Int, Int) -> Double = { _, _ in 1 }

    func light(_ x: Int, _ y: Int) -> SIMD3<Double> {
      let place = SIMD2(Double(x) - 190, Double(y) - 160) / 200
      let square = (place * place).sum()
      let fall = 1 / ((1 + 0.3 * square) * (1 + 0.3 * square))
      return SIMD3(fall, fall, fall * (1 - 0.05 * square))
    }

    func measure() throws(FlatFieldError) -> FlatFieldMeasurement {
      var random = SplitMix(state: 5)
      let white = SIMD3(0.9, 1, 0.7)
      func frame(_ value: (Int, Int) -> SIMD3<Double>) -> Image {
        Image(size) { x, y in
          let value = value(x, y)
          let noise = SIMD3(random.normal(), random.normal(), random.normal())
          return Pixel(rgb: SIMD3<Float>(value + 0.004 * noise), alpha: 1)
        }
      }
      let room = room * white
      let ambient = frame { _, _ in room }
      let flash = frame { x, y in level * white * tint * light(x, y) * change(x, y) + room }
      var difference = flash
      for index in difference.pixels.indices {
        difference.pixels[index].x -= ambient.pixels[index].x
        difference.pixels[index].y -= ambient.pixels[index].y
        difference.pixels[index].z -= ambient.pixels[index].z
      }
      let matrix = RGBSpace.sRGB.toXYZ * Matrix3(diagonal: 1 / (0.5 * white))
      return try FlatFieldMeasurement(
        light: UprightSource(difference, orientation), flash: UprightSource(flash, orientation),
        ambient: UprightSource(ambient, orientation), roomLight: UprightSource(ambient, orientation),
        orientation: orientation, transform: CalibratedTransform(matrix: matrix, white: 0.5 * white))
    }
  }

  @Test(arguments: Orientation.allCases) func theLightIsFound(_ orientation: Orientation) throws {
    var sheet = Sheet()
    sheet.orientation = orientation
    let found = try sheet.measure()
    let centre = sheet.light(199, 149)
    var worst = 0.0
    for (x, y) in [(0, 0), (399, 0), (0, 299), (399, 299), (100, 150), (300, 40), (200, 290), (20, 140)] {
      let truth = sheet.light(x, y) / centre
      let place = FlatField.place(
        ofUpright: SIMD2(Double(x), Double(y)), width: 400, height: 300, orientation: .upright)
      let off = found.flatField.light(at: place) / truth - 1
      worst = max(worst, max(abs(off.x), abs(off.y), abs(off.z)))
    }
    #expect(worst < 0.005, "\(worst)")
    #expect(found.flatField.extent == SIMD2(1, 0.75))
    #expect(found.uniformity.before > 0.3 && found.uniformity.after < 0.01, "\(found.uniformity)")
  }

  @Test func whatIsNoSheetSaysSo() {
    func error(_ change: (inout Sheet) -> Void) -> FlatFieldError? {
      var sheet = Sheet()
      change(&sheet)
      do {
        _ = try sheet.measure()
        return nil
      } catch { return error }
    }
    guard case .clipped = error({ $0.level = 1.2 }) else { return #expect(Bool(false), "clipped") }
    guard case .dark = error({ $0.level = 0.01 }) else { return #expect(Bool(false), "dark") }
    guard case .bright = error({ ($0.level, $0.room) = (0.1, 0.4) }) else { return #expect(Bool(false), "bright") }
    guard case .colored = error({ $0.tint = SIMD3(1, 0.7, 0.3) }) else { return #expect(Bool(false), "coloured") }
    // A print on it, and a sheet that does not fill the frame.
    guard case .covered = error({ $0.change = { (100..<160).contains($0) && (80..<140).contains($1) ? 0.4 : 1 } })
    else {
      return #expect(Bool(false), "covered")
    }
    #expect(error { $0.change = { $0 < 40 || $0 > 350 || $1 < 30 ? 0.2 : 1 } } != nil)
    #expect(error { $0.change = { (($0 / 20) + ($1 / 20)) % 2 == 0 ? 0.5 : 1 } } != nil)
    #expect(error { $0.size = Rectangle(width: 8, height: 8) } == .tooSmall)
    for (sheet, text) in [(error { $0.level = 1.2 }, "overexposed"), (error { $0.level = 0.01 }, "nearer")] {
      #expect(sheet?.description.contains(text) == true)
    }
  }

  @Test func profilesKeepIt() throws {
    let result = try Characterisation(SimulatedCamera().chart(), reference: .colorChecker)
    var profile = CalibrationProfile(
      input: .camera, make: nil, model: nil, transform: result.transform,
      exposure: CalibrationProfile.Exposure(time: nil, iso: nil, fNumber: nil), duration: .strobe, noise: nil,
      expectedError: 1)
    func read(_ change: (JSON) -> JSON = { $0 }) throws -> CalibrationProfile {
      let members = profile.members.map { $0.key == "flatField" ? JSON.Member("flatField", change($0.value)) : $0 }
      return try CalibrationProfile(parsing: Array(JSON.object(members).text().utf8))
    }
    #expect(try read().flatField == nil)
    #expect(!profile.members.contains { $0.key == "flatField" })
    let measured = try Sheet().measure()
    profile.flatField = CalibrationProfile.MeasuredFlatField(
      field: measured.flatField, focalLength: 5.7, before: measured.uniformity.before, after: measured.uniformity.after)
    let back = try #require(try read().flatField)
    #expect(back.field == measured.flatField && back.focalLength == 5.7 && back.after == measured.uniformity.after)

    let damaged = [
      #""flat""#, #"{"degree": 6}"#, #"{"degree": 4, "extent": [1, 0.75], "coefficients": []}"#,
      #"{"degree": 6, "extent": [1, 0.75], "coefficients": [[1], [1], [1]]}"#,
    ].map { Array($0.utf8) }
    for value in damaged {
      #expect(throws: ProfileError.self) { _ = try read { _ in (try? JSON(parsing: value)) ?? .null } }
    }
  }
}
