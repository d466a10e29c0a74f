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
    let format = try PixelFormat("RGBA float", space: estimate.outputSpace)
    // Colours of surfaces, not of pixels: what a phone would show as a thumbnail has them all, and little noise.
    let small = reduced(try NodeSource(estimate, format: format), toAtMost: 40_000, execution: .serial)
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    guard let white = FlashWhiteEstimate.estimate(small.image, neutral: { camera.neutral(of: $0) }),
      let matrix = camera.toD65(neutral: white.neutral)
    else { return nil }
    try set("matrix", .string(matrix.rowMajor.map { "\($0)" }.joined(separator: " ")))
    return white
  }
}
