import GEGL
import GEGLOperation
import Glibc
import Photo

/// What stops a command.
enum Interruption {
  /// The exit status of a command that was stopped, as shells tell it: 128 and the number of the signal.
  static var status: Int32 { 128 + number }

  nonisolated(unsafe) private static var number = SIGINT

  /// Ctrl-C, and being asked to end, stop the running kernel; what was being written does not appear.
  static func cancels() {
    _ = Run.cancellation
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        // The second one ends the process at once.
        if Run.cancellation.isCancelled { _exit(128 + number) }
        Interruption.number = number
        Run.cancellation.cancel()
      }
    }
    receiveSignals([SIGINT, SIGTERM, SIGHUP])
  }
}

/// Whoever starts this program may have blocked signals, which it would inherit.
private func receiveSignals(_ numbers: [Int32]) {
  var mask = sigset_t()
  sigemptyset(&mask)
  for number in numbers { sigaddset(&mask, number) }
  pthread_sigmask(SIG_UNBLOCK, &mask, nil)
}

/// What whoever starts this program has left to chance.
enum Surroundings {
  /// To be called before anything is opened.
  static func prepare() {
    // Where standard output is closed, the next file that is opened would take its place, and get what is printed.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
    // A limit on the size of files and a reader who has gone are errors of writing, not the end: results still appear.
    for number in [SIGXFSZ, SIGPIPE] { signal(number, SIG_IGN) }
    ReadingFaults.survive()
    // GLib has no other answer than the end to a lack of memory. Files appear when they are whole, so that none is left.
    Messages.atFatalError { message in
      let isMemory = message.text.contains("allocate") || message.text.contains("thread")
      printError(
        isMemory
          ? "there is not enough memory; close other programs, or use smaller photographs"
          : "\(message.domain): \(message.text)")
      _exit(ExitStatus.failed.rawValue)
    }
  }
}

/// The signals of the graph shell, in which operations run that nobody can stop in the middle.
enum ShellSignals {
  /// The exit status that a request to end asks for; nil where there was none.
  static var endStatus: Int32? { requested == 0 ? nil : 128 + requested }

  /// Ctrl-C stops what runs and says so at once; the second ends the program. A request to end does that, too, and ends a
  /// process that does not come back from what it computes.
  static func handle() {
    _ = Run.cancellation
    isTerminal = isatty(STDERR_FILENO) != 0
    // Of its own, since standard error is elsewhere while some libraries work.
    let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    descriptor = own >= 0 ? own : STDERR_FILENO
    signal(SIGINT) { _ in
      if Run.cancellation.isCancelled { _exit(130) }
      Run.cancellation.cancel()
      ShellSignals.tell()
    }
    for number in [SIGTERM, SIGHUP] {
      signal(number) { number in
        ShellSignals.requested = number
        Run.cancellation.cancel()
        alarm(ShellSignals.grace)
      }
    }
    signal(SIGALRM) { _ in _exit(128 + ShellSignals.requested) }
    receiveSignals([SIGINT, SIGTERM, SIGHUP, SIGALRM])
  }

  nonisolated(unsafe) private static var requested: Int32 = 0
  nonisolated(unsafe) private static var isTerminal = false
  nonisolated(unsafe) private static var descriptor = STDERR_FILENO
  /// Seconds from a request to end to the end of what does not hear it.
  private static let grace: UInt32 = 2

  /// What a handler may do: one write of bytes that are there already.
  private static func tell() {
    let text: StaticString =
      isTerminal
      ? "\r\u{1B}[Kstopping; Ctrl-C again ends the program\n" : "stopping; Ctrl-C again ends the program\n"
    let before = errno
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
    errno = before
  }
}
