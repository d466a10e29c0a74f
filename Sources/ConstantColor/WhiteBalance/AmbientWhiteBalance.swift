import Glibc
import Raster

/// The white balance of the ambient frame: gains that turn the ambient light into the flash's light.
///
/// With a pair the flash tells what colour the ambient light has, place by place (``AmbientLight``). Without a surface that
/// both lights lit, the frame is balanced as a whole, as if its brightest surfaces were grey. Brightness stays the ambient
/// frame's own.
public struct AmbientWhiteBalance: Equatable, Sendable {
  /// The gains of red, green, blue in the mean over the picture; a grey surface keeps its brightness on average.
  public var gains: SIMD3<Float>
  /// What they rest on.
  public var method: Method
  /// The noise of the ambient frame.
  public var noise: NoiseModel = .eightBitSRGB
  /// The colour of a grey surface under the flash: what a pixel is as far as its own channels do not tell.
  public var neutral = SIMD3<Float>(repeating: 1)
  /// The gains from place to place; nil where they are the same everywhere.
  private var map: ColorGrid?
  private var surfaces = SurfaceCorrection()

  /// How gains were found.
  public enum Method: String, Equatable, Sendable {
    /// Surfaces that both lights lit.
    case pair
    /// The ambient frame alone, as if its brightest surfaces were grey (shades of grey, p = 6).
    case shadesOfGrey
    /// Somebody gave them.
    case given
    /// Nothing: an empty or black frame, or one of mere noise, keeps its colours.
    case none
  }

  /// Given gains, such as from a user.
  public init(gains: SIMD3<Float>, method: Method = .given) {
    self.gains = gains
    self.method = method
  }

  /// The colour of the ambient light in the input's channels relative to flash white, green = 1.
  public var ambientLight: SIMD3<Float> { gains.y / gains }

  /// How many pixels of a reduced picture are of use.
  public static let mostCells = AmbientLight.mostCells

  /// Finds the gains.
  ///
  /// - Parameters:
  ///   - ambient: the ambient frame, reduced with ``Reduction/Clipping/voids`` to ``mostCells``.
  ///   - flashOnly: the flash-only picture (estimate, or signed difference), reduced over the same rectangle; alpha is the
  ///     estimate's quality. nil leaves shades of grey.
  ///   - matched: the ambient frame in the flash frame's exposure, reduced likewise; nil: `ambient` is that.
  ///   - noise: of the ambient frame at full size.
  ///   - error: what part of the ambient light may be left in the flash-only picture: some per cent of sensor values, more of
  ///     developed pictures.
  ///   - neutral: how a grey surface appears in the flash's light.
  public static func estimate(
    ambient: Reduction, flashOnly: Reduction?, matched: Reduction? = nil, noise: NoiseModel = .eightBitSRGB,
    error: Float = 0.04, neutral: SIMD3<Float> = SIMD3(repeating: 1)
  ) -> AmbientWhiteBalance {
    var balance = gains(ambient, flashOnly, matched, noise, error, neutral)
    balance.noise = noise
    balance.neutral = neutral
    return balance
  }

  private static func gains(
    _ ambient: Reduction, _ flashOnly: Reduction?, _ matched: Reduction?, _ noise: NoiseModel, _ error: Float,
    _ neutral: SIMD3<Float>
  ) -> AmbientWhiteBalance {
    let light = ambient.image.pixels.filter { $0.w > 0 && $0.rgb.isFinite }.map(\.rgb)
    // Nothing but noise has no colour, and gains would give it one.
    let mean = light.reduce(Float(0)) { $0 + $1.brightness } / Float(max(light.count, 1))
    guard mean > 0.5 * noise.variance(.zero).brightnessVariance.squareRoot() else {
      return AmbientWhiteBalance(gains: SIMD3(repeating: 1), method: .none)
    }
    let exposure = matched.map { ratio(of: $0.image, to: ambient.image) } ?? SIMD3(repeating: 1)
    // Neighbours of a resampled frame share noise.
    let area = Float(ambient.factor * ambient.factor) / 2
    let cellNoise = NoiseModel(gain: noise.gain / area, floor: noise.floor / area)
    if let flashOnly,
      let found = AmbientLight(
        ambient: ambient.image, exposure: exposure, noise: cellNoise, error: error, flashOnly: flashOnly.image,
        neutral: neutral)
    {
      // Two developed photographs may have been balanced one by one; brightness is the ambient frame's.
      func own(_ gains: SIMD3<Float>) -> SIMD3<Float> {
        let all = gains * exposure
        return all * ((neutral / all).brightness / neutral.brightness)
      }
      var balance = AmbientWhiteBalance(gains: own(found.mean), method: .pair)
      balance.map = ColorGrid(ambient, found.gains.map(own))
      balance.surfaces = found.surfaces
      return balance
    }
    guard let white = shadesOfGrey(light) else {
      return AmbientWhiteBalance(gains: SIMD3(repeating: 1), method: .none)
    }
    let gains = neutral / pointwiseMax(white, SIMD3(repeating: 1e-3))
    return AmbientWhiteBalance(gains: keepingBrightness(gains, light), method: .shadesOfGrey)
  }

  /// The quotient of two pictures in the exposure of the one and the other, for each channel.
  private static func ratio(of other: Image, to picture: Image) -> SIMD3<Float> {
    var (before, after) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for (a, b) in zip(picture.pixels, other.pixels) where a.w > 0 && b.w > 0 && a.rgb.isFinite && b.rgb.isFinite {
      before += SIMD3<Double>(a.rgb)
      after += SIMD3<Double>(b.rgb)
    }
    guard picture.bounds == other.bounds, before.min() > 0, after.min() > 0 else { return SIMD3(repeating: 1) }
    return SIMD3<Float>(after / before)
  }

  private static func keepingBrightness(_ gains: SIMD3<Float>, _ light: [SIMD3<Float>]) -> SIMD3<Float> {
    let sum = light.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>($1) }
    let (before, after) = (SIMD3<Float>(sum).brightness, SIMD3<Float>(sum * SIMD3<Double>(gains)).brightness)
    guard before > 0, after > 0, (before / after).isFinite else { return gains }
    return gains * (before / after)
  }

  /// Applies the gains; alpha stays, values that are not finite become 0. What a channel cannot tell, because its gain
  /// would make a colour of noise, is taken from the others (``ChannelInformation``); what the camera has clipped is white.
  ///
  /// - Parameters:
  ///   - rectangle: where the pixels lie in the frame.
  ///   - input: its pixels, row after row.
  ///   - output: as many pixels; may be the same memory.
  public func process(_ rectangle: Rectangle, _ input: Pixels, into output: MutablePixels) {
    guard input.count >= rectangle.count, output.count >= rectangle.count else { return }
    let tone = ColorVector(neutral / max(neutral.brightness, 1e-6))
    let everywhere = ColorVector(gains)
    var rows = map.map { ColorGrid.Rows($0, x: rectangle.x, width: rectangle.width) }
    var rest = Image(Rectangle(width: 8, height: 1))
    for y in 0..<rectangle.height {
      rows?.move(to: rectangle.y + y)
      for x in stride(from: 0, to: rectangle.width, by: 8) {
        let (index, count) = (y * rectangle.width + x, min(8, rectangle.width - x))
        let pixels: PixelVector
        if index + 8 <= input.count {
          pixels = PixelVector(input, index)
        } else {
          for lane in 0..<count { rest.pixels[lane] = input[index + lane] }
          pixels = rest.withPixels { PixelVector($0, 0) }
        }
        balanced(pixels, rows?(x) ?? everywhere, tone).store(output, index, count: count)
      }
    }
  }

  @inline(__always)
  private func balanced(_ pixels: PixelVector, _ gains: ColorVector, _ tone: ColorVector) -> PixelVector {
    let colour = ColorVector(pixels.colour.x.defined, pixels.colour.y.defined, pixels.colour.z.defined)
    let isUsual = pixels.colour.isOrdinary .& (pixels.colour.min .>= 0)
    let light = colour.positive
    let known = ChannelInformation.balance(light, variance: noise.variance(light), gains: gains, tone: tone)
    let result = highlight(light, map == nil ? known : surfaces(known.positive), gains, tone)
    let plain = colour * gains
    return PixelVector(plain.replacing(with: result, where: isUsual .& result.isFinite), pixels.alpha.defined)
  }

  /// Clipped highlights turn to the flash's white: what is left of a lamp's colour when a channel has reached its end is wrong.
  @inline(__always)
  private func highlight(
    _ light: ColorVector, _ result: ColorVector, _ gains: ColorVector, _ tone: ColorVector
  ) -> ColorVector {
    let clipped = ((light.max - 0.9) * 10).unit
    // A surface that is merely saturated clips one channel: only where the others are as high as white has them it is glare.
    let white = tone / gains
    let share = light * white.max / white
    let one = Vector8(repeating: 1)
    let limited = ColorVector(share.x.lesser(one), share.y.lesser(one), share.z.lesser(one))
    let middle = limited.sum - limited.max - limited.min
    let glare = ((middle - 0.4) * 2).unit
    let amount = clipped * glare * glare * (3 - 2 * glare)
    let bright = tone * result.brightness
    return result + (bright - result) * amount
  }
}
