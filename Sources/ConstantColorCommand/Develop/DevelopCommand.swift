import Development
import GEGL
import Photo

/// `constant-color develop`: one pair to one constant-colour picture.
enum DevelopCommand: Command {
  static let name = "develop"
  static let summary =
    "Develops a flash and a no-flash photograph of one scene into a picture of it in the flash's light alone, under D65."
  static let operands = "--flash F --ambient A --output OUT"
  static let options = DevelopOptions.specifications
  static let footer = """
    example: constant-color develop --flash flash.jpg --ambient ambient.jpg --output result.png --report -

    Exit status: 0 done, 1 processing failed, 2 wrong usage or unreadable input, 3 done, but below the threshold.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try ChildProcess.endWithParent()
    Interruption.cancels()
    let options = try DevelopOptions(arguments)
    // GEGL takes a while to start, and so do RAW files.
    let files = try OpenedPair(flash: options.flash, ambients: options.ambients)
    try options.running.startLibrary()
    let bar = ProgressBar(isWanted: options.running.progress)
    let (development, messages) = try Messages.capture { try Development(options, bar, files: files) }
    let (status, later) = try Messages.capture { try development.run() }
    bar.clear()
    if !options.running.isQuiet {
      printRemarks(
        findings: development.findings, notes: development.notes, messages: messages + later,
        isVerbose: options.running.isVerbose)
    }
    if options.running.isVerbose { development.printSummary() }
    return status
  }
}
