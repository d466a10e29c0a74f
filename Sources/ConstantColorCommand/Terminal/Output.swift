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
  /// Stopped by Ctrl-C.
  case interrupted = 130
}

/// Writes a text and a line end to standard output.
func printLine(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

/// Writes one line to standard error, headed by the program's name.
func printError(_ text: String) {
  var line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
  // What files say of themselves must not move the cursor.
  line.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
  write("constant-color: \(line)\n", to: STDERR_FILENO)
}

/// Writes a text to a file descriptor, whole.
func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

/// Writes bytes to a file descriptor, all of them.
func write(_ bytes: [UInt8], to descriptor: Int32) {
  var start = 0
  bytes.withUnsafeBytes { memory in
    while start < memory.count {
      let count = Glibc.write(descriptor, memory.baseAddress.map { $0 + start }, memory.count - start)
      if count < 0, errno != EINTR { return }
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
