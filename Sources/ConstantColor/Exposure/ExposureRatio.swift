import Raster

/// Flash exposure divided by ambient exposure, for each channel, with what is known of its error.
///
/// Exposure is exposure time · ISO / (f-number)². Camera JPEGs whose white balance differed have a ratio
/// of their own in each channel.
public struct ExposureRatio: Equatable, Sendable {
  /// The ratio of each channel.
  public var red, green, blue: Double
  /// The standard error of the ratio relative to it.
  public var relativeUncertainty: Double
  /// What the value rests on.
  public var source: Source
  /// The median of flash / (ratio · ambient) over the picture, NaN without any pixel. Light is only
  /// ever added: a value well below 1 says that the two frames are swapped or the ratio is wrong.
  public var medianGain: Double
  /// How the ratio runs along the picture under a lamp that flickers; nil where it does not.
  public var flicker: Flicker?

  /// Where a ratio came from.
  public enum Source: String, Equatable, Sendable {
    /// The caller gave it, such as from metadata, and the picture could not improve it.
    case prior
    /// Shadows and highlights of the ambient light, which must vanish from the difference.
    case ambientEdges
    /// Areas that the flash does not reach, where the frames differ by the ratio alone.
    case flashFree
    /// The colours of the two lights, whose difference must not depend on the flash's share.
    case lightColours
    /// Only its upper bound is known: the flash frame holds all of the ambient light.
    case bound
    /// The pictures say nothing (black, empty, or clipped): equal exposure is assumed.
    case unknown
  }

  /// A ratio from its parts.
  public init(
    red: Double, green: Double, blue: Double, relativeUncertainty: Double, source: Source, medianGain: Double = .nan
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.relativeUncertainty = relativeUncertainty
    self.source = source
    self.medianGain = medianGain
  }

  /// The ratios as a pixel's channels.
  public var channels: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) }

  /// Whether the ambient frame is the brighter one in most of the picture, as when the two were swapped.
  public var looksSwapped: Bool { medianGain < 0.95 }
}

extension ExposureRatio {
  /// The ratios of red, green and blue, then ``Flicker/text`` where there is one.
  public var text: String {
    (["\(red)", "\(green)", "\(blue)"] + (flicker.map { [$0.text] } ?? [])).joined(separator: " ")
  }

  /// A given ratio, read from its ``text``; nil where it is none.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    let numbers = words.prefix(3).compactMap { Double($0) }.filter { $0 > 0 && $0.isFinite }
    guard numbers.count == 3 else { return nil }
    self.init(red: numbers[0], green: numbers[1], blue: numbers[2], relativeUncertainty: 0, source: .prior)
    guard words.count > 3 else { return }
    guard let flicker = Flicker(words.dropFirst(3).joined(separator: " ")) else { return nil }
    self.flicker = flicker
  }
}

extension ExposureRatio {
  /// Finds the ratio from the two frames.
  ///
  /// Physics gives three witnesses. Light adds, so flash ≥ ratio · ambient in every pixel that is not
  /// clipped. Where the flash does not reach, both are equal. And an edge of the *ambient light* (a
  /// shadow's, a lamp's) is absent from the flash's light, so that along it the flash frame changes by
  /// exactly ratio times the change of the ambient frame (the shadow criterion of Lu and Drew, CIC 14, 2006;
  /// the gradient coherence of Agrawal et al., 2005, in reverse). Each window votes for the slope it sees;
  /// edges of the surfaces scatter widely, edges of the light agree.
  ///
  /// - Parameters:
  ///   - flash: the flash frame, reduced with ``Reduction/Clipping/voids``.
  ///   - ambient: the aligned ambient frame, reduced over the same rectangle.
  ///   - prior: what the metadata say; nil or not positive = unknown.
  ///   - priorUncertainty: the prior's relative standard error; tags are rounded to a third of a stop.
  ///   - channels: whether the channels may have ratios of their own.
  public static func estimate(
    flash: Reduction, ambient: Reduction, prior: Double? = nil, priorUncertainty: Double = 0.05,
    channels: Channels = .common, execution: Execution = .serial
  ) -> ExposureRatio {
    let prior = prior.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    func estimate(_ ambient: Reduction) -> ExposureRatio {
      let windows = EdgeWindows.measure(flash: flash.image, ambient: ambient.image, execution: execution)
      var ratio = RatioVotes(windows, prior: prior, priorUncertainty: priorUncertainty, execution: execution)
        .decide(channels)
      ratio.medianGain = windows.medianGain(ratio: ratio)
      return ratio
    }
    let ratio = estimate(ambient)
    guard let flicker = Flicker.find(flash: flash, ambient: ambient, ratio: ratio, execution: execution) else {
      return ratio
    }
    // What the rows did hid the edges that tell the mean.
    var steady = estimate(flicker.steady(ambient))
    steady.flicker = Flicker.find(flash: flash, ambient: ambient, ratio: steady, execution: execution) ?? flicker
    // The wave is seen to about a twentieth of itself.
    let doubt = 0.05 * flicker.amplitude.max()
    steady.relativeUncertainty = (steady.relativeUncertainty * steady.relativeUncertainty + doubt * doubt).squareRoot()
    return steady
  }

  /// Whether the channels share one ratio.
  public enum Channels: Sendable {
    /// One ratio, as for camera values and for pictures with one white balance.
    case common
    /// One each, for pictures that the camera balanced one by one.
    case independent
    /// One each where the pictures clearly show them, otherwise one.
    case found
  }
}
