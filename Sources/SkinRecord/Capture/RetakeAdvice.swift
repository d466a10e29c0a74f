import Photo

/// What to change when photographs are taken again.
public struct RetakeAdvice: Equatable, Sendable {
  /// What is wrong, for programs.
  public enum Kind: String, Sendable {
    case glare, movement
    case roomLight = "room-light"
    case distance
    case flash, exposure, unknown
  }

  /// What is wrong.
  public var kind: Kind
  /// What to do: one sentence for the person with the camera.
  public var message: String

  init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  /// What the pictures tell.
  struct Clues {
    /// The room's light over the flash's in the regions.
    var roomOverFlash = 0.0
    /// Whether the frame with flash is the brighter one, beyond what exposure explains.
    var hasFlash = true
    /// How bright the regions are by the flash, as reflectance at the chart's place; nil without a profile.
    var flashLevel: Double?
    /// The flash frame's sensitivity.
    var iso: Double?
    /// What alignment left, in pixels.
    var residual: Double?
    /// Whether the frames hardly show the same.
    var hasMoved = false
    /// What was found about the pair.
    var kinds: [Finding.Kind] = []
    /// The clipped part of the regions.
    var glare = 0.0
  }

  /// The reasons why a record is not good enough, the likeliest first; empty where it is.
  static func of(_ record: SkinRecord, _ clues: Clues) -> [RetakeAdvice] {
    let isUseless = record.regions.allSatisfy { $0[.hue]?.value == nil }
    guard record.isBelowThreshold || isUseless else { return [] }
    var advice: [RetakeAdvice] = []
    if !clues.hasFlash || clues.kinds.contains(where: { [.swapped, .sameFile, .flash].contains($0) }) {
      advice.append(
        RetakeAdvice(
          .flash,
          "the two photographs are not one with flash and one without: look whether the flash fired, and name "
            + "them the right way round"))
    }
    if clues.glare > 0.02 {
      advice.append(
        RetakeAdvice(
          .glare,
          "the skin shines (\(Int((100 * clues.glare).rounded())) % of the region is overexposed): tilt the "
            + "camera a little, "
            + "dry the skin, or go a little further away"))
    }
    if clues.hasMoved || (clues.residual ?? 0) > 1 {
      advice.append(
        RetakeAdvice(
          .movement,
          "something moved between the photographs: rest the arm and the camera, and take both in "
            + "rapid succession"))
    }
    if clues.roomOverFlash > Self.muchRoomLight {
      let isFar = (clues.flashLevel ?? 1) < Self.weakFlash
      if isFar { advice.append(RetakeAdvice(.distance, "the flash is weak at the skin: go closer")) }
      advice.append(
        RetakeAdvice(
          .roomLight,
          "there is \(Self.times(clues.roomOverFlash)) as much light from the room as from the flash: switch "
            + "lamps off, close the "
            + "blinds" + (isFar ? "" : ", or go closer")))
    } else if (clues.flashLevel ?? 1) < Self.weakFlash || (clues.iso ?? 0) >= 3200 {
      advice.append(RetakeAdvice(.distance, "the flash is weak at the skin: go closer"))
    }
    if clues.kinds.contains(where: { [.exposure, .lens, .camera, .size, .time].contains($0) }) {
      advice.append(
        RetakeAdvice(
          .exposure,
          "the two photographs were not taken alike: same camera, lens and settings, one right after "
            + "the other"))
    }
    if advice.isEmpty {
      advice.append(
        RetakeAdvice(
          .unknown,
          "much of the picture cannot be trusted: fill it with the skin, so that little background is in it, "
            + "and take both "
            + "photographs in less light from the room"))
    }
    return advice
  }

  /// From here on the exposure ratio's error shows.
  private static let muchRoomLight = 0.7
  /// Of what a white surface has at the chart's place.
  private static let weakFlash = 0.05

  private static func times(_ ratio: Double) -> String {
    guard ratio < 1e4 else { return "far more than a thousand times" }
    let tenths = Int((ratio * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) times"
  }
}
