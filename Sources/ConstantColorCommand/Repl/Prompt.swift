import CReadline
import GEGL
import GEGLOperation
import Glibc
import GraphShell

/// The prompt on a terminal: reads statements, runs them, and stays whatever happens.
final class Prompt {
  private let runner: ShellRunner
  private let history = History()
  private static let first = "cc> "
  private static let following = "..> "

  init(_ runner: ShellRunner) { self.runner = runner }

  /// Reads and runs until the end. Throws `SessionEnd`.
  func run() throws {
    let history = history
    runner.session.environment.history = { history.lines }
    Completer.session = runner.session
    line_editor_start("constant-color", Completer.complete, nil)
    for line in history.lines { line_editor_remember(line) }
    printLine("constant-color \(version), GEGL \(Library.version). 'help' tells what can be typed; Ctrl-D leaves.")
    var reader = StatementReader()
    while true {
      var text: UnsafeMutablePointer<CChar>?
      switch line_editor_read(reader.isOpen ? Self.following : Self.first, &text) {
      case LINE_READ:
        guard let text else { return }
        defer { free(text) }
        for line in String(cString: text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
          guard let entry = reader.add(String(line)) else { continue }
          try perform(entry.text)
        }
      case LINE_INTERRUPTED: reader.discard()
      case LINE_TERMINATED: throw SessionEnd(status: 128 + line_editor_signal())
      default:
        printLine("")
        return
      }
    }
  }

  private func perform(_ statement: String) throws {
    guard !statement.allSatisfy(\.isWhitespace) else { return }
    history.add(statement)
    line_editor_remember(history.lines.last ?? "")
    do {
      try runner.session.run(statement, script: "", line: 1)
      runner.clearProgress()
    } catch let error as ScriptError {
      runner.clearProgress()
      show(error, statement)
    } catch is RenderingCancelled {
      runner.clearProgress()
      if let status = ShellSignals.endStatus { throw SessionEnd(status: status) }
      Run.recover()
      write("stopped\n", to: STDERR_FILENO)
    }
  }

  /// Shows an error below its place.
  private func show(_ error: ScriptError, _ statement: String) {
    guard error.script.isEmpty else {
      return write(printable(error.description) + "\n", to: STDERR_FILENO)
    }
    var text = printable(error.message)
    if statement.contains("\n") {
      text = "line \(error.line), column \(error.column): \(text)"
    } else if error.column + Self.first.count <= terminalWidth {
      text = String(repeating: " ", count: Self.first.count + error.column - 1) + "^\n" + text
    }
    write(text + "\n", to: STDERR_FILENO)
  }
}
