import CGEGL
import Glibc
import Raster
import Synchronization

/// The GEGL library itself: starting it, and what holds for the whole process.
public enum Library {
  /// How a process uses GEGL.
  public struct Configuration: Sendable {
    /// The number of threads; nil: as many as there are processors (or `GEGL_THREADS`).
    public var threads: Int?
    /// How many bytes of tiles stay in memory before GEGL swaps them to disk; nil: GEGL's own choice.
    public var tileCacheBytes: UInt64?

    /// GEGL's own choices, unless changed.
    public init(threads: Int? = nil, tileCacheBytes: UInt64? = nil) {
      self.threads = threads
      self.tileCacheBytes = tileCacheBytes
    }
  }

  /// Starts GEGL, once for the process, with GPL-licensed operations allowed.
  ///
  /// `register` runs first, so that the operations it registers come before those of plug-ins. Later
  /// calls register further operations and change the configuration.
  ///
  /// The corresponding C function is `gegl_init`.
  public static func start(_ configuration: Configuration = Configuration(), register: () -> Void = {}) {
    Messages.listen()
    Structure.exclusively {
      register()
      if !isStarted {
        isStarted = true
        ignoreUnusableThreads()
        // Set after gegl_init, the licence would make GEGL read all its plug-ins again.
        cgegl_config_set_string("application-license", "GPL3")
        gegl_init(nil, nil)
      }
    }
    if let threads = configuration.threads {
      cgegl_config_set_int("threads", gint(clamping: min(max(1, threads), 64)))
    }
    if let bytes = configuration.tileCacheBytes { cgegl_config_set_uint64("tile-cache-size", guint64(bytes)) }
  }

  /// GEGL takes what is no number for no threads, and waits for them for ever.
  private static func ignoreUnusableThreads() {
    guard let text = getenv("GEGL_THREADS") else { return }
    if (Int(String(cString: text)) ?? 0) < 1 { unsetenv("GEGL_THREADS") }
  }

  /// Gives this thread and those to come room on their stacks; to be called before ``start(_:register:)``.
  ///
  /// Some operations keep a whole neighbourhood there: 64 MB at the radius of 1000 that they allow.
  public static func widenStacks() { cgegl_widen_stacks(120 << 20) }

  nonisolated(unsafe) private static var isStarted = false

  /// Throws where GEGL could not keep pixels, so that no picture of this process can be trusted any more: what does not fit into
  /// memory goes to its swap, and where the disk is full GEGL goes on with other pixels.
  public static func checkPixels() throws {
    guard Messages.tellOfLoss else { return }
    throw GEGLError(
      "pixels were lost, since the disk with GEGL's swap (\(swapFolder ?? "GEGL_SWAP")) is full; free some space there, name "
        + "another folder in GEGL_SWAP, or give more memory")
  }

  private static var swapFolder: String? {
    guard let path = cgegl_config_swap() else { return nil }
    defer { g_free(path) }
    return String(cString: path)
  }

  /// How many threads GEGL uses.
  public static var threads: Int { Int(cgegl_config_threads()) }

  /// The version of the GEGL library in use, such as "0.4.42".
  public static var version: String {
    var major: CInt = 0
    var minor: CInt = 0
    var micro: CInt = 0
    gegl_get_version(&major, &minor, &micro)
    return "\(major).\(minor).\(micro)"
  }

  /// Calls `body` on as many of GEGL's threads as have something to do, and returns when all turns, `0..<count`, were taken. GEGL's
  /// threads do one such thing at a time: where another thread has them, all is done on this one.
  ///
  /// The corresponding C function is `gegl_parallel_distribute`.
  public static func parallelFor(_ count: Int, _ body: (Turns) -> Void) {
    guard count > 0 else { return }
    withoutActuallyEscaping(body) { body in
      let job = Job(Turns(count), body)
      job.seen.store(1, ordering: .releasing)
      gegl_parallel_distribute(
        gint(clamping: count),
        { _, _, data in
          guard let data else { return }
          let job = Unmanaged<Job>.fromOpaque(data).takeUnretainedValue()
          _ = job.seen.load(ordering: .acquiring)
          job.body(job.turns)
          job.seen.add(1, ordering: .acquiringAndReleasing)
        }, Unmanaged.passUnretained(job).toOpaque())
      _ = job.seen.load(ordering: .acquiring)
    }
  }

  /// What all threads do. GEGL hands it over and waits by locks that the thread sanitizer does not see: the count says in its
  /// terms that whoever called is before the threads, and these before whatever comes next.
  private final class Job {
    let turns: Turns
    let body: (Turns) -> Void
    let seen = Atomic<Int>(0)

    init(_ turns: Turns, _ body: @escaping (Turns) -> Void) { (self.turns, self.body) = (turns, body) }
  }
}

/// An error of GEGL, or of how it was used: one sentence for people.
public struct GEGLError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The sentence.
  public let description: String

  /// An error with its sentence.
  public init(_ description: String) { self.description = description }
}
