import GEGL
import Glibc

extension Session {
  /// `!words`: runs the system's shell, which gets Ctrl-C alone while it runs.
  func runSystem(_ text: String, _ offset: Int) throws {
    guard !text.utf8.contains(0) else { throw Diagnostic(offset, "a command of the system has no zero characters") }
    fflush(nil)
    let status = try Self.waitIgnoringKeys { try spawn(text, offset) }
    // Stopped by Ctrl-C, as a person who watches it means all of it.
    if status & 0x7F == SIGINT { throw RenderingCancelled() }
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    guard code == 0 else { throw Diagnostic(offset, "the command ended with status \(code)") }
  }

  private func spawn(_ text: String, _ offset: Int) throws -> pid_t {
    var process = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = (["/bin/sh", "-c", text] as [String]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in Self.keys + [SIGPIPE, SIGXFSZ] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let failure = posix_spawn(&process, "/bin/sh", nil, &attributes, &arguments, environ)
    guard failure == 0 else {
      throw Diagnostic(offset, "the system's shell cannot be run: \(String(cString: strerror(failure)))")
    }
    return process
  }

  /// The signals of keys, which all processes at a terminal get.
  private static let keys = [SIGINT, SIGQUIT]

  /// The status with which a process ended, as `waitpid` gives it.
  private static func waitIgnoringKeys(_ start: () throws -> pid_t) rethrows -> Int32 {
    let former = keys.map { signal($0, SIG_IGN) }
    defer { for (number, handler) in zip(keys, former) { signal(number, handler) } }
    let process = try start()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
