import Calibration
import ConstantColor
import Development
import GEGL
import GEGLOperation
import JSONValue
import Photo
import Raster
import TextOutput

/// The flat field of a profile, from a pair of photographs of a white sheet.
enum SheetMeasurement {
  /// Writes a profile with a flat field beside all that it had. Throws ``InputError`` for a sheet that is none.
  static func add(
    _ sheet: (flash: String, ambient: String), toProfile path: String, output: String, linear: Bool
  ) throws -> CalibrationProfile.MeasuredFlatField {
    let profile = try PairDevelopment.profile(path)
    let flatField = try flatField(
      flash: sheet.flash, ambient: sheet.ambient, for: profile, named: path, linear: linear)
    let document: JSON
    do { document = try JSON(parsing: ByteFile.read(path, as: "a calibration profile", atMost: 1 << 24)) } catch {
      throw InputError(error)
    }
    guard case .object(let members) = document else { throw InputError("\(path): is no calibration profile") }
    let others = members.filter { $0.key != "flatField" }
    try JSON.object(others + [JSON.Member("flatField", flatField.json)]).write(to: output)
    return flatField
  }

  /// Measures the sheet.
  ///
  /// - Parameters:
  ///   - profile: the one that it is for.
  ///   - path: the profile's name, for messages.
  /// - Throws: ``InputError``, `RenderingCancelled`.
  static func flatField(
    flash: String, ambient: String, for profile: CalibrationProfile, named path: String, linear: Bool
  ) throws -> CalibrationProfile.MeasuredFlatField {
    let pair = try LoadedPair(flash: flash, ambients: [ambient], linear: linear)
    let findings = PairCheck.findings(flash: Report.Frame(pair.flash), ambients: [Report.Frame(pair.ambient)])
    if let worst = findings.first, worst.severity == .error { throw InputError(worst.message) }
    try PairDevelopment.check(profile, named: path, for: pair.flash, isCamera: pair.isCameraRGB)
    // A plain sheet has nothing that tells the room's light from the flash's.
    guard let ratio = ExposureRatioHint(flash: pair.flash.metadata, ambient: pair.ambient.metadata)?.ratio else {
      throw InputError("\(flash): says no exposure, which a white sheet's flat field needs; use the camera's own files")
    }
    let graph = try Graph()
    let steps = try pair.steps(in: graph, exposureRatio: ratio)
    try steps.set("align", "none")
    let format = try pair.measuredFormat()
    let result: FlatFieldMeasurement
    do {
      result = try FlatFieldMeasurement(
        light: NodeSource(steps.subtract, format: format), flash: pair.flash.frame(), ambient: pair.ambient.frame(),
        roomLight: NodeSource(steps.match, format: format), orientation: pair.flash.metadata.orientation,
        transform: profile.transform, execution: Run.execution)
    } catch let error as FlatFieldError {
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      throw InputError("\(flash): \(error)")
    }
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return CalibrationProfile.MeasuredFlatField(
      field: result.flatField, focalLength: pair.flash.metadata.focalLength, before: result.uniformity.before,
      after: result.uniformity.after)
  }

  /// One line for people.
  static func summary(_ flatField: CalibrationProfile.MeasuredFlatField) -> String? {
    guard let before = flatField.before, let after = flatField.after else { return nil }
    return "flat field: the sheet's light is uneven by \(percent(before)), divided by it by \(percent(after))"
  }
}
