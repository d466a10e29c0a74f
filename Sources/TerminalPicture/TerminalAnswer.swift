import Glibc
import Synchronization

/// What a terminal says of itself when asked: its attributes (DA1), and the size of a character cell (XTWINOPS 16).
public struct TerminalAnswer: Sendable {
  /// Whether it says that it draws sixels.
  public private(set) var hasSixels = false
  /// The width and height of a cell in pixels; nil where it does not say.
  public private(set) var cell: (width: Int, height: Int)?

  /// The answers among the bytes that came.
  public init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let start = rest.firstIndex(of: 0x1B) {
      rest = rest[(start + 1)...]
      guard rest.first == UInt8(ascii: "[") else { continue }
      rest = rest.dropFirst()
      let body = rest.prefix { !(0x40...0x7E).contains($0) }
      guard rest.endIndex > body.endIndex else { return }
      let text = String(decoding: body, as: UTF8.self)
      let numbers = text.drop { $0 == "?" }.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      switch rest[body.endIndex] {
      case UInt8(ascii: "c") where text.hasPrefix("?"): hasSixels = numbers.dropFirst().contains(4)
      case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6:
        if (1...512).contains(numbers[1]), (1...512).contains(numbers[2]) { cell = (numbers[2], numbers[1]) }
      default: break
      }
      rest = rest[body.endIndex...]
    }
  }

  /// What the terminal answered when it was first asked. Whoever does not answer in time is not asked again: a late answer
  /// would be taken for something typed.
  static func known(input: Int32, output: Int32) -> TerminalAnswer? {
    first.withLock { first in
      if let first { return first.answer }
      guard isAskable(input, output) else { return nil }
      let answer = ask(input: input, output: output)
      first = FirstAnswer(answer: answer)
      return answer
    }
  }

  private struct FirstAnswer { let answer: TerminalAnswer? }
  private static let first = Mutex<FirstAnswer?>(nil)

  /// Not where somebody has typed already, since what was typed must not be lost, and not in the background.
  private static func isAskable(_ input: Int32, _ output: Int32) -> Bool {
    isatty(input) != 0 && isatty(output) != 0 && tcgetpgrp(input) == getpgrp() && !isReady(input, 0)
  }

  /// Asks a terminal, and waits for a tenth of a second. Nil where it does not answer.
  private static func ask(input: Int32, output: Int32) -> TerminalAnswer? {
    var before = termios()
    guard tcgetattr(input, &before) == 0 else { return nil }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(input, TCSANOW, &raw) == 0 else { return nil }
    defer { tcsetattr(input, TCSANOW, &before) }
    // Every terminal answers the second question, so that nobody waits where the first one is not known.
    let question = Array("\u{1B}[16t\u{1B}[c".utf8)
    guard Glibc.write(output, question, question.count) == question.count else { return nil }
    var bytes: [UInt8] = []
    let end = milliseconds() + 100
    while bytes.count < 256 {
      let left = end - milliseconds()
      guard left > 0, isReady(input, Int32(left)) else { break }
      var byte: UInt8 = 0
      guard read(input, &byte, 1) == 1 else { break }
      bytes.append(byte)
      if byte == UInt8(ascii: "c"), bytes.contains(UInt8(ascii: "?")) { return TerminalAnswer(bytes) }
    }
    return bytes.isEmpty ? nil : TerminalAnswer(bytes)
  }

  private static func isReady(_ descriptor: Int32, _ timeout: Int32) -> Bool {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, timeout) == 1 && event.revents & Int16(POLLIN) != 0
  }

  private static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
