import ColorScience
import ConstantColor
import GEGL
import GEGLOperation
import Raster

extension DevelopGraph {
  /// Finds the flash's white in what the flash alone lit before a camera whose colours are known, and fixes the matrix from its
  /// values to D65. After ``measureExposure()`` and ``set(flashNoise:ambientNoise:correlation:)``; the estimate, which is to know
  /// the white, comes later.
  ///
  /// - Returns: nil, and nothing is fixed, where the camera's model makes no sense of the picture.
  /// - Throws: ``RenderingCancelled`` when cancelled meanwhile.
  public func measureFlashWhite(of camera: CameraColorModel) throws -> FlashWhiteEstimate? {
    guard let white = FlashWhiteEstimate.estimate(try surfaces(), neutral: { camera.neutral(of: $0) }),
      let matrix = camera.toD65(neutral: white.neutral)
    else { return nil }
    try set("matrix", .string(matrix.rowMajor.map { "\($0)" }.joined(separator: " ")))
    return white
  }

  /// Finds the flash's white in what the flash alone lit, for frames that the camera balanced one by one, and fixes it. Like
  /// ``measureFlashWhite(of:)``.
  ///
  /// - Returns: nil, and nothing is fixed, where the frames share their balance: then the flash is what that was set for.
  /// - Throws: ``RenderingCancelled`` when cancelled meanwhile.
  public func measureBalancedFlashWhite() throws -> FlashWhiteEstimate? {
    // A ratio of 0 is green's.
    let green = match.number("exposure-ratio")
    let others = ["red-ratio", "blue-ratio"].compactMap { match.number($0) }.filter { $0 > 0 }
    let isOwn = try match.value("balance") == .choice("own") || others.contains { $0 != green }
    guard isOwn, let toLinear = RGBSpace.sRGB.toXYZ.inverse else { return nil }
    var small = try surfaces()
    if let toSRGB = match.outputSpace?.toLinearSRGB {
      for index in small.pixels.indices {
        let pixel = small.pixels[index]
        small.pixels[index] = Pixel(rgb: SIMD3<Float>(toSRGB * SIMD3<Double>(pixel.rgb)), alpha: pixel.w)
      }
    }
    let estimated = FlashWhiteEstimate.estimate(small, prior: .balanced) { white in
      let light = toLinear * XYZ(white).vector
      return light.min() > 0 ? light : nil
    }
    guard let estimated else { return nil }
    try set("flash-x", .double(estimated.white.x))
    try set("flash-y", .double(estimated.white.y))
    return estimated
  }

  /// The colours of surfaces in the flash's light, not of pixels: what a phone would show as a thumbnail has them all, and little
  /// noise.
  private func surfaces() throws -> Image {
    guard let flash = match.producer(), let exposureRatio else { return Image(Rectangle(width: 0, height: 0)) }
    let format = try PixelFormat("RGBA float", space: match.outputSpace)
    let frame = try kept(flash, format)
    func noise(_ name: String) -> NoiseModel? { estimate.text(name).flatMap { NoiseModel($0) } }
    let matching = ExposureMatching(exposureRatio, over: frame.bounds)
    let small = FlashOnlyEstimate.small(
      flash: frame, ambient: MatchedFrame(try kept(aligned, format), matching), flashNoise: noise("flash-noise"),
      ambientNoise: noise("ambient-noise"),
      noiseCorrelation: NoiseProperties.correlation(estimate.text("noise-correlation") ?? ""),
      ratioUncertainty: Float(estimate.number("ratio-uncertainty") ?? 0.01), execution: Run.execution)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return reduced(small, toAtMost: 40_000).image
  }
}
