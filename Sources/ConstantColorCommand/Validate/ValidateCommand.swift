import Development
import GEGL
import Photo
import Simulation
import Validation

/// `constant-color validate`: how true the results are.
enum ValidateCommand: Command {
  static let name = "validate"
  static let summary =
    "Measures how constant and how right the colours are, and how far the confidence can be believed, on pairs of which "
    + "the truth is known."
  static let operands = "[--output DIR] [--set DIR | --captures DIR]"
  static let options = ValidateOptions.specifications
  static let footer = """
    example: constant-color validate --output validation

    Renders the pairs of the reference protocol (10 to 800 lux, 3000 to 7500 K, white, green and magenta; a chart, skin,
    other things), from a tripod and from the hand, develops them with a profile made of one more pair, and compares with
    the truth. Seeds from 1000000 on are for judging: nothing in this program was tuned on them.

    --captures takes pairs of one chart under several lights: NAME_flash.EXT and NAME_ambient.EXT (or -flash, -ambient), or
    folders NAME with flash.EXT and ambient.EXT.

    Exit status: 0 done, 1 a pair could not be judged (the others were), 2 wrong usage or unreadable input.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    let options = try ValidateOptions(arguments)
    try options.running.startLibrary()
    // Read here, so that what is wrong with it is said once and not of every pair.
    if let profile = options.profile { _ = try PairDevelopment.profile(profile) }
    if let output = options.output { try makeFolder(output) }
    let bar = ProgressBar(isWanted: options.running.progress)
    let validation: any PairValidation
    switch options.source {
    case .simulation(let simulation): validation = SimulatedValidation(simulation, options, bar)
    case .set(let folder):
      do {
        validation = try SetValidation(SimulationSet(reading: folder), options, bar, results: options.results)
      } catch {
        throw InputError(error)
      }
    case .captures(let folder): validation = try CaptureValidation(folder, options, bar)
    }
    defer { bar.clear() }
    let messages: [Messages.Message]
    do {
      (_, messages) = try Messages.capture { try validation.run() }
    } catch {
      bar.clear()
      for problem in validation.problems { printError(problem) }
      throw error
    }
    bar.clear()
    for problem in validation.problems { printError(problem) }
    if options.running.isVerbose { printRemarks(notes: validation.notes, messages: messages, isVerbose: true) }
    try ValidationOutput.write(validation.figures, options)
    if let path = options.samples { try validation.samples.write(to: path) }
    return validation.problems.isEmpty ? .done : .failed
  }
}

/// Develops pairs and judges them.
protocol PairValidation: AnyObject {
  /// Develops and measures all pairs. Throws where nothing at all can be measured.
  func run() throws
  var figures: ValidationFigures { get }
  /// What kept a pair from being judged; one line each.
  var problems: [String] { get }
  /// What else the user may want to know.
  var notes: [String] { get }
  /// What the confidence is made of, where that was asked for.
  var samples: TermSamples { get }
}
