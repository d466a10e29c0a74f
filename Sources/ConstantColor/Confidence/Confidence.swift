import Glibc
import Raster

/// How likely each pixel's colour is right: the probability that its error, ΔE00 between 3 × 3 means at
/// equal luminance, is within a tolerance.
///
/// Independent causes add as squares: noise left after averaging, the exposure ratio's error,
/// misregistration at the edges of the ambient frame, what difference and estimate disagree on, and the doubt
/// about filled colours. The sum E² is taken as the mean squared length of a normal error in the plane of
/// a* and b*, so that P(error ≤ t) = 1 − exp(−t² / E²).
/// Clipping within two pixels, missing ambient data, undefined numbers, and differences that are
/// negative beyond chance (light is only ever added) give 0.
public struct Confidence: Sendable {
  /// How far the result at a pixel looks.
  public static let margin = 2

  /// The colour error that counts as right, in ΔE00.
  public var tolerance: Float = 3
  /// The exposure ratio's relative standard error.
  public var ratioUncertainty: Float = 0.01
  /// Misregistration that is left, RMS in pixels.
  public var residual: Float = 0.25
  /// Colour error that is everywhere: the camera's transform, in ΔE00.
  public var calibrationError: Float = 0.5
  /// The luminance of a white surface in the flash-only picture.
  public var white: Float = 0.5
  /// The noise of the flash frame.
  public var flashNoise: NoiseModel
  /// The noise of the matched ambient frame.
  public var ambientNoise: NoiseModel
  /// Columns of the matrix from the input's channels to linear sRGB under D65.
  public var matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>) = (SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

  /// An error budget with the frames' noise; everything else has defaults.
  public init(flashNoise: NoiseModel, ambientNoise: NoiseModel) {
    self.flashNoise = flashNoise
    self.ambientNoise = ambientNoise
  }

  /// Writes one value a pixel, 0...1.
  ///
  /// - Parameters:
  ///   - rectangle: the pixels to compute; pieces give the same bits as the whole.
  ///   - flash: the flash frame.
  ///   - ambient: the matched ambient frame; nil without one.
  ///   - flashOnly: the estimate, with its quality in alpha; nil, or an alpha of 1, assumes what the estimate's
  ///     wide mean would leave of the noise.
  ///   - output: `rectangle.count` floats.
  public func process(
    _ rectangle: Rectangle, flash: some PixelSource, ambient: (any PixelSource)?, flashOnly: (any PixelSource)?,
    into output: UnsafeMutableBufferPointer<Float>, execution: Execution = .serial
  ) {
    guard !rectangle.isEmpty, output.count >= rectangle.count else { return }
    let bands = rectangle.bands(of: 32)
    let budget = ErrorBudget(matrix: matrix)
    nonisolated(unsafe) let sources = (flash: flash, ambient: ambient, flashOnly: flashOnly)
    nonisolated(unsafe) let output = output
    execution.forEach(bands.count) { index in
      let band = bands[index]
      let area = band.expanded(by: Self.margin)
      let flash = sources.flash.image(area)
      let ambient = sources.ambient?.image(area)
      let estimate = sources.flashOnly?.image(area)
      flash.withPixels { flash in
        func run(_ ambient: Pixels?, _ estimate: Pixels?) {
          var highest: Float = 0
          for place in 0..<flash.count { highest = max(highest, flash[place].rgb.max()) }
          let frames = Frames(
            flash: flash, ambient: ambient, estimate: estimate, stride: area.width, hasClipping: !(highest < 1))
          for y in 0..<band.height {
            for x in 0..<band.width {
              let place = (y + Self.margin) * area.width + x + Self.margin
              let target = (band.y - rectangle.y + y) * rectangle.width + x
              output[target] = value(frames, place, budget)
            }
          }
        }
        func withEstimate(_ ambient: Pixels?) {
          if let estimate { estimate.withPixels { run(ambient, $0) } } else { run(ambient, nil) }
        }
        if let ambient { ambient.withPixels { withEstimate($0) } } else { withEstimate(nil) }
      }
    }
  }

  private struct Frames {
    var flash: Pixels
    var ambient: Pixels?
    var estimate: Pixels?
    var stride: Int
    var hasClipping: Bool
  }

  /// The means of a 3 × 3 neighbourhood, of its defined pixels.
  private struct Neighbourhood {
    var flash = SIMD3<Float>.zero
    var ambient = SIMD3<Float>.zero
    var estimate = SIMD3<Float>.zero
  }

  private func value(_ frames: Frames, _ place: Int, _ budget: ErrorBudget) -> Float {
    let ambientHere = frames.ambient?[place]
    let estimateHere = frames.estimate?[place]
    guard frames.flash[place].rgb.isFinite, ambientHere?.rgb.isFinite ?? true, estimateHere?.rgb.isFinite ?? true
    else { return 0 }
    let trust = ambientHere?.w ?? 1
    guard trust > 0, !isNearClipping(frames, place) else { return 0 }
    let mean = mean(frames, place)
    let light = frames.ambient == nil ? SIMD3<Float>.zero : mean.ambient
    let variance = flashNoise.variance(mean.flash) + (frames.ambient == nil ? .zero : ambientNoise.variance(light))
    let difference = mean.flash - light
    // Neighbours share some of their noise (demosaicing, resampling, JPEG): nine count like four.
    let meanDeviation = (variance * 0.25).squareRoot()
    // Beyond three standard deviations, of noise and of the ratio, below nothing: something moved.
    let allowed = 3 * (meanDeviation + light * ratioUncertainty + 1e-5)
    if (difference + allowed).min() < 0 { return 0 }

    let quality = estimateHere?.w ?? 1
    let result = frames.estimate == nil ? difference : mean.estimate
    var remaining = variance * Self.remainingShare
    let brightness = max(result.brightness, 0)
    if quality < 1, quality >= 0 {
      // The estimate's own account: q = s² / (s² + 9).
      let relative = (1 - quality) / (9 * max(quality, 1 / 256))
      let own = brightness * brightness * relative
      remaining = variance * (own / max(variance.brightnessVariance, 1e-12))
    }
    let response = budget.response(result, white: white, deviation: remaining.brightnessVariance.squareRoot())
    var squared = response.squaredError(variance: remaining)
    squared += response.squaredError(shift: light * ratioUncertainty)
    squared += registration(frames, place, response, trust)
    squared += disagreement(difference - result, variance, response)
    squared += calibrationError * calibrationError
    // A filled colour is as wrong as one light's colour guessed for another.
    let filled = max(0, 1 - quality) * 6
    squared += filled * filled
    guard squared.isFinite, squared > 0 else { return 0 }
    let confidence = 1 - expf(-tolerance * tolerance / squared)
    return max(0, min(confidence, 1))
  }

  /// What averaging over a surface of some sixty pixels leaves of the variance.
  private static let remainingShare: Float = 1.0 / 30

  /// The ambient frame's steepest change times the misregistration; of the 3 × 3 mean half of it is left.
  private func registration(
    _ frames: Frames, _ place: Int, _ response: ErrorBudget.Response, _ trust: Float
  ) -> Float {
    guard let ambient = frames.ambient else { return 0 }
    let across = (ambient[place + 1].rgb - ambient[place - 1].rgb) * 0.5
    let down = (ambient[place + frames.stride].rgb - ambient[place - frames.stride].rgb) * 0.5
    guard across.isFinite, down.isFinite else { return 0 }
    // Little trust in the alignment means a larger residual.
    let reach = residual * residual * 0.5 / max(min(trust, 1), 0.05)
    return (response.squaredError(shift: across) + response.squaredError(shift: down)) * reach
  }

  /// What the 3 × 3 mean of the difference and of the estimate differ by, beyond noise.
  private func disagreement(
    _ shift: SIMD3<Float>, _ variance: SIMD3<Float>, _ response: ErrorBudget.Response
  ) -> Float {
    let found = response.squaredError(shift: shift)
    let expected = response.squaredError(variance: variance * (1.0 / 9))
    return max(0, found - 2 * expected) * 0.5
  }

  private func isNearClipping(_ frames: Frames, _ place: Int) -> Bool {
    guard frames.hasClipping else { return false }
    for y in -2...2 {
      for x in -2...2 where frames.flash[place + y * frames.stride + x].rgb.max() >= 1 { return true }
    }
    return false
  }

  private func mean(_ frames: Frames, _ place: Int) -> Neighbourhood {
    // Almost everywhere all nine pixels are defined; a sum that is finite has finite terms.
    var (flash, ambient, estimate) = (Pixel.zero, Pixel.zero, Pixel.zero)
    var lowestTrust = Float.infinity
    for row in -1...1 {
      for index in (place + row * frames.stride - 1)...(place + row * frames.stride + 1) {
        flash += frames.flash[index]
        if let pixel = frames.ambient?[index] {
          ambient += pixel
          lowestTrust = min(lowestTrust, pixel.w)
        }
        if let pixel = frames.estimate?[index] { estimate += pixel }
      }
    }
    if lowestTrust > 0, (flash.rgb + ambient.rgb + estimate.rgb).isFinite {
      let scale: Float = 1 / 9
      return Neighbourhood(flash: flash.rgb * scale, ambient: ambient.rgb * scale, estimate: estimate.rgb * scale)
    }
    return definedMean(frames, place)
  }

  /// The mean of the pixels that are defined and have ambient data.
  private func definedMean(_ frames: Frames, _ place: Int) -> Neighbourhood {
    var sum = Neighbourhood()
    var count: Float = 0
    for y in -1...1 {
      for x in -1...1 {
        let index = place + y * frames.stride + x
        let flash = frames.flash[index].rgb
        let ambient = frames.ambient?[index] ?? Pixel(repeating: 1)
        let estimate = frames.estimate?[index].rgb ?? .zero
        guard flash.isFinite, ambient.rgb.isFinite, ambient.w > 0, estimate.isFinite else { continue }
        sum.flash += flash
        sum.ambient += ambient.rgb
        sum.estimate += estimate
        count += 1
      }
    }
    let scale = 1 / max(count, 1)
    return Neighbourhood(flash: sum.flash * scale, ambient: sum.ambient * scale, estimate: sum.estimate * scale)
  }
}
