import ConstantColorOperations
import GEGL
import GEGLOperation
import Glibc

/// How a command runs: options that all have.
struct RunningOptions {
  /// The threads to use, 1 to 64; nil for all processors.
  let threads: Int?
  /// The memory for pictures, in bytes.
  let memory: UInt64
  let isQuiet, isVerbose: Bool
  /// Whether progress is shown; nil where standard error is a terminal.
  let progress: Bool?

  init(_ arguments: Arguments) throws {
    threads = try arguments.wholeNumber("--threads", in: 1...64)
    memory = try arguments.value("--memory").map(Self.size) ?? Self.halfOfMemory
    isQuiet = arguments.has("--quiet")
    isVerbose = arguments.has("--verbose") && !isQuiet
    progress = isQuiet ? false : arguments.has("--progress") ? true : nil
  }

  /// Within another command, which has started the library, and speaks for both.
  static let withinAnother = RunningOptions()

  private init() {
    (threads, memory) = (nil, 0)
    (isQuiet, isVerbose, progress) = (true, false, false)
  }

  /// How many threads that are.
  var threadCount: Int { threads ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Starts GEGL with this project's operations. Throws where the system allows so little memory that nobody could say later what
  /// was wrong: GLib, GEGL's operations and Swift end the process, or never come back, where they get none.
  func startLibrary() throws {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < Self.leastAddresses {
      throw GEGLError(
        "the system allows \(limit.rlim_cur >> 20) MB of memory ('ulimit -v'), and at least \(Self.leastAddresses >> 20) MB are "
          + "needed; raise the limit")
    }
    Library.start(Library.Configuration(threads: threads, tileCacheBytes: memory)) {
      register(constantColorOperations)
    }
  }

  /// Bytes of addresses for libraries, the stacks and heaps of some threads, and a small pair.
  private static let leastAddresses: UInt = 1200 << 20

  private static func size(_ text: String) throws -> UInt64 {
    let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]
    var digits = text.uppercased()[...]
    if digits.hasSuffix("B") { digits.removeLast() }
    if digits.hasSuffix("I") { digits.removeLast() }
    let unit = digits.last.flatMap { units[$0] }
    if unit != nil { digits.removeLast() }
    let bytes = (Double(digits) ?? .nan) * (unit ?? 1)
    guard bytes >= 64 * 1_048_576, bytes <= 1e15 else {
      throw UsageError("'--memory' takes a size of at least 64M, such as 2G, not '\(text)'")
    }
    return UInt64(bytes)
  }

  private static var halfOfMemory: UInt64 {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    return pages > 0 && size > 0 ? UInt64(pages) * UInt64(size) / 2 : 1 << 30
  }
}

extension OptionSpecification {
  /// The options of ``RunningOptions``.
  static let running = [
    OptionSpecification("--threads", "N", "Threads, 1 to 64; default all processors."),
    OptionSpecification("--memory", "SIZE", "Memory for pictures, such as 2G or 512M; default half of the machine's."),
    OptionSpecification("--quiet", nil, "Prints nothing but errors."),
    OptionSpecification("--verbose", nil, "Prints what was found."),
    OptionSpecification("--progress", nil, "Shows progress also where standard error is no terminal."),
  ]
}
