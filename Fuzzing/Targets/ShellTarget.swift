import GEGL
import GEGLOperation
import Glibc
import GraphShell
import Photo

enum ShellTarget {
  /// Runs a script, and completes the beginnings of its statements.
  static func run(_ bytes: [UInt8]) {
    let script = String(decoding: bytes, as: UTF8.self)
    guard isHarmless(script) else { return }
    Scratch.file("none", [0]) { path in
      let session = try start(in: AtomicFile.folder(of: path))
      for entry in StatementReader.statements(in: script).prefix(40) {
        _ = session.complete(String(entry.text.prefix(entry.text.count / 2)))
        _ = session.complete(entry.text)
        do { try session.run(entry.text, script: "fuzz", line: entry.line) } catch is SessionEnd { return } catch {}
      }
    }
  }

  /// Whether it leaves the rest of the machine alone: no command of the system, no path that leads out of the folder.
  private static func isHarmless(_ script: String) -> Bool {
    !script.contains("!") && !script.contains("..") && !script.contains("/") && !script.contains("~")
      && !script.contains("%") && !script.contains("watch")
  }

  /// A session with the two small pictures of the examples, that works in a folder.
  static func start(in folder: String) throws -> Session {
    chdir(folder)
    let session = try Session()
    session.environment.execution = Run.execution
    session.environment.recover = Run.recover
    for entry in StatementReader.statements(in: CommandTable.exampleScript) {
      try session.run(entry.text, script: "start", line: entry.line)
    }
    return session
  }
}

enum GraphTarget {
  /// Opens a graph; what was opened can be saved.
  static func run(_ bytes: [UInt8]) {
    // No addresses on the network.
    guard !String(decoding: bytes, as: UTF8.self).contains("://") else { return }
    Scratch.file("graph.xml", bytes) { path in
      let session = try ShellTarget.start(in: AtomicFile.folder(of: path))
      try session.run("open \"graph.xml\"", script: "fuzz", line: 1)
      do { try session.run("save \"again.ccg\"", script: "fuzz", line: 2) } catch let error as ScriptError {
        preconditionFailure("what was opened cannot be saved: \(error)")
      }
    }
  }
}
