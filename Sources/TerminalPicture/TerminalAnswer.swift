import Glibc

/// What a terminal says of itself when asked: its attributes (DA1), and the size of a character cell (XTWINOPS 16).
struct TerminalAnswer: Equatable {
  /// Whether it says that it draws sixels.
  private(set) var hasSixels = false
  /// The width and height of a cell in pixels; nil where it does not say.
  private(set) var cell: (width: Int, height: Int)?

  /// The answers among the bytes that came.
  init(_ bytes: [UInt8]) {
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

  static func == (one: TerminalAnswer, other: TerminalAnswer) -> Bool {
    one.hasSixels == other.hasSixels && one.cell?.width == other.cell?.width && one.cell?.height == other.cell?.height
  }

  /// Asks a terminal, and waits for a tenth of a second. Nil where it does not answer, where somebody has typed already
  /// (what was typed must not be lost), or where this process is in the background.
  static func ask(input: Int32, output: Int32) -> TerminalAnswer? {
    guard isatty(input) != 0, isatty(output) != 0, tcgetpgrp(input) == getpgrp(), !isReady(input, 0) else { return nil }
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
