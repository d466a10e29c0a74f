import Raster

/// The light that the flash added: flash frame − ratio · ambient frame, in linear light.
///
/// DiCarlo, Xiao, Wandell, "Illuminating Illumination", CIC 2001: light adds, so that the difference of
/// two frames of one scene is the scene under the light that changed. Values stay signed: cutting off
/// the negatives, which are noise, would brighten and tint every dark colour.
public struct AmbientSubtraction: Sendable {
  /// Flash exposure divided by ambient exposure, for red, green, blue.
  public var ratio: SIMD3<Float>

  /// Subtracts `ratio` times the ambient frame; ratios that are not finite count as 0.
  public init(ratio: SIMD3<Float> = SIMD3(repeating: 1)) {
    self.ratio = ratio.replacing(with: 0, where: ratio * 0 .!= SIMD3<Float>.zero)
  }

  /// Writes one difference a pixel.
  ///
  /// The result's alpha is the ambient frame's (its trust; 1 without an ambient frame). Where the
  /// ambient frame has no trust (alpha 0) the flash frame stands as it is. A channel that is not
  /// finite in either frame becomes 0 and the pixel's alpha 0.
  ///
  /// - Parameters:
  ///   - flash: the flash frame.
  ///   - ambient: the aligned ambient frame; nil subtracts nothing.
  ///   - output: as many pixels; may be either input's memory.
  public func process(flash: Pixels, ambient: Pixels?, into output: MutablePixels) {
    let scale = Pixel(rgb: ratio, alpha: 0)
    let count = min(flash.count, output.count)
    var index = 0
    if let ambient {
      let both = min(count, ambient.count)
      while index < both {
        let (light, other) = (flash[index], ambient[index])
        var difference = light - scale * other
        // Nearly all pixels are finite and wholly trusted.
        difference.w = 1
        output[index] =
          other.w == 1 && all((difference - difference) .== 0) ? difference : Self.difference(light, other, difference)
        index &+= 1
      }
    }
    while index < count {
      output[index] = Self.defined(Pixel(rgb: flash[index].rgb, alpha: 1))
      index &+= 1
    }
  }

  /// The difference of any pixels: that of trusted ones, the flash frame where there is no trust.
  private static func difference(_ light: Pixel, _ other: Pixel, _ difference: Pixel) -> Pixel {
    let alpha = other.w > 0 ? min(other.w, 1) : 0
    return defined(Pixel(rgb: alpha > 0 ? difference.rgb : light.rgb, alpha: alpha))
  }

  /// 0 in channels that are not finite, and no trust in such pixels.
  private static func defined(_ pixel: Pixel) -> Pixel {
    let isUndefined = pixel.rgb * 0 .!= SIMD3<Float>.zero
    guard isUndefined != SIMDMask(repeating: false) else { return pixel }
    return Pixel(rgb: pixel.rgb.replacing(with: 0, where: isUndefined), alpha: 0)
  }
}
