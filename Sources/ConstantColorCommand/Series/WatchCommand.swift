import Development
import GEGLOperation
import Glibc
import Photo

/// `constant-color watch DIR`: pairs as they arrive.
enum WatchCommand: Command {
  static let name = "watch"
  static let summary = "Develops the pairs in a folder, and those that arrive in it, until it is stopped."
  static let operands = "DIR --output DIR"
  static let operandKind = OperandKind.folders
  static let options =
    [
      OptionSpecification(
        "--idle", "SECONDS", "Stops when nothing has arrived, and nothing was left to do, for so long."),
      OptionSpecification(
        "--settle", "SECONDS", "How long a file must stay as it is before it is read, 0 to 3600; default 1."),
      OptionSpecification(
        "--patience", "SECONDS",
        "How long a file that is cut off is waited for before it counts as broken, 0 to 86400; default 20."),
    ] + SeriesOptions.specifications
  static let footer = """
    example: constant-color watch incoming --output developed

    Pairs, results and reports are those of 'constant-color batch', and so is what counts as finished: either command goes on
    with the other's folder. Ctrl-C stops it, with a summary. Files are read when they are whole: closed, or left alone for a
    while, and not cut off. A pair whose further frames arrive later is developed again with them.

    Exit status: as that of 'batch'; 130 where Ctrl-C stopped a development.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    let options = try SeriesOptions(arguments, takesManifest: false)
    let idle = try arguments.number("--idle", in: 0...1e6)
    let settle = try arguments.number("--settle", in: 0...3600) ?? 1
    let patience = try arguments.number("--patience", in: 0...86400) ?? 20
    let folder = options.input ?? ""
    _ = try asInput { try SeriesFolder.list(folder) }
    let bar = ProgressBar(isWanted: options.running.progress)
    defer { bar.clear() }
    let run = try SeriesRun(options, bar)
    let watch = try FolderWatch()
    var arriving = ArrivingFiles(settle: .seconds(settle), patience: .seconds(max(settle, patience)))
    var frames: [SeriesFrame]?
    var (lastScan, lastEvent) = (ContinuousClock.now, ContinuousClock.now)
    var written = -1
    var isStale = true
    do {
      while !Run.cancellation.isCancelled {
        // Looked at now and then in any case: some file systems tell nothing.
        let age = ContinuousClock.now - lastScan
        if (isStale || arriving.isWaiting) && age > .milliseconds(100) || age > .seconds(10) || frames == nil {
          let listing = try asInput { try SeriesFolder.list(folder) }
          try watch.add(listing.folders)
          let current = arriving.frames(listing.files, writing: watch.writing)
          if current != frames ?? [] || frames == nil {
            run.take(options.finder.find(current))
            lastEvent = .now
          }
          (frames, lastScan, isStale) = (current, .now, false)
        }
        try run.step()
        if !run.isIdle || arriving.isWaiting { lastEvent = .now }
        if run.isIdle, !arriving.isWaiting {
          if written != run.developed {
            bar.clear()
            try SeriesReport(run).write()
            written = run.developed
          }
          if let idle, ContinuousClock.now - lastEvent >= .seconds(idle) { break }
          bar.show("\(run.outcomes.count) pairs; waiting for files in \(folder)")
        }
        if watch.wait(milliseconds: run.isIdle ? 100 : 10) { (isStale, lastEvent) = (true, .now) }
      }
    } catch {
      try? run.stop()
      throw error
    }
    let isBusy = !run.isIdle
    try run.stop()
    bar.clear()
    let status = try SeriesSummary.tell(run, bar)
    // Ctrl-C is how it is meant to end.
    return status == .interrupted && !isBusy ? SeriesReport(run).status : status
  }
}
