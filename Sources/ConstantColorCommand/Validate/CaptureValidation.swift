import Validation

/// Develops a user's own pairs of a chart and judges them by the chart's colours.
final class CaptureValidation: PairValidation {
  private(set) var problems: [String] = []
  private(set) var notes: [String] = []
  var figures: ValidationFigures { ValidationFigures(version: version, settings: [], tolerance: 3) }

  init(_ folder: String, _ options: ValidateOptions, _ bar: ProgressBar) throws {
    throw UsageError("'--captures' is not available yet")
  }

  func run() throws {}
}
