/// Times the steps of a command, in seconds.
public struct Stopwatch: Sendable {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  /// The finished steps, in order.
  public private(set) var laps: [(step: String, seconds: Double)] = []

  /// Starts it.
  public init() {
    start = clock.now
    last = start
  }

  /// Ends a step, which began where the one before ended.
  public mutating func lap(_ step: String) {
    let now = clock.now
    laps.append((step, Self.seconds(now - last)))
    last = now
  }

  /// The time since the beginning.
  public var total: Double { Self.seconds(clock.now - start) }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
