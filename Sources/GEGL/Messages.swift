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
  /// are not printed.
  public static func capture<Result>(_ body: () throws -> Result) rethrows -> (result: Result, messages: [Message]) {
    let collector = Collector()
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
    var messages: [Message] = []
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
    current.withLock { for collector in collectors { collector.messages.append(message) } }
  }
}
