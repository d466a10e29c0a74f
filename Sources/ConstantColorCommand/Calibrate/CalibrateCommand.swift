import Calibration
import ColorScience
import ConstantColorOperations
import GEGL
import GEGLOperation
import Photo

/// `constant-color calibrate`: a photograph of a chart to a profile.
enum CalibrateCommand: Command {
  static let name = "calibrate"
  static let summary =
    "Makes a profile of a camera and a flash from a flash and a no-flash photograph of a 24-patch ColorChecker."
  static let operands = "--flash F --ambient A | --profile P.json --flat-field F A --output P.json"
  static let options = CalibrateOptions.specifications
  static let footer = """
    example: constant-color calibrate --flash chart_flash.dng --ambient chart_ambient.dng --output profile.json

    Let the chart fill a good part of the picture, lit evenly, with nothing clipped and no reflections on it.

    example: constant-color calibrate --profile profile.json --flat-field sheet_f.dng sheet_a.dng --output profile.json

    A flat field tells how flash and lens light a flat surface from where the sheet was taken. Other commands divide by it where the
    profile has one; --no-flat-field leaves it out.

    A table of your own chart (.csv) has its patches in the chart's order, row by row from dark skin, as
      reflectances, one wavelength a row:   wavelength,patch 1,...,patch 24
      reflectances, one patch a row:        name,380,390,...,730
      colours, one patch a row:             columns X,Y,Z (D65, 2°) or L,a,b (D50, ICC)
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    let options = try CalibrateOptions(arguments)
    try options.running.startLibrary()
    let bar = ProgressBar(isWanted: options.running.progress)
    if let path = options.profile, let sheet = options.sheet {
      bar.show("measuring the white sheet")
      let (flatField, messages) = try Messages.capture {
        try SheetMeasurement.add(sheet, toProfile: path, output: options.output, linear: options.isLinear)
      }
      bar.clear()
      guard !options.running.isQuiet else { return .done }
      printRemarks(messages: messages, isVerbose: options.running.isVerbose)
      printLine(
        "\(options.output): \(path) with a flat field" + (SheetMeasurement.summary(flatField).map { "\n" + $0 } ?? ""))
      return .done
    }
    let (calibrator, messages) = try Messages.capture { try Calibrator(options, bar) }
    let (_, later) = try Messages.capture { try calibrator.run() }
    bar.clear()
    if !options.running.isQuiet {
      printRemarks(
        findings: calibrator.findings, notes: calibrator.notes, messages: messages + later,
        isVerbose: options.running.isVerbose)
      printLine(calibrator.summary(isLong: options.running.isVerbose))
    }
    return .done
  }
}
