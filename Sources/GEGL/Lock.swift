import CGEGL

/// GEGL's registry of operations and the making of nodes, which GEGL does not guard against several
/// threads at once. Entered again by meta operations, which make nodes while a node is made.
enum Structure {
  nonisolated(unsafe) private static let mutex: UnsafeMutablePointer<GRecMutex> = {
    let mutex = UnsafeMutablePointer<GRecMutex>.allocate(capacity: 1)
    mutex.initialize(to: GRecMutex())
    g_rec_mutex_init(mutex)
    return mutex
  }()

  /// Runs `body` while no other thread changes the structure.
  static func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    g_rec_mutex_lock(mutex)
    defer { g_rec_mutex_unlock(mutex) }
    return try body()
  }
}

/// A mutual exclusion lock that needs no import but GLib's, so that a plug-in stays small.
///
/// The corresponding C type is `GMutex`.
public final class Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<GMutex>

  /// An unlocked lock.
  public init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: GMutex())
    g_mutex_init(mutex)
  }

  deinit {
    g_mutex_clear(mutex)
    mutex.deallocate()
  }

  /// Waits for the lock and takes it.
  public func lock() { g_mutex_lock(mutex) }

  /// Gives the lock back.
  public func unlock() { g_mutex_unlock(mutex) }

  /// Runs `body` while holding the lock.
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
