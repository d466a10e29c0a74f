/// How highlights end: nothing below the knee is bent, and nothing above it is cut off.
///
/// Acts on the largest channel and scales the other two alike, so that hue and saturation stay; bending each
/// channel by itself would turn orange lamps yellow and skies cyan.
public enum HighlightRollOff {
  /// The value of the largest channel up to which a pixel stays as it is; 1 is the white of the output.
  public static let knee: Float = 0.9

  /// The curve for the largest channel: the value itself up to the knee; above it
  /// knee + (1 − knee) · t / (1 + t) with t = (value − knee) / (1 − knee). Continuous with its first
  /// derivative, strictly rising as far as floats can tell, and it never passes 1.
  @inlinable public static func compress(_ largest: Float) -> Float {
    guard largest > knee else { return largest }
    let t = (largest - knee) / (1 - knee)
    // Written so that an infinite t still has a value.
    return 1 - (1 - knee) / (1 + t)
  }
}
