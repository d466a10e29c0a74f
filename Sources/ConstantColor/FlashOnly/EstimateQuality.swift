import Raster

/// What the flash-only picture's alpha tells of a pixel: how well its colour was measured, and whether both frames agree on it.
///
/// Both numbers share one float, which reads as the first to one part in 4096: alpha = (n + 0.999 · agreement) / 4096, where
/// n = 1...4095 stands for the quality n / 4095.
struct EstimateQuality {
  /// s² / (s² + 9), where s is the signal-to-noise ratio of the colour after averaging; 1/256 where it is filled or clipped.
  var quality: Vector8
  /// 1 / (1 + (m / 0.1)²), where m is the relative mismatch of the flash's colours with those that the ambient frame leads to,
  /// as far as noise does not explain it. Something that moved is seen in other colours by both frames.
  var agreement: Vector8

  /// The numbers of eight pixels.
  init(quality: Vector8, agreement: Vector8) {
    (self.quality, self.agreement) = (quality, agreement)
  }

  /// Reads alpha; 1, which says nothing, is agreement.
  init(alpha: Vector8) {
    let scaled = alpha.greater(.zero).lesser(Vector8(repeating: 1)) * Self.steps
    let whole = scaled.rounded(.down)
    let isTold = alpha .< 1
    quality = (whole * (1 / (Self.steps - 1))).replacing(with: 1, where: .!isTold)
    agreement = ((scaled - whole) * (1 / Self.share)).lesser(Vector8(repeating: 1)).replacing(with: 1, where: .!isTold)
  }

  /// Both in one number below 1.
  var alpha: Vector8 {
    let level = (quality * (Self.steps - 1)).rounded(.toNearestOrEven).greater(Vector8(repeating: 1))
      .lesser(Vector8(repeating: Self.steps - 1))
    return (level + agreement.unit * Self.share) * (1 / Self.steps)
  }

  private static let steps: Float = 4096
  private static let share: Float = 0.999
  /// The relative mismatch, squared, at which agreement is ½.
  static let half: Float = 0.01

  /// The relative mismatch, squared.
  var contradiction: Vector8 { (1 / agreement.greater(Vector8(repeating: 1e-3)) - 1) * Self.half }

  /// What agreement is left of a relative mismatch, squared.
  @inline(__always)
  static func agreement(_ contradiction: Vector8) -> Vector8 { 1 / (1 + contradiction * (1 / half)) }
}
