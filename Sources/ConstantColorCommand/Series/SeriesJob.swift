import Glibc
import Photo

/// The development of one pair of a series, by a process of its own.
final class SeriesJob {
  let pair: PhotoPair
  let key: String
  /// What it is expected to need, in bytes.
  let memory: UInt64
  private let files: SeriesFiles
  private let folder: String
  private let child: ChildProcess
  private let start = ContinuousClock.now

  /// Starts it. Throws what keeps it from starting.
  init(
    _ pair: PhotoPair, key: String, words: [String], files: SeriesFiles, number: Int, threads: Int, cache: UInt64,
    memory: UInt64
  ) throws {
    (self.pair, self.key, self.files, self.memory) = (pair, key, files, memory)
    folder = "\(files.work)/\(number)"
    try makeFolder(folder)
    var line = ["develop", "--flash", pair.flash]
    for ambient in pair.ambients { line += ["--ambient", ambient] }
    line += ["--output", "\(folder)/result\(files.ending)", "--confidence", "\(folder)/confidence\(files.ending)"]
    if files.hasFallback { line += ["--fallback", "\(folder)/fallback\(files.ending)"] }
    line += ["--report", "\(folder)/report.json", "--preview", "\(folder)/preview.jpg"]
    line += words + ["--threads", "\(threads)", "--memory", "\(max(64, cache >> 20))M", "--quiet"]
    child = try ChildProcess(line, errors: folder + "/errors")
  }

  /// How it ended; nil while it runs.
  func ending() -> ChildProcess.Ending? { child.ending() }

  /// Asks it to end, or ends it.
  func send(_ signal: Int32) { child.send(signal) }

  /// Removes what it wrote.
  func discard() { Folder.remove(folder) }

  /// Puts what it wrote into place, and tells what became of the pair.
  func finish(_ ending: ChildProcess.Ending) -> PairOutcome {
    defer { discard() }
    let duration = (ContinuousClock.now - start).components
    let seconds = Double(duration.seconds) + Double(duration.attoseconds) * 1e-18
    func failed(_ message: String, isFinal: Bool) -> PairOutcome {
      PairOutcome(
        name: pair.name, key: key, status: .failed, message: message, isFinal: isFinal, seconds: seconds)
    }
    guard let status = ending.status else {
      let signal = ending.signal ?? 0
      let hint = signal == SIGKILL ? "; perhaps there was too little memory, try fewer --jobs" : ""
      return failed("the development was ended by signal \(signal)" + hint, isFinal: false)
    }
    guard status == ExitStatus.done.rawValue || status == ExitStatus.retake.rawValue else {
      return failed(complaint ?? "failed with exit status \(status)", isFinal: status == ExitStatus.usage.rawValue)
    }
    do {
      let written = try place()
      return PairOutcome(
        name: pair.name, key: key, status: status == 0 ? .done : .retake, seconds: seconds, files: written)
    } catch {
      return failed("\(error)", isFinal: false)
    }
  }

  /// What the process said, without the program's name.
  private var complaint: String? {
    guard let text = try? TextFile.read(folder + "/errors", as: "messages") else { return nil }
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    guard let last = lines.last(where: { $0.hasPrefix("constant-color: ") }) ?? lines.last else { return nil }
    return last.hasPrefix("constant-color: ") ? String(last.dropFirst("constant-color: ".count)) : last
  }

  private func place() throws -> [(name: String, size: Int)] {
    var written: [(name: String, size: Int)] = []
    var folders = Set<String>()
    for file in files.all(pair.name) {
      try files.makeFolders(around: file.name)
      let (from, to) = ("\(folder)/\(file.temporary)", "\(files.folder)/\(file.name)")
      guard rename(from, to) == 0 else { throw SystemFailure("\(to): cannot be written", errno) }
      folders.insert(String(to[..<(to.lastIndex(of: "/") ?? to.startIndex)]))
      written.append((file.name, FileIdentity(to).size))
    }
    folders.forEach(SeriesFiles.flush)
    return written
  }
}
