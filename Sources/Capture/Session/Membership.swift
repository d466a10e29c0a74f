/// What ties a device or an output to a session: it belongs to one at a time.
struct Membership {
  private(set) weak var session: CaptureSession?

  /// Enters a session; false where it belongs to another.
  mutating func enter(_ other: CaptureSession) -> Bool {
    guard session == nil || session === other else { return false }
    session = other
    return true
  }

  /// Leaves it.
  mutating func leave() { session = nil }
}
