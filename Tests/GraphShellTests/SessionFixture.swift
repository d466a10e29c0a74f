import ConstantColorOperations
import GEGL
import GEGLOperation
import GraphShell
import Raster
import TestSupport

/// A session whose results are kept, as a person would see them.
final class SessionFixture {
  private static let started: Void = Library.start { register(constantColorOperations) }
  let session: Session
  private(set) var printed: [String] = []
  private var line = 0

  init(_ script: String = "") throws {
    Self.started
    session = try Session()
    session.environment.print = { [unowned self] in printed.append($0) }
    session.environment.execution = Run.execution
    session.environment.recover = Run.recover
    try run(script)
  }

  /// Two small pictures, `a` and `b`.
  static func pictures() throws -> SessionFixture { try SessionFixture(CommandTable.exampleScript) }

  /// Runs statements; the line numbers go on.
  func run(_ script: String) throws {
    for entry in StatementReader.statements(in: script) {
      try session.run(entry.text, script: "test", line: line + entry.line)
    }
    line += script.split(separator: "\n", omittingEmptySubsequences: false).count
  }

  /// Runs statements and returns what they print.
  func output(_ script: String) throws -> String {
    printed = []
    try run(script)
    return printed.joined(separator: "\n")
  }

  /// Runs a statement that must fail; its error, with the line counted from 1.
  func error(_ statement: String) -> String {
    do {
      for entry in StatementReader.statements(in: statement) {
        try session.run(entry.text, script: "test", line: entry.line)
      }
      return "no error"
    } catch { return "\(error)" }
  }

  /// The graph as a script, without its first line.
  var script: String {
    ScriptText.script(session.document).split(separator: "\n").dropFirst().joined(separator: "\n")
  }
}
