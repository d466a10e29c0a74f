import Glibc

/// Another program while it runs; what it says goes nowhere.
public final class RunningCommand {
  private let process: pid_t
  private var status: Int32?

  /// Starts a program.
  public init(_ words: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    // The threads that tests run on hold signals back, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    let failure = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard failure == 0 else { throw SystemError(call: words[0], number: failure) }
    self.process = process
  }

  /// Starts this project's command.
  public convenience init(constantColor words: [String]) throws {
    try self.init([Built.folder + "/constant-color"] + words)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      wait()
    }
  }

  /// Sends a signal.
  public func send(_ signal: Int32) { kill(process, signal) }

  /// Waits for its end: the exit status, or 128 and the number of the signal.
  @discardableResult public func wait() -> Int32 {
    if let status { return status }
    var ended: Int32 = 0
    // One that hangs must not hang the tests.
    var count = 0
    while waitpid(process, &ended, WNOHANG) == 0 {
      usleep(20_000)
      count += 1
      if count == 50 * 120 { kill(process, SIGKILL) }
    }
    let result = ended & 0x7F == 0 ? ended >> 8 & 0xFF : 128 + ended & 0x7F
    status = result
    return result
  }
}

/// Waits until something holds, at most so many seconds; returns whether it does.
public func wait(upTo seconds: Int, until isTrue: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<(seconds * 50) {
    if try isTrue() { return true }
    usleep(20_000)
  }
  return try isTrue()
}
