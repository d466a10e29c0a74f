import ColorScience
import Raster

/// Brings colours that an output space cannot show into it: less chroma at the same OKLab hue and lightness.
///
/// Meant for pixels whose channels are at most 1 (highlights have rolled off before), so that outside means: a
/// channel below 0. The chroma is lowered until no channel is below 0 by more than a hundredth of the grey of the same
/// lightness, and what is left is set to 0. That hundredth moves a colour by up to 0.003 in OKLab, which no eye
/// sees, and buys continuity: lines of constant hue may leave the gamut by less than that and enter it again
/// (near the blue primary of sRGB and Rec. 2020), and without the margin gradients there would tear. With it a step of
/// at most 0.006 is left for impossible blues. Colours inside are never touched, and a colour is treated alike in
/// any light.
///
/// **Blue.** OKLab was made so that blends of blue keep their hue, where CIELAB turns them purple (Ottosson 2020): an
/// impossible blue becomes a paler blue, not a violet. But its lightness stays as well, and the blue primary is
/// dark (L = 0.45 in sRGB): a bright impossible blue ends as a light blue far from the primary.
///
/// **ProPhoto** has primaries that are no colours, and around its blue OKLab's lines leave the gamut widely: hue and
/// continuity are not promised there, a value in 0...1 is.
public struct GamutCompression: Sendable {
  // Cone responses of OKLab, as columns for red, green and blue of the output space; and back.
  private let red, green, blue: SIMD4<Float>
  private let long, medium, short: SIMD4<Float>
  private let lightnessOfRoots: SIMD4<Float>

  /// Compression into an output space.
  public init(_ space: RGBSpace) {
    // A space that cannot be adapted to D65 is none that `RGBSpace` makes; its own numbers are the best guess then.
    let toSRGB = space.matrix(to: .sRGB) ?? .identity
    let conesFromRGB = OKLab.conesFromXYZ * RGBSpace.sRGB.toXYZ * toSRGB
    let rgbFromCones = conesFromRGB.inverse ?? .identity
    func lanes(_ vector: SIMD3<Double>) -> SIMD4<Float> { SIMD4(rgb: SIMD3<Float>(vector), alpha: 0) }
    let (first, second, third) = conesFromRGB.columns
    (red, green, blue) = (lanes(first), lanes(second), lanes(third))
    let (fourth, fifth, sixth) = rgbFromCones.columns
    (long, medium, short) = (lanes(fourth), lanes(fifth), lanes(sixth))
    lightnessOfRoots = lanes(OKLab.labFromRoots.rows.0)
  }

  /// The colour inside the gamut.
  ///
  /// - Parameter pixel: linear RGB of the output space, finite, at most about 1; the fourth lane is ignored.
  /// - Returns: the same pixel where no channel is below 0 or above 1, else one with channels in 0...1.
  ///   Without any lightness left (an OKLab L not above 0) it is black. The fourth lane is kept.
  public func callAsFunction(_ pixel: Pixel) -> Pixel {
    // Lane by lane: the generic minimum of a SIMD vector is a loop.
    if min(pixel.x, pixel.y, pixel.z) >= 0 && max(pixel.x, pixel.y, pixel.z) <= 1 { return pixel }
    let roots = cubeRoots(red * pixel.x + green * pixel.y + blue * pixel.z)
    let lightness = (lightnessOfRoots * roots).sum()
    let largest = max(abs(roots.x), abs(roots.y), abs(roots.z))
    guard lightness > 1e-6 * largest, lightness > 0 else { return Pixel(0, 0, 0, pixel.w) }
    let grey = min(lightness * lightness * lightness, 1)

    // With chroma times t the cone roots are L + t·k, so each channel is a cubic in t: grey · (1 + c₁t + c₂t² + c₃t³).
    let k = roots / lightness - 1
    let (first, second, third) = (3 * rgb(k), 3 * rgb(k * k), rgb(k * k * k))
    var chroma: Float = 1
    // Lowering the chroma for one channel may meet the dent of another; each lowers it once at most.
    for _ in 0..<3 {
      let lower = largestChroma(upTo: chroma, first, second, third)
      if lower == chroma { break }
      chroma = lower
    }
    let channels = grey * (((third * chroma + second) * chroma + first) * chroma + 1)
    var result = channels.replacing(with: 0, where: channels .< 0).replacing(with: 1, where: channels .> 1)
    result.w = pixel.w
    return result
  }

  /// How far below 0 a channel may lie, relative to the grey of the same lightness, before it costs chroma.
  private static let margin: Float = 0.01

  /// The largest t up to a limit at which the channels 1 + c₁t + c₂t² + c₃t³ that are outside at the limit come inside.
  private func largestChroma(
    upTo limit: Float, _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>
  ) -> Float {
    let start = 1 + Self.margin
    let atLimit = ((third * limit + second) * limit + first) * limit + start
    // A little more than rounding, so that a channel that was brought inside counts as inside.
    let outside = atLimit .< -2e-5
    guard any(outside) else { return limit }
    let limits = SIMD4(repeating: limit)
    var low = SIMD4<Float>.zero
    var high = limits
    // The straight line from the grey, which is inside, to the limit.
    var t = (limits * start / (start - atLimit)).replacing(with: limits, where: .!outside)
    // Halley's steps, and a bisection wherever one leaves its bracket.
    for _ in 0..<24 {
      let value = ((third * t + second) * t + first) * t + start
      let slope = (3 * third * t + 2 * second) * t + first
      let bend = 3 * third * t + second
      // Halley's step; half the second derivative is the bend.
      let step = value * slope / (slope * slope - value * bend)
      let moving = (step * step .> 1e-12) .& outside
      guard any(moving) else { break }
      low = low.replacing(with: t, where: value .>= 0)
      high = high.replacing(with: t, where: value .< 0)
      let halley = t - step
      let next = (0.5 * (low + high)).replacing(with: halley, where: (halley .>= low) .& (halley .<= high))
      t = t.replacing(with: next, where: moving)
    }
    return min(t.x, t.y, t.z)
  }

  private func rgb(_ cones: SIMD4<Float>) -> SIMD4<Float> { long * cones.x + medium * cones.y + short * cones.z }

  /// Cube roots with the sign of their argument, to the last bits of a float, in all lanes at once.
  private func cubeRoots(_ values: SIMD4<Float>) -> SIMD4<Float> {
    let sign = SIMD4<UInt32>(repeating: 0x8000_0000)
    let bits = unsafeBitCast(values, to: SIMD4<UInt32>.self)
    let magnitude = unsafeBitCast(bits & ~sign, to: SIMD4<Float>.self)
    // A third of the bits is a third of the exponent and, with this offset, a root good to 4 %; two steps of Halley's
    // iteration make it exact. The third by shifts: 5/16 · 17/16 · 257/256 (SIMD has no fast division of integers).
    var third = bits & ~sign
    third = (third &>> 2) &+ (third &>> 4)
    third = third &+ (third &>> 4)
    third = third &+ (third &>> 8)
    var root = unsafeBitCast(third &+ 0x2a51_19f2, to: SIMD4<Float>.self)
    for _ in 0..<2 {
      let cube = root * root * root
      root *= (cube + 2 * magnitude) / (2 * cube + magnitude)
    }
    // Below this the iteration meets denormal numbers; nothing so dark is visible.
    root.replace(with: 0, where: magnitude .< 1e-30)
    return unsafeBitCast(unsafeBitCast(root, to: SIMD4<UInt32>.self) | (bits & sign), to: SIMD4<Float>.self)
  }
}
