/// Times the steps of a command, in seconds.
struct Stopwatch {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  /// The finished steps, in order.
  private(set) var laps: [(step: String, seconds: Double)] = []

  init() {
    start = clock.now
    last = start
  }

  /// Ends a step, which began where the one before ended.
  mutating func lap(_ step: String) {
    let now = clock.now
    laps.append((step, Self.seconds(now - last)))
    last = now
  }

  /// The time since the beginning.
  var total: Double { Self.seconds(clock.now - start) }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
