import ColorScience
import Glibc
import Raster

/// The colour of the flash, found in the light that it alone made.
///
/// Bayesian colour constancy (Brainard and Freeman, "Bayesian color constancy", 1997; Finlayson et al., "Color by
/// correlation", 2001): each candidate white is as likely as it is usual for flashes, and as the colours of the scene's surfaces are
/// if they stood in it. Surfaces are neutral, nearly, a quarter of the time; the rest is spread wide around a reddish mean. Each distinct
/// colour counts about once, however large: a wall says no more than an apple. The answer is the mean over all candidates, so
/// that a scene that says little leaves what is usual.
///
/// It is made for camera RGB, before any white balance. Since it looks at the flash's light alone, it is the same whatever the ambient light.
public struct FlashWhiteEstimate: Equatable, Sendable {
  /// Camera RGB of a white surface in the flash's light, green = 1.
  public var neutral: SIMD3<Double>
  /// The flash's white by the camera's colour model.
  public var white: Chromaticity
  /// The standard deviation of the reciprocal temperature in mired.
  public var miredDeviation: Double
  /// The colour error (ΔE00) to expect from not knowing the white better, in the mean over a grey and six colours.
  public var expectedError: Double

  /// What an error of the white is judged by: a grey, and colours of medium chroma all round.
  private static let samples =
    [Lab(60, 0, 0)] + (0..<6).map { Lab(60, 30 * cos(Double($0) * .pi / 3), 30 * sin(Double($0) * .pi / 3)) }

  /// Finds the flash's white.
  ///
  /// - Parameters:
  ///   - flashOnly: the flash's light in camera RGB, reduced (some ten thousand pixels are enough); alpha is the weight of a pixel.
  ///   - prior: which whites are usual.
  ///   - neutral: what a white surface gives in a light of that chromaticity, as ``CameraColorModel/neutral(of:)``.
  /// - Returns: nil where the camera's model knows no neutral for any candidate. Without a usable pixel the prior
  ///   alone speaks.
  public static func estimate(
    _ flashOnly: Image, prior: FlashWhitePrior = .usual, neutral: (Chromaticity) -> SIMD3<Double>?
  ) -> FlashWhiteEstimate? {
    let colors = SurfaceColors(flashOnly)
    var candidates: [(white: Chromaticity, mired: Double, log: SIMD2<Double>, score: Double)] = []
    for candidate in prior.candidates {
      guard let value = neutral(candidate.white), all((value .> 0) .& (value .< .infinity)) else { continue }
      let point = SIMD2(log(value.x / value.y), log(value.z / value.y))
      candidates.append(
        (candidate.white, candidate.mired, point, candidate.logProbability + colors.logLikelihood(point)))
    }
    guard let best = candidates.map(\.score).max(), best.isFinite else { return nil }
    let weights = candidates.map { exp($0.score - best) }
    let total = weights.reduce(0, +)
    func mean(_ value: (Int) -> Double) -> Double {
      candidates.indices.reduce(0) { $0 + weights[$1] * value($1) } / total
    }
    let mired = mean { candidates[$0].mired }
    let uv = (u: mean { candidates[$0].white.uv.u }, v: mean { candidates[$0].white.uv.v })
    let white = Chromaticity(u: uv.u, v: uv.v)
    let point = (mean { candidates[$0].log.x }, mean { candidates[$0].log.y })
    let toD65 = ChromaticAdaptation.bradford.matrix(from: XYZ(white)) ?? .identity
    let error = mean { index in
      guard let right = ChromaticAdaptation.bradford.matrix(from: XYZ(candidates[index].white))?.inverse else {
        return 0
      }
      let change = toD65 * right
      return Self.samples.reduce(0) { $0 + $1.ciede2000(to: Lab(XYZ(change * $1.xyz().vector))) }
        / Double(Self.samples.count)
    }
    return FlashWhiteEstimate(
      neutral: SIMD3(exp(point.0), 1, exp(point.1)), white: white,
      miredDeviation: mean { (candidates[$0].mired - mired) * (candidates[$0].mired - mired) }.squareRoot(),
      expectedError: error)
  }
}

/// The distinct colours of a picture, as logarithms of red and blue over green.
struct SurfaceColors {
  private var colors: [(point: SIMD2<Double>, weight: Double)] = []
  /// How many independent surfaces they stand for.
  private let surfaces: Double

  // A colour is what lies in one cell of this size; the edge of the net is a ratio of 20.
  private static let cell = 0.05
  private static let reach = 60

  init(_ picture: Image) {
    var sums = [SIMD4<Double>](repeating: .zero, count: (2 * Self.reach + 1) * (2 * Self.reach + 1))
    let darkest = 0.03 * Self.bright(picture)
    for pixel in picture.pixels {
      let (r, g, b) = (Double(pixel.x), Double(pixel.y), Double(pixel.z))
      // Noise gives colours to the dark.
      guard pixel.w > 0, pixel.w.isFinite, r > 0, b > 0, g > darkest, r.isFinite, g.isFinite, b.isFinite else {
        continue
      }
      let (x, y) = (log(r / g), log(b / g))
      let (column, row) = ((x / Self.cell).rounded(), (y / Self.cell).rounded())
      guard abs(column) <= Double(Self.reach), abs(row) <= Double(Self.reach) else { continue }
      let weight = Double(min(pixel.w, 1))
      let index = (Int(row) + Self.reach) * (2 * Self.reach + 1) + Int(column) + Self.reach
      sums[index] += weight * SIMD4(x, y, g, 1)
    }
    let cells = sums.filter { $0.w > 0 }
    let all = cells.reduce(0) { $0 + $1.w }
    let brightest = cells.reduce(0) { max($0, $1.z / $1.w) }
    guard all > 0, brightest > 0 else {
      surfaces = 0
      return
    }
    // An area counts by a power of its size between once (0) and in full (1), and brighter colours a little more: white is bright.
    colors = cells.map { sum in
      (SIMD2(sum.x, sum.y) / sum.w, pow(sum.w / all, 0.4) * pow(sum.z / sum.w / brightest, 0.25))
    }
    let total = colors.reduce(0) { $0 + $1.weight }
    for index in colors.indices { colors[index].weight /= total }
    surfaces = 1 / colors.reduce(0) { $0 + $1.weight * $1.weight }
  }

  /// The logarithm of how likely these colours are where white is `neutral`.
  func logLikelihood(_ neutral: SIMD2<Double>) -> Double {
    guard surfaces > 0 else { return 0 }
    // Colours of one scene are not independent: more than a dozen of them are not more certain. Of 4 to 24, this was
    // best in the mean over simulated scenes with 5, 20 and 40 % neutral surfaces, 10 cameras and 9 flashes.
    return min(surfaces, 12) * colors.reduce(0) { $0 + $1.weight * log(Self.density($1.point - neutral) + 1e-6) }
  }

  /// How often surfaces have a colour, relative to white: a quarter is neutral within 5 %; the rest has the mean and the
  /// correlation that 214 measured reflectances (190 of the rawtoaces training set, 24 of the ColorChecker) have in 41
  /// cameras under D55, and deviations half as wide again, since a scene's surfaces are chosen by somebody.
  private static func density(_ color: SIMD2<Double>) -> Double {
    let neutral = exp(-(color * color).sum() / (2 * 0.05 * 0.05)) / (2 * .pi * 0.05 * 0.05)
    let deviation = SIMD2(0.7, 0.6)
    let correlation = -0.2
    let e = (color - SIMD2(0.1, -0.09)) / deviation
    let free = 1 - correlation * correlation
    let distance = ((e * e).sum() - 2 * correlation * e.x * e.y) / free
    let wide = exp(-distance / 2) / (2 * .pi * deviation.x * deviation.y * free.squareRoot())
    return 0.25 * neutral + 0.75 * wide
  }

  /// The green of the brightest hundredth.
  private static func bright(_ picture: Image) -> Double {
    var greens = picture.pixels.compactMap { $0.w > 0 && $0.y > 0 && $0.y.isFinite ? $0.y : nil }
    guard !greens.isEmpty else { return 0 }
    greens.sort()
    return Double(greens[min(greens.count - 1, greens.count * 99 / 100)])
  }
}
