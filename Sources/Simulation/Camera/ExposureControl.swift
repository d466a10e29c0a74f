import Glibc

/// How a camera chooses exposure time and ISO.
///
/// A white surface at the centre comes to 3/4 of saturation; time first, then ISO, in the steps that files can tell.
public struct ExposureControl: Equatable, Sendable {
  /// The lowest and the highest ISO.
  public var isoRange = 50.0...6400.0
  /// The longest exposure time in seconds.
  public var longestTime = 1.0 / 15
  /// What part of saturation a white surface at the centre reaches in the channel that reaches most.
  public var level = 0.75
  /// Illuminance × time × ISO / (f-number)² at which a white surface in daylight saturates green, in lx·s.
  public static let saturation = 200.0

  /// The usual control.
  public init() {}

  /// An exposure as files tell it.
  public struct Exposure: Equatable, Sendable {
    /// The time in seconds is 1 divided by this.
    public var perSecond: Int
    /// ISO sensitivity.
    public var iso: Int

    /// Seconds times ISO.
    public var product: Double { Double(iso) / Double(max(perSecond, 1)) }
  }

  /// The exposure for a scene.
  ///
  /// - Parameter saturationProduct: seconds × ISO at which a white surface at the centre saturates; infinite in the dark.
  func exposure(saturationProduct: Double) -> Exposure {
    let wanted = level * saturationProduct
    let longest = max(1, Int((1 / longestTime).rounded()))
    let highest = Int(isoRange.upperBound)
    // In the dark there is nothing to expose for: high, but not the highest.
    guard wanted.isFinite else { return Exposure(perSecond: longest, iso: highest / 2) }
    guard wanted < longestTime * isoRange.upperBound else { return Exposure(perSecond: longest, iso: highest) }
    let perSecond = max(longest, Int(min(isoRange.lowerBound / max(wanted, 1e-9), 1e6).rounded(.up)))
    let iso = max(Int(isoRange.lowerBound), Int((wanted * Double(perSecond)).rounded()))
    return Exposure(perSecond: perSecond, iso: min(iso, highest))
  }
}
