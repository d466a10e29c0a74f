import Glibc
import Raster

/// The white balance of the ambient frame: gains that turn the ambient light into the flash's light.
///
/// Where the flash clearly lit a surface, flash-only divided by ambient is the same for every surface up to
/// brightness: the inverse of the ambient light's colour, whatever colour the surface has.
public struct AmbientWhiteBalance: Equatable, Sendable {
  /// The gains of red, green, blue; a grey surface keeps its brightness on average.
  public var gains: SIMD3<Float>
  /// What they rest on.
  public var source: Source
  /// The noise of the ambient frame.
  public var noise: NoiseModel = .eightBitSRGB
  /// The colour of a grey surface under the flash: what a pixel is as far as its own channels do not tell.
  public var neutral = SIMD3<Float>(repeating: 1)

  /// Where gains came from.
  public enum Source: String, Equatable, Sendable {
    /// Surfaces that both lights lit.
    case trustedPixels
    /// The ambient frame alone, as if its brightest surfaces were grey (shades of grey, p = 6).
    case shadesOfGrey
    /// Nothing: an empty or black frame keeps its colours.
    case none
  }

  /// Given gains, such as from a user.
  public init(gains: SIMD3<Float>, source: Source = .trustedPixels) {
    self.gains = gains
    self.source = source
  }

  /// The colour of the ambient light in the input's channels relative to flash white, green = 1.
  public var ambientLight: SIMD3<Float> { gains.y / gains }

  /// Finds the gains.
  ///
  /// - Parameters:
  ///   - ambient: the ambient frame, reduced with ``Reduction/Clipping/voids``.
  ///   - flashOnly: the flash-only picture (signed difference or estimate), reduced over the same
  ///     rectangle; nil leaves shades of grey.
  ///   - variance: the variance of one reduced flash-only pixel, below which it is not trusted.
  public static func estimate(
    ambient: Reduction, flashOnly: Reduction?, variance: SIMD3<Float> = SIMD3(repeating: 1e-7)
  ) -> AmbientWhiteBalance {
    var red: [Float] = []
    var blue: [Float] = []
    var light: [SIMD3<Float>] = []
    let bounds = ambient.image.bounds
    let difference = flashOnly.flatMap { $0.image.bounds == bounds ? $0.image : nil }
    let limit = max(0.002, 5 * variance.max().squareRoot())
    for (index, pixel) in ambient.image.pixels.enumerated() {
      let a = pixel.rgb
      guard pixel.w > 0, a.isFinite else { continue }
      light.append(a)
      guard let d = difference?.pixels[index].rgb, d.isFinite, d.min() > limit, a.min() > 0.0005,
        d.brightness > 0.05 * a.brightness
      else { continue }
      red.append(log(d.x * a.y / (d.y * a.x)))
      blue.append(log(d.z * a.y / (d.y * a.z)))
    }
    // Medians of the logarithms: glare, movement and misaligned edges are outliers on either side.
    if red.count >= max(16, light.count / 500) {
      red.sort()
      blue.sort()
      let gains = SIMD3(exp(red[red.count / 2]), 1, exp(blue[blue.count / 2]))
      return AmbientWhiteBalance(gains: keepingBrightness(gains, light), source: .trustedPixels)
    }
    guard let white = shadesOfGrey(light) else {
      return AmbientWhiteBalance(gains: SIMD3(repeating: 1), source: .none)
    }
    let gains = 1 / pointwiseMax(white, SIMD3(repeating: 1e-3))
    return AmbientWhiteBalance(gains: keepingBrightness(gains, light), source: .shadesOfGrey)
  }

  private static func keepingBrightness(_ gains: SIMD3<Float>, _ light: [SIMD3<Float>]) -> SIMD3<Float> {
    let sum = light.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>($1) }
    let (before, after) = (SIMD3<Float>(sum).brightness, SIMD3<Float>(sum * SIMD3<Double>(gains)).brightness)
    guard before > 0, after > 0, (before / after).isFinite else { return gains }
    return gains * (before / after)
  }

  /// Applies the gains; alpha stays, values that are not finite become 0. What a channel cannot tell, because its gain
  /// would make a colour of noise, is taken from the others (``ChannelInformation``).
  public func process(_ input: Pixels, into output: MutablePixels) {
    let count = min(input.count, output.count)
    let whole = count / 8 * 8
    for index in stride(from: 0, to: whole, by: 8) {
      balanced(PixelVector(input, index)).store(output, index, count: 8)
    }
    guard whole < count else { return }
    var rest = Image(Rectangle(width: 8, height: 1))
    for index in whole..<count { rest.pixels[index - whole] = input[index] }
    let pixels = rest.withPixels { balanced(PixelVector($0, 0)) }
    pixels.store(output, whole, count: count - whole)
  }

  @inline(__always)
  private func balanced(_ pixels: PixelVector) -> PixelVector {
    let colour = ColorVector(pixels.colour.x.defined, pixels.colour.y.defined, pixels.colour.z.defined)
    let isUsual = pixels.colour.isOrdinary .& (pixels.colour.min .>= 0)
    let tone = ColorVector(neutral / max(neutral.brightness, 1e-6))
    let light = colour.positive
    let result = ChannelInformation.balance(
      light, variance: noise.variance(light), gains: ColorVector(gains), tone: tone)
    let plain = colour * ColorVector(gains)
    return PixelVector(plain.replacing(with: result, where: isUsual .& result.isFinite), pixels.alpha.defined)
  }
}
