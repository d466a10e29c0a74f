import Glibc

/// Libraries that operations use print warnings of their own to standard error, where only this program's errors belong.
enum StandardError {
  /// Runs `body`, while what is written to standard error is lost.
  static func withoutChatter<Result>(_ body: () throws -> Result) rethrows -> Result {
    let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if own >= 0, nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    defer {
      if own >= 0, nowhere >= 0 { dup2(own, STDERR_FILENO) }
      for descriptor in [own, nowhere] where descriptor >= 0 { close(descriptor) }
    }
    return try body()
  }
}
