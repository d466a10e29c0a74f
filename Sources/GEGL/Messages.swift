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
    current.withLock {
      if collectors.isEmpty { previous = g_log_set_default_handler(collect, nil) }
      collectors.append(collector)
    }
    defer {
      current.withLock {
        collectors.removeAll { $0 === collector }
        if collectors.isEmpty, let handler = previous { g_log_set_default_handler(handler, nil) }
      }
    }
    let result = try body()
    return (result, current.withLock { collector.messages })
  }

  private final class Collector {
    let isExclusive: Bool
    var messages: [Message] = []

    init(isExclusive: Bool) { self.isExclusive = isExclusive }
  }

  private static let current = Lock()
  nonisolated(unsafe) private static var collectors: [Collector] = []
  nonisolated(unsafe) private static var previous: GLogFunc?

  private static let collect: GLogFunc = { domain, level, text, _ in
    guard
      level.rawValue & (G_LOG_LEVEL_ERROR.rawValue | G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue) != 0
    else { return }
    let message = Message(
      domain: domain.map { String(cString: $0) } ?? "", text: text.map { String(cString: $0) } ?? "")
    current.withLock {
      for collector in collectors.reversed() {
        collector.messages.append(message)
        if collector.isExclusive { break }
      }
    }
  }
}
