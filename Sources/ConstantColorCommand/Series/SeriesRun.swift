import Development
import GEGLOperation
import Glibc
import Photo

/// Develops the pairs of a series, several at a time, and knows what has become of each.
final class SeriesRun {
  let options: SeriesOptions
  private let bar: ProgressBar
  private let journal: Journal
  private let lock: FolderLock
  /// What was found last.
  private(set) var found = PairFinder.Result()
  /// What has become of pairs, by their names.
  private(set) var outcomes: [String: PairOutcome] = [:]
  private var keys: [String: String] = [:]
  private var queue: [PhotoPair] = []
  private var running: [SeriesJob] = []
  private var jobCount = 0
  private var doneHere = 0
  /// How much more than expected a job has needed.
  private var excess = 1.0
  private var start: ContinuousClock.Instant?
  private var isStopping = false

  /// Prepares the folder. Throws where another run has it, or it cannot be written.
  init(_ options: SeriesOptions, _ bar: ProgressBar) throws {
    self.options = options
    self.bar = bar
    lock = try options.begin()
    journal = try Journal(options.files.journal)
  }

  /// Whether nothing is left to do.
  var isIdle: Bool { queue.isEmpty && running.isEmpty }

  /// How many pairs were developed by this run.
  var developed: Int { doneHere }

  // MARK: what there is to do

  /// Takes the pairs that there are now: those that are not finished are queued.
  func take(_ result: PairFinder.Result) {
    found = result
    keys = [:]
    var owners: [String: String] = [:]
    queue = []
    for pair in result.pairs {
      var outcome: PairOutcome?
      do {
        keys[pair.name] = try key(of: pair)
        let taken = options.files.all(pair.name).compactMap { owners[$0.name] }.first
        if let taken {
          throw InputError("the files of its results would be those of \(taken); rename one of the two")
        }
        for file in options.files.all(pair.name) { owners[file.name] = pair.name }
      } catch {
        keys[pair.name] = ""
        outcome = PairOutcome(name: pair.name, key: "", status: .failed, message: "\(error)", seconds: 0)
        if outcomes[pair.name]?.message != outcome?.message { complain(pair.name, "\(error)") }
      }
      if let outcome {
        outcomes[pair.name] = outcome
      } else if !isFinished(pair) {
        outcomes[pair.name] = nil
        if !running.contains(where: { $0.pair.name == pair.name }) { queue.append(pair) }
      }
    }
    let names = Set(result.pairs.map(\.name))
    for name in outcomes.keys where !names.contains(name) { outcomes[name] = nil }
  }

  /// Everything that a pair's results depend on, as a text: the same text, the same results.
  private func key(of pair: PhotoPair) throws -> String {
    let words = try options.words(for: pair)
    var parts = [version, options.files.ending, options.files.hasFallback ? "fallback" : ""] + words
    parts += ([pair.flash] + pair.ambients).map { FileIdentity.text(of: $0) }
    if let place = words.firstIndex(of: "--profile"), words.indices.contains(place + 1) {
      parts.append(FileIdentity.text(of: words[place + 1]))
    }
    return parts.joined(separator: "\n")
  }

  private func isFinished(_ pair: PhotoPair) -> Bool {
    if let outcome = outcomes[pair.name], outcome.key == keys[pair.name] { return true }
    guard let outcome = journal.earlier[pair.name], outcome.key == keys[pair.name],
      outcome.isIntact(in: options.files.folder)
    else { return false }
    if outcome.status == .failed {
      guard outcome.isFinal, !options.retries else { return false }
      complain(pair.name, outcome.message ?? "failed")
    }
    outcomes[pair.name] = outcome
    return true
  }

  // MARK: doing it

  /// Takes in what has finished and starts what there is room for; never waits. Throws where the journal cannot be written.
  func step() throws {
    for job in running {
      guard let ending = job.ending() else { continue }
      running.removeAll { $0 === job }
      try finish(job, ending)
    }
    while !isStopping, !Run.cancellation.isCancelled, startNext() {}
    showProgress()
  }

  private func finish(_ job: SeriesJob, _ ending: ChildProcess.Ending) throws {
    if job.memory > 0 { excess = max(excess, Double(ending.memory) / Double(job.memory) * excess) }
    // What was stopped has not failed.
    let isWhole = ending.status == ExitStatus.done.rawValue || ending.status == ExitStatus.retake.rawValue
    if isStopping || Run.cancellation.isCancelled, !isWhole { return job.discard() }
    let outcome = job.finish(ending)
    try journal.add(outcome)
    doneHere += 1
    guard let key = keys[job.pair.name] else { return }
    guard key == job.key else {
      // Its files have changed meanwhile.
      if let pair = found.pairs.first(where: { $0.name == job.pair.name }) { queue.append(pair) }
      return
    }
    outcomes[job.pair.name] = outcome
    if let message = outcome.message { complain(outcome.name, message) }
    if options.running.isVerbose, outcome.message == nil {
      bar.clear()
      printError("\(outcome.name): \(outcome.status.rawValue)")
    }
  }

  /// Starts a pair; false where there is no room, or none is left.
  private func startNext() -> Bool {
    guard let pair = queue.first else { return false }
    let need = Self.memory(for: pair, excess: excess)
    let fitting = Int(clamping: options.running.memory / max(need, 1))
    let most = min(options.jobs ?? options.running.threadCount, max(1, fitting))
    guard running.isEmpty || running.count < most else { return false }
    let inUse = running.reduce(UInt64(0)) { $0 + $1.memory }
    guard running.isEmpty || inUse + need <= options.running.memory else { return false }
    queue.removeFirst()
    // The last ones of a series have the machine for themselves.
    let together = max(1, min(most, running.count + 1 + queue.count))
    jobCount += 1
    if start == nil { start = .now }
    do {
      running.append(
        try SeriesJob(
          pair, key: keys[pair.name] ?? "", words: options.words(for: pair), files: options.files, number: jobCount,
          threads: max(1, options.running.threadCount / together),
          cache: options.running.memory / UInt64(together) / 4 * 3, memory: need))
    } catch {
      outcomes[pair.name] = PairOutcome(
        name: pair.name, key: keys[pair.name] ?? "", status: .failed, message: "\(error)", isFinal: false, seconds: 0)
      complain(pair.name, "\(error)")
    }
    return true
  }

  /// What a pair needs: measured with frames of 3 megapixels, 440 MB at the most where nothing has to be written to disk.
  private static func memory(for pair: PhotoPair, excess: Double) -> UInt64 {
    let file = try? PictureFile.inspect(pair.flash)
    let pixels = Double(file?.width ?? 0) * Double(file?.height ?? 0)
    let more = 16 * Double(max(0, pair.ambients.count - 1))
    return UInt64((100e6 + pixels * (130 + more)) * excess)
  }

  /// Stops what runs, and waits for it.
  func stop() throws {
    isStopping = true
    for job in running { job.send(SIGTERM) }
    let end = ContinuousClock.now + .seconds(10)
    while !running.isEmpty {
      try step()
      if ContinuousClock.now > end { for job in running { job.send(SIGKILL) } }
      usleep(5000)
    }
  }

  // MARK: telling about it

  private func complain(_ name: String, _ message: String) {
    bar.clear()
    printError("\(name): \(message)")
  }

  private func showProgress() {
    let all = found.pairs.count
    let finished = outcomes.count
    guard all > 0, !isIdle else { return }
    let failed = outcomes.values.count { $0.status == .failed }
    var text = "\(finished) of \(all) pairs"
    if failed > 0 { text += ", \(failed) failed" }
    if let start, doneHere > 0, finished < all {
      let elapsed = ContinuousClock.now - start
      let left = elapsed / doneHere * (all - finished)
      text += ", " + Self.text(left.components.seconds) + " left"
    }
    bar.show(text, Double(finished) / Double(all))
  }

  /// "40 s", "12 min", "3 h 5 min".
  static func text(_ seconds: Int64) -> String {
    if seconds < 60 { return "\(seconds) s" }
    let minutes = (seconds + 30) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
