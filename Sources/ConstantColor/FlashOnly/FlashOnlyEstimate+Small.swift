import Raster

extension FlashOnlyEstimate {
  /// The flash-only picture in small: it tells the colours of surfaces for a fraction of what the whole picture costs. Of a pair that
  /// has no more pixels than asked for it is the whole picture.
  ///
  /// - Parameters:
  ///   - flash: the flash frame.
  ///   - ambient: the matched ambient frame.
  ///   - pixels: how many pixels there may be.
  ///   - flashNoise, ambientNoise: the noise of the frames as they are; nil measures it.
  ///   - noiseCorrelation, ratioUncertainty: as for the whole picture.
  /// - Returns: the picture with its quality in alpha; its top left pixel is (0, 0).
  public static func small(
    flash: some PixelSource, ambient: some PixelSource, toAtMost pixels: Int = 1_000_000, flashNoise: NoiseModel? = nil,
    ambientNoise: NoiseModel? = nil, noiseCorrelation: SIMD3<Float> = SIMD3(repeating: 1),
    ratioUncertainty: Float = 0.005, execution: Execution = .serial
  ) -> Image {
    let light = reduced(flash, toAtMost: pixels, execution: execution)
    let other = reduced(ambient, over: flash.bounds, toAtMost: pixels, execution: execution)
    let correlation = light.factor == 1 ? noiseCorrelation : SIMD3(repeating: 1)
    /// The noise of a cell's mean, of which its neighbours know little.
    func mean(_ noise: NoiseModel) -> NoiseModel {
      guard light.factor > 1 else { return noise }
      let share = noiseCorrelation / Float(light.factor * light.factor)
      return NoiseModel(gain: noise.gain * share, floor: noise.floor * share)
    }
    // A cell that is clipped in part counts as clipped.
    let frame = light.picture { pointwiseMax($0, SIMD3(repeating: 1)) }
    let room = other.picture { $0 }
    let difference = FrameDifference(flash: frame, ambient: room)
    let estimate = FlashOnlyEstimate(
      difference: Reduction(image: difference.image(frame.bounds)), flash: Reduction(image: light.image),
      ambient: Reduction(image: other.image),
      flashNoise: flashNoise.map(mean) ?? NoiseEstimation.estimate(frame, execution: execution),
      ambientNoise: ambientNoise.map(mean) ?? NoiseEstimation.estimate(room, execution: execution),
      noiseCorrelation: correlation, ratioUncertainty: ratioUncertainty, flashWhite: SIMD3(repeating: 1))
    var result = Image(frame.bounds)
    result.withMutablePixels {
      estimate.process(frame.bounds, difference: nil, flash: frame, ambient: room, into: $0, execution: execution)
    }
    return result
  }
}

extension Reduction {
  /// The reduced frame as a frame: cells that have pixels are trusted, and void ones are what `void` makes of them.
  fileprivate func picture(_ void: (SIMD3<Float>) -> SIMD3<Float>) -> Image {
    var picture = image
    picture.withMutablePixels { pixels in
      for index in 0..<pixels.count where pixels[index] != .zero {
        let isVoid = !(pixels[index].w > 0)
        // The pixels of a picture that was not reduced are what they are.
        pixels[index] = Pixel(rgb: isVoid && factor > 1 ? void(pixels[index].rgb) : pixels[index].rgb, alpha: 1)
      }
    }
    return picture
  }
}
