import Development
import GEGL
import GEGLOperation
import Glibc
import Photo

/// `constant-color batch DIR`: every pair of a folder.
enum BatchCommand: Command {
  static let name = "batch"
  static let summary =
    "Finds the pairs in a folder and develops each; goes on where it was stopped, and leaves out what is done."
  static let operands = "DIR --output DIR"
  static let operandKind = OperandKind.folders
  static let options =
    [
      OptionSpecification(
        "--manifest", "FILE.csv",
        "A table of the pairs instead of a folder: columns flash, ambient (several), name, options; paths are relative to it."
      )
    ] + SeriesOptions.specifications
  static let footer = """
    example: constant-color batch captures --output developed --threshold 0.8

    Pairs are files with names as lamp_flash.dng and lamp_ambient.dng (or _noflash; lamp_ambient_1, _2 … for several), flash.* and
    ambient.* in a folder of their own, or, where names tell nothing, photographs of one camera within seconds, of which
    one says that its flash fired. A JPEG beside a RAW file is the same shot. What is not clear is reported, never guessed.

    For each pair NAME there are NAME.png, NAME_confidence.png and NAME_report.json; for all, report.csv, report.json
    and a contact sheet, index.html. What is finished is done again only if its files, options, or this program's version have
    changed; so the same command goes on after an interruption, however hard.

    Exit status: 0 done, 1 some pairs failed or files are broken or ambiguous (which counts more than 3), 2 wrong usage, or no
    pairs, 3 some are below the threshold: take them again, 130 stopped by Ctrl-C.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    let options = try SeriesOptions(arguments, takesManifest: true)
    let bar = ProgressBar(isWanted: options.running.progress)
    defer { bar.clear() }
    let found = try find(options, bar)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    guard !found.pairs.isEmpty else {
      bar.clear()
      for file in found.unpaired { printError("\(file.path): \(file.reason)") }
      throw InputError(
        "\(options.input ?? ""): holds no pairs; name their files NAME_flash.EXT and NAME_ambient.EXT, or list them with --manifest"
      )
    }
    let run = try SeriesRun(options, bar)
    run.take(found)
    do {
      while !run.isIdle, !Run.cancellation.isCancelled {
        try run.step()
        usleep(5000)
      }
      try run.stop()
    } catch {
      try? run.stop()
      throw error
    }
    return try SeriesSummary.tell(run, bar)
  }

  private static func find(_ options: SeriesOptions, _ bar: ProgressBar) throws -> PairFinder.Result {
    if let manifest = options.manifest {
      do {
        return PairFinder.Result(pairs: try PairManifest.read(manifest))
      } catch let error as ManifestError {
        for problem in error.problems.dropLast() { printError(problem) }
        throw InputError(error.problems.last ?? manifest)
      } catch { throw InputError(error) }
    }
    let files = try asInput { try SeriesFolder.list(options.input ?? "").files }
    var frames: [SeriesFrame] = []
    for (index, entry) in files.enumerated() {
      if Run.cancellation.isCancelled { break }
      bar.show("looking at \(files.count) files", Double(index) / Double(files.count))
      frames.append(SeriesFrame(entry.path, name: entry.name))
    }
    return options.finder.find(frames)
  }
}

/// What both commands say at the end.
enum SeriesSummary {
  /// Writes the reports, prints the summary, and says how the command ends.
  static func tell(_ run: SeriesRun, _ bar: ProgressBar) throws -> ExitStatus {
    bar.show("writing the reports")
    let report = SeriesReport(run)
    try report.write()
    bar.clear()
    for file in report.meant { printError("\(file.path): \(file.reason)") }
    if run.options.running.isVerbose {
      for file in report.unpaired where !file.kind.isFailure { printError("note: \(file.path): \(file.reason)") }
    }
    if !run.options.running.isQuiet { printLine("\(report.summary); see \(run.options.files.folder)/index.html") }
    return Run.cancellation.isCancelled ? .interrupted : report.status
  }
}
