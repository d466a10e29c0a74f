/// Which seeds are for what, so that nothing is judged by scenes that it was tuned on.
public enum SeedRange {
  /// For tuning, such as that of the confidence.
  public static let tuning: Range<UInt64> = 0..<1_000_000
  /// For judging, as `validate` does: up to the largest whole number that options take without rounding.
  public static let judging: ClosedRange<UInt64> = 1_000_000...9_000_000_000_000_000
}
