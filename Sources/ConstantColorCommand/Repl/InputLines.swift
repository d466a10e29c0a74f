import Development
import GEGL
import GEGLOperation
import Glibc

/// The lines of standard input, as they come.
final class InputLines {
  private var bytes: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// Longer lines are no statements: what follows one of them is not read any more.
  private static let longest = 1 << 20

  /// The next line without its end; nil when there are no more. Throws `RenderingCancelled` when asked to stop, and what is wrong
  /// with a line that never ends.
  func next() throws -> String? {
    while true {
      if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return text(start..<end)
      }
      guard bytes.count - start <= Self.longest else { throw InputError("stdin: a line is too long for a statement") }
      guard !isAtEnd else {
        defer { start = bytes.count }
        return start < bytes.count ? text(start..<bytes.count) : nil
      }
      try fill()
    }
  }

  private func text(_ range: Range<Int>) -> String {
    var line = bytes[range]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  private func fill() throws {
    bytes.removeFirst(start)
    start = 0
    // Waiting in poll: unlike read, it returns when a signal comes.
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    if poll(&input, 1, -1) < 0 {
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      return
    }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { isAtEnd = true }
  }
}
