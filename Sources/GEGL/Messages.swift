import CGEGL

/// What GEGL and its operations have to say while they work: they report failures as messages of
/// GLib, not as errors.
public enum Messages {
  /// A warning or worse, as GLib delivered it.
  public struct Message: Sendable, Equatable {
    /// Who said it ("GEGL", "GEGL-png-load.c", "GLib-GObject"...).
    public let domain: String
    /// What was said.
    public let text: String
  }

  /// Runs `body` and returns, with its result, what was said meanwhile by any thread. The messages
  /// are not printed. `exclusively`: whoever captures around this does not receive them.
  public static func capture<Result>(
    exclusively: Bool = false, _ body: () throws -> Result
  ) rethrows -> (result: Result, messages: [Message]) {
    let collector = Collector(isExclusive: exclusively)
    listen()
    current.withLock { collectors.append(collector) }
    defer { current.withLock { collectors.removeAll { $0 === collector } } }
    let result = try body()
    return (result, current.withLock { collector.messages })
  }

  /// Begins to hear what is said, for the rest of the process: warnings that nobody captures are printed as before.
  static func listen() { _ = isListening }

  private static let isListening: Bool = {
    previous = g_log_set_default_handler(collect, nil)
    return true
  }()

  /// Whether GEGL has said that it could not keep a tile of some picture, and so has lost pixels: the disk with its swap is full,
  /// or broken. It goes on with other pixels.
  static var tellOfLoss: Bool { current.withLock { haveToldOfLoss } }

  /// Has `body` called with the message with which GLib is about to end the process, such as that there is no memory; a program
  /// may end itself there in its own way.
  public static func atFatalError(_ body: @escaping @Sendable (Message) -> Void) { lastWords = body }

  nonisolated(unsafe) private static var lastWords: (@Sendable (Message) -> Void)?

  private final class Collector {
    let isExclusive: Bool
    var messages: [Message] = []

    init(isExclusive: Bool) { self.isExclusive = isExclusive }
  }

  private static let current = Lock()
  nonisolated(unsafe) private static var collectors: [Collector] = []
  nonisolated(unsafe) private static var previous: GLogFunc?
  nonisolated(unsafe) private static var haveToldOfLoss = false

  private static let collect: GLogFunc = { domain, level, text, data in
    let severe = G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue
    // Which modules GEGL leaves out, and the like.
    guard level.rawValue & severe != 0 else { return }
    let message = Message(
      domain: domain.map { String(cString: $0) } ?? "", text: text.map { String(cString: $0) } ?? "")
    let isHeard = current.withLock {
      if message.domain == "GEGL", message.text.contains(" tile") { haveToldOfLoss = true }
      for collector in collectors.reversed() {
        collector.messages.append(message)
        if collector.isExclusive { break }
      }
      return !collectors.isEmpty
    }
    // GLib ends the process after this: no memory, no threads.
    if level.rawValue & G_LOG_LEVEL_ERROR.rawValue != 0 { lastWords?(message) }
    if !isHeard { previous?(domain, level, text, data) }
  }
}
