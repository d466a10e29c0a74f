import Calibration
import ConstantColor
import GEGL
import GEGLOperation
import Raster

/// Divides by what flash and lens make of an even surface.
struct FlatFieldOperation: PointFilter {
  static let name = "constant-color:flat-field"
  static let words = Words(
    title: "Flat Field",
    description:
      "The picture of a flat surface (input) as if flash and lens lit it evenly: divided, channel by channel, by the flat field "
      + "of a calibration profile. It holds at about the distance at which the white sheet was photographed. A profile without one "
      + "changes nothing."
  ).inGIMPFilters

  @Property(
    "profile", "A calibration profile with a flat field, as 'constant-color calibrate --flat-field' writes it",
    isPath: true)
  var profile: String
  let flatField = FlatFieldProperties()

  private var correction: FlatFieldCorrection?

  mutating func prepare(_ preparation: inout Preparation) {
    correction = nil
    // What is wrong with a profile is said by the steps that take its colours.
    guard flatField.isUsed, !profile.isEmpty, let calibration = try? ProfileFile.load(profile),
      let field = calibration.flatField?.field, let box = preparation.bounds(of: "input"),
      Reduction.factor(for: box, toAtMost: 1) != nil
    else { return }
    // Channels are those that were calibrated.
    if calibration.input == .linearSRGB, let sRGB = ColorSpace(named: "sRGB") {
      preparation.inputSpace = sRGB
      preparation.output = try? PixelFormat("RGBA float", space: sRGB)
    }
    correction = FlatFieldCorrection(field, box: box, orientation: Orientation(tag: flatField.orientation))
  }

  func process(_ input: Pixels, into output: MutablePixels, area: Rectangle) {
    guard let correction else {
      for index in 0..<min(input.count, output.count) { output[index] = input[index] }
      return
    }
    correction.process(input, into: output, area: area)
  }
}

/// Whether and how a profile's flat field is used.
struct FlatFieldProperties: PropertyGroup {
  @Property("flat-field", "Whether the profile's flat field is used, where it has one", true)
  var isUsed: Bool
  @Property(
    "orientation",
    "How the camera was held, as EXIF tells it of the flash frame (1 to 8), for the flat field; 1: as the sensor lies",
    1,
    in: 1...8)
  var orientation: Int
}
