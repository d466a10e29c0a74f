import GEGL

/// Colour spaces made from what files say, each once.
///
/// babl 0.1 keeps a hundred spaces and a hundred curves for the life of a process and fails badly at the next
/// one. A run meets a few; a folder of damaged files could meet any number. A profile may bring three curves, and
/// the spaces of results need some.
enum ColorSpaceBudget {
  private static let most = 24
  private static let lock = Lock()
  nonisolated(unsafe) private static var spaces: [UInt64: ColorSpace?] = [:]

  /// The space with this fingerprint, made at its first use; nil where it cannot be made.
  static func space(_ fingerprint: UInt64, make: () -> ColorSpace?) -> ColorSpace? {
    lock.withLock {
      if let known = spaces[fingerprint] { return known }
      guard spaces.count < most else { return nil }
      let made = make()
      spaces[fingerprint] = .some(made)
      return made
    }
  }

  /// Whether somebody else may make the space with this fingerprint.
  static func admits(_ fingerprint: UInt64) -> Bool {
    lock.withLock {
      if spaces[fingerprint] != nil { return true }
      guard spaces.count < most else { return false }
      spaces[fingerprint] = .some(nil)
      return true
    }
  }

  /// FNV-1a.
  static func fingerprint(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
