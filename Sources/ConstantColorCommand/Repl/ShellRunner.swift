import Development
import GEGL
import GEGLOperation
import Glibc
import GraphShell
import Photo
import TerminalPicture

/// A session of the graph shell and where its statements come from.
final class ShellRunner {
  static let options = [
    OptionSpecification(
      "-e", "LINE", isRepeatable: true,
      "Runs a line, after SCRIPT and instead of prompting; may be given several times."),
    OptionSpecification("--keep-going", nil, "Goes on after an error; the exit status tells that there was one."),
    OptionSpecification("-X", nil, "Without the statements of ~/.config/constant-color/rc, which 'run' never reads."),
  ]

  let session: Session
  private let bar: ProgressBar
  private let keepsGoing: Bool
  private let scripts: [(name: String, text: String)]
  private let lines: [String]
  private let readsInput: Bool
  private let usesStartFile: Bool
  /// Whether a person types at a terminal.
  let isInteractive: Bool
  private(set) var hasFailed = false

  /// Checks the words of the command, reads the scripts, and starts GEGL.
  ///
  /// - Parameter isReplacingPrompt: only scripts, as `run` does it.
  init(_ arguments: Arguments, isReplacingPrompt: Bool) throws {
    var variables: [(String, String)] = []
    var names: [String] = []
    for operand in arguments.operands {
      let parts = operand.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, !parts[0].contains("/"), !parts[0].contains(".") {
        variables.append((parts[0], parts[1]))
      } else {
        names.append(operand)
      }
    }
    guard names.count <= 1 else { throw UsageError("'\(names[1])' is one script too many; 'source FILE' runs others") }
    lines = arguments.all("-e")
    guard !isReplacingPrompt || names.count == 1 || !lines.isEmpty else {
      throw UsageError("the script is missing: constant-color run SCRIPT name=value..., or -e LINE")
    }
    keepsGoing = arguments.has("--keep-going")
    // Standard input is a script like others, where it is asked for.
    scripts = try names.filter { $0 != "-" }.map { name in try asInput { (name, try ScriptFile.read(name)) } }
    let isTerminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
    isInteractive = !isReplacingPrompt && lines.isEmpty && isTerminal && names != ["-"]
    readsInput = names == ["-"] || (!isReplacingPrompt && lines.isEmpty && (names.isEmpty || isInteractive))
    usesStartFile = !isReplacingPrompt && !arguments.has("-X")

    ShellSignals.handle()
    Library.widenStacks()
    let running = try RunningOptions(arguments)
    try running.startLibrary()
    let bar = ProgressBar(isWanted: running.progress)
    self.bar = bar
    var environment = SessionEnvironment()
    environment.print = { text in
      bar.clear()
      printLine(text)
    }
    environment.note = { text in
      bar.clear()
      printError(text)
    }
    environment.progress = { step, fraction in step.isEmpty ? bar.clear() : bar.show(step, fraction) }
    environment.execution = Run.execution
    environment.recover = Run.recover
    environment.width = { terminalWidth }
    environment.isInteractive = isInteractive
    environment.screen = { TerminalScreen(wanted: $0) }
    environment.draw = { bytes in
      bar.clear()
      write(bytes, to: STDOUT_FILENO)
    }
    environment.version = version
    session = try Session(environment)
    for (name, value) in variables {
      do { try session.setVariable(name, value) } catch { throw UsageError("\(error); write name=value") }
    }
  }

  /// Runs everything in its order.
  func run() throws -> ExitStatus {
    do {
      if usesStartFile, let path = XDG.configuration("rc"), let text = try? TextFile.read(path, as: "statements") {
        try run(text, path)
      }
      for script in scripts { try run(script.text, script.name) }
      if readsInput, !isInteractive { try runInput() }
      for (index, line) in lines.enumerated() { try run(line, "-e", firstLine: index + 1) }
      if isInteractive { try Prompt(self).run() }
    } catch let end as SessionEnd {
      // Not the command's own statuses alone: a script may end with any.
      if end.status != 0 { exit(end.status) }
    } catch is StoppedAtError {
      return .failed
    } catch is RenderingCancelled {
      if let status = ShellSignals.endStatus { exit(status) }
      throw RenderingCancelled()
    }
    return hasFailed && !isInteractive ? .failed : .done
  }

  /// Thrown at the first error, unless told to go on.
  private struct StoppedAtError: Error {}

  private func run(_ text: String, _ script: String, firstLine: Int = 1) throws {
    for entry in StatementReader.statements(in: text) {
      try perform(entry.text, script: script, line: entry.line + firstLine - 1)
    }
  }

  /// Runs the statements of standard input as they come.
  private func runInput() throws {
    var reader = StatementReader()
    let input = InputLines()
    while let line = try input.next() {
      guard let entry = reader.add(line) else { continue }
      try perform(entry.text, script: "stdin", line: entry.line)
    }
    if let entry = reader.finish() { try perform(entry.text, script: "stdin", line: entry.line) }
  }

  private func perform(_ statement: String, script: String, line: Int) throws {
    do {
      try session.run(statement, script: script, line: line)
    } catch let error as ScriptError {
      bar.clear()
      write(printable(error.description) + "\n", to: STDERR_FILENO)
      hasFailed = true
      // At a prompt, what comes before it is only reported.
      guard keepsGoing || isInteractive else { throw StoppedAtError() }
    }
    bar.clear()
    // Nobody reads what would follow.
    if StandardOutput.hasFailed { throw StoppedAtError() }
  }

  /// Takes the progress away before something else is shown.
  func clearProgress() { bar.clear() }
}

/// Where files of this program belong (XDG Base Directory Specification).
enum XDG {
  /// A file of settings; nil where there is no home.
  static func configuration(_ name: String) -> String? { path("XDG_CONFIG_HOME", "/.config", name) }
  /// A file that a session leaves for the next.
  static func state(_ name: String) -> String? { path("XDG_STATE_HOME", "/.local/state", name) }

  private static func path(_ variable: String, _ standard: String, _ name: String) -> String? {
    if let folder = getenv(variable).map({ String(cString: $0) }), folder.hasPrefix("/") {
      return "\(folder)/constant-color/\(name)"
    }
    guard let home = getenv("HOME").map({ String(cString: $0) }), !home.isEmpty else { return nil }
    return "\(home)\(standard)/constant-color/\(name)"
  }
}
