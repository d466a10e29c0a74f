import CProcess
import Glibc

/// This program once more, for one job: what it does wrong concerns nobody else, and its memory is given back.
final class ChildProcess {
  /// How it ended.
  struct Ending {
    /// The exit status; nil where a signal ended it.
    var status: Int32?
    /// The signal that ended it.
    var signal: Int32?
    /// The most memory that it had, in bytes.
    var memory: UInt64
  }

  private let process: pid_t

  /// Starts it. Throws ``SystemFailure``.
  ///
  /// - Parameters:
  ///   - words: the command and its arguments.
  ///   - errors: the file that gets what it says.
  init(_ words: [String], errors: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    // A group of its own: Ctrl-C on the terminal reaches this process alone, which tells its children.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // And it hears what it is told, whatever this process was started to hold back.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = (["constant-color"] + words).map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("\(Self.parentVariable)=\(getpid())")]
    defer { free(variables.first ?? nil) }
    var entry = environ
    while let variable = entry.pointee {
      variables.append(variable)
      entry += 1
    }
    variables.append(nil)
    var process = pid_t()
    let failure = posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, &variables)
    guard failure == 0 else { throw SystemFailure("cannot start a process", failure) }
    self.process = process
  }

  /// How it ended; nil while it runs.
  func ending() -> Ending? {
    var status: Int32 = 0
    var usage = rusage()
    let result = wait4(process, &status, WNOHANG, &usage)
    guard result == process || (result < 0 && errno != EINTR) else { return nil }
    let memory = UInt64(max(0, usage.ru_maxrss)) * 1024
    guard result == process else { return Ending(status: 1, signal: nil, memory: 0) }
    let signal = status & 0x7F
    return signal == 0
      ? Ending(status: status >> 8 & 0xFF, signal: nil, memory: memory)
      : Ending(status: nil, signal: signal, memory: memory)
  }

  /// Asks it to end, or ends it.
  func send(_ signal: Int32) { kill(process, signal) }

  private static let parentVariable = "CONSTANT_COLOR_PARENT"

  /// In a child: ends it together with the process that started it, however that ends.
  static func endWithParent() throws {
    guard let text = getenv(parentVariable), let parent = Int32(String(cString: text)) else { return }
    unsetenv(parentVariable)
    guard process_end_with_parent(parent) else {
      throw SystemFailure("the process that started this one has ended", ECHILD)
    }
  }
}

/// A call of the operating system that failed.
struct SystemFailure: Error, CustomStringConvertible {
  let description: String

  init(_ what: String, _ number: Int32) {
    description = "\(what): \(String(cString: strerror(number)))"
  }
}
