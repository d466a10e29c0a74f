import ColorScience
import ConstantColor
import GEGL
import GEGLOperation
import Raster

extension DevelopGraph {
  /// Finds the flash's white in the flash-only picture of a camera whose colours are known, and fixes the matrix from its
  /// values to D65. After ``measureFlashOnly()``.
  ///
  /// - Returns: nil, and nothing is fixed, where the camera's model makes no sense of the picture.
  /// - Throws: ``RenderingCancelled`` when cancelled meanwhile.
  public func measureFlashWhite(of camera: CameraColorModel) throws -> FlashWhiteEstimate? {
    let small = try surfaces(try PixelFormat("RGBA float", space: estimate.outputSpace))
    guard let white = FlashWhiteEstimate.estimate(small, neutral: { camera.neutral(of: $0) }),
      let matrix = camera.toD65(neutral: white.neutral)
    else { return nil }
    try set("matrix", .string(matrix.rowMajor.map { "\($0)" }.joined(separator: " ")))
    return white
  }

  /// Finds the flash's white in the flash-only picture of frames that the camera balanced one by one, and fixes it. After
  /// ``measureFlashOnly()``.
  ///
  /// - Returns: nil, and nothing is fixed, where the frames share their balance: then the flash is what that was set for.
  /// - Throws: ``RenderingCancelled`` when cancelled meanwhile.
  public func measureBalancedFlashWhite() throws -> FlashWhiteEstimate? {
    // A ratio of 0 is green's.
    let green = match.number("exposure-ratio")
    let others = ["red-ratio", "blue-ratio"].compactMap { match.number($0) }.filter { $0 > 0 }
    let isOwn = try match.value("balance") == .choice("own") || others.contains { $0 != green }
    guard isOwn, let toLinear = RGBSpace.sRGB.toXYZ.inverse else { return nil }
    let small = try surfaces(try PixelFormat("RGBA float"))
    let estimated = FlashWhiteEstimate.estimate(small, prior: .balanced) { white in
      let light = toLinear * XYZ(white).vector
      return light.min() > 0 ? light : nil
    }
    guard let estimated else { return nil }
    try set("flash-x", .double(estimated.white.x))
    try set("flash-y", .double(estimated.white.y))
    return estimated
  }

  /// The colours of surfaces, not of pixels: what a phone would show as a thumbnail has them all, and little noise.
  private func surfaces(_ format: PixelFormat) throws -> Image {
    let small = reduced(try NodeSource(estimate, format: format), toAtMost: 40_000, execution: .serial)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return small.image
  }
}
