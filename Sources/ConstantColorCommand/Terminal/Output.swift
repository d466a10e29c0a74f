import Glibc

/// How a command ends.
enum ExitStatus: Int32 {
  /// Done.
  case done = 0
  /// Processing failed.
  case failed = 1
  /// Wrong usage or unreadable input.
  case usage = 2
  /// Done, but the confidence is below the threshold: take the photographs again.
  case retake = 3
  /// Stopped by Ctrl-C; by another signal the process ends with ``Interruption/status``.
  case interrupted = 130
}

/// Writes a text and a line end to standard output.
func printLine(_ text: String) { write(printable(text) + "\n", to: STDOUT_FILENO) }

/// Writes one line to standard error, headed by the program's name.
func printError(_ text: String) {
  let line = printable(text.split(whereSeparator: \.isNewline).joined(separator: " "))
  write("constant-color: \(line)\n", to: STDERR_FILENO)
}

/// A text that moves no cursor and reads in the order in which it stands, whatever files say of themselves.
func printable(_ text: String) -> String {
  var text = text
  text.unicodeScalars.removeAll { scalar in
    (scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t")
      || scalar.properties.isBidiControl
  }
  return text
}

/// Writes a text to a file descriptor, whole.
func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

/// Whether all was printed that was to be.
enum StandardOutput {
  nonisolated(unsafe) fileprivate static var failure: Int32?

  /// Whether something could not be printed.
  static var hasFailed: Bool { failure != nil }

  /// The status of a command that would end with `status`, had all been printed that was to be.
  static func checked(_ status: ExitStatus) -> ExitStatus {
    guard let failure, status == .done || status == .retake else { return status }
    // Whoever reads wanted no more: that is no news to anybody, but the status tells.
    if failure != EPIPE {
      printError(
        "standard output: cannot be written: \(String(cString: strerror(failure))); what was to be printed is lost")
    }
    return .failed
  }
}

/// Writes bytes to a file descriptor, all of them.
func write(_ bytes: [UInt8], to descriptor: Int32) {
  var start = 0
  bytes.withUnsafeBytes { memory in
    while start < memory.count {
      let count = Glibc.write(descriptor, memory.baseAddress.map { $0 + start }, memory.count - start)
      if count < 0, errno != EINTR {
        if descriptor == STDOUT_FILENO { StandardOutput.failure = errno }
        return
      }
      start += max(0, count)
    }
  }
}

/// Text broken at spaces so that no line is longer than `width`.
func wrapped(_ text: String, width: Int, indent: String = "") -> String {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, indent.count + line.count + 1 + word.count > width {
      lines.append(indent + line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  if !line.isEmpty { lines.append(indent + line) }
  return lines.joined(separator: "\n")
}

/// The columns of the terminal, or 100 where there is none.
var terminalWidth: Int {
  var size = winsize()
  guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 40 else { return 100 }
  return min(Int(size.ws_col), 120)
}
