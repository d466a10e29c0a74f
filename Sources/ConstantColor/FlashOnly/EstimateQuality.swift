import Raster

/// What the flash-only picture's alpha tells of a pixel: how well its colour was measured, whether both frames agree on it,
/// and from how near it was filled.
///
/// The three numbers share one float, which reads as the first to one part in 1024: of 24 bits, 10 hold the quality (1...1023),
/// 7 the agreement and 7 the nearness. It is always below 1.
struct EstimateQuality {
  /// s² / (s² + 9), where s is the signal-to-noise ratio of the colour after averaging; 1/256 where it is filled or clipped.
  var quality: Vector8
  /// 1 / (1 + (m / 0.1)²), where m is the relative mismatch of the flash's colours with those that the ambient frame leads to,
  /// as far as noise does not explain it. Something that moved is seen in other colours by both frames.
  var agreement: Vector8
  /// How much of the surroundings the flash lit, 0...1: elsewhere a filled colour rests on lights seen from afar.
  var nearness: Vector8

  /// The numbers of eight pixels.
  init(quality: Vector8, agreement: Vector8, nearness: Vector8) {
    (self.quality, self.agreement, self.nearness) = (quality, agreement, nearness)
  }

  /// Reads alpha; 1, which says nothing, is the best there is.
  init(alpha: Vector8) {
    let one = Vector8(repeating: 1)
    let isTold = alpha .< 1
    let scaled = alpha.greater(.zero).lesser(one) * Self.levels
    let level = scaled.rounded(.down)
    let rest = (scaled - level) * Self.steps
    let step = rest.rounded(.down)
    quality = (level * (1 / (Self.levels - 1))).replacing(with: 1, where: .!isTold)
    agreement = (step * (1 / (Self.steps - 1))).replacing(with: 1, where: .!isTold)
    nearness = ((rest - step) * (Self.steps / (Self.steps - 1))).lesser(one).replacing(with: 1, where: .!isTold)
  }

  /// All in one number below 1.
  var alpha: Vector8 {
    let level = (quality * (Self.levels - 1)).rounded(.toNearestOrEven).greater(Vector8(repeating: 1))
      .lesser(Vector8(repeating: Self.levels - 1))
    @inline(__always) func step(_ value: Vector8) -> Vector8 {
      (value.unit * (Self.steps - 1)).rounded(.toNearestOrEven)
    }
    return ((step(nearness) * (1 / Self.steps) + step(agreement)) * (1 / Self.steps) + level) * (1 / Self.levels)
  }

  private static let levels: Float = 1024
  private static let steps: Float = 128
  /// The relative mismatch, squared, at which agreement is ½.
  static let half: Float = 0.01

  /// The relative mismatch, squared.
  var contradiction: Vector8 { (1 / agreement.greater(Vector8(repeating: 0.004)) - 1) * Self.half }

  /// What agreement is left of a relative mismatch, squared.
  @inline(__always)
  static func agreement(_ contradiction: Vector8) -> Vector8 { 1 / (1 + contradiction * (1 / half)) }
}
