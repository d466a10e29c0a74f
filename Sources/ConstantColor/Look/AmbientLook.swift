import Raster

/// The scene's own colours in the room's own light: chromaticity from the constant-colour picture, luminance from the
/// white-balanced ambient frame.
///
/// What the flash makes of a scene is right in colour, but lit from the camera: the room's shadows are gone, and its depth
/// with them. Each pixel here has the luminance that the ambient frame gives it, so that shadows and highlights are the
/// room's, and the colour that both pictures give it, weighed by what is known of their errors: the constant-colour picture's by the
/// confidence, the ambient frame's by what a white balance usually leaves. So at lamps, reflections of the flash, moving
/// things, and edges where the frames lie a little apart, the colour is the ambient frame's as well, and fits its luminance.
///
/// Noise is the ambient frame's, which in a dark room has much of it: it is averaged over what neither frame shows to differ
/// (``EdgeAvoidingFilter``).
public struct AmbientLook: Sendable {
  /// How far the result at a pixel looks, in pixels.
  public static let margin = AmbientLookTile.margin

  /// The noise of the ambient picture's luminance: variance = gain · luminance + floor.
  public var noise: (gain: Float, floor: Float)
  /// The colour error (ΔE00) that the confidence speaks of.
  public var tolerance: Float = 3

  /// A look for an ambient picture with such noise; coefficients that are negative or not finite count as 0.
  public init(gain: Float, floor: Float) {
    func defined(_ value: Float) -> Float { value > 0 && value.isFinite ? value : 0 }
    noise = (defined(gain), defined(floor))
  }

  /// A look for an ambient picture, whose noise is measured.
  ///
  /// - Parameter ambient: linear sRGB primaries under D65.
  public init(measuring ambient: some PixelSource, execution: Execution = .serial) {
    let model = NoiseEstimation.estimate(LuminanceSource(picture: ambient), execution: execution)
    self.init(gain: model.gain.y, floor: model.floor.y)
  }

  /// Writes the picture.
  ///
  /// - Parameters:
  ///   - rectangle: the pixels to compute; pieces give the same bits as the whole.
  ///   - colour: the constant-colour picture: linear sRGB primaries under D65, unbounded.
  ///   - ambient: the white-balanced ambient frame, likewise.
  ///   - confidence: 0...1 in the first channel; nil: colour is trusted everywhere.
  ///   - output: `rectangle.count` pixels, row after row; alpha is 1.
  public func process(
    _ rectangle: Rectangle, colour: some PixelSource, ambient: some PixelSource, confidence: (any PixelSource)?,
    into output: MutablePixels, execution: Execution = .serial
  ) {
    guard output.count >= rectangle.count else { return }
    nonisolated(unsafe) let output = output
    forEachTile(of: rectangle, colour: colour, ambient: ambient, confidence: confidence, execution: execution) {
      output.take($1, of: $0, in: rectangle)
    }
  }

  /// Computes the picture tile by tile, possibly several at the same time, and hands each to `body`: where it lies, and its
  /// pixels, row after row. Otherwise like ``process(_:colour:ambient:confidence:into:execution:)``; after a cancellation
  /// tiles are left out.
  public func forEachTile(
    of rectangle: Rectangle, colour: some PixelSource, ambient: some PixelSource, confidence: (any PixelSource)?,
    execution: Execution = .serial, _ body: (Rectangle, MutablePixels) -> Void
  ) {
    nonisolated(unsafe) let sources = (colour: colour, ambient: ambient, confidence: confidence)
    execution.forEachTile(
      of: rectangle, width: AmbientLookTile.width, height: AmbientLookTile.height, make: { AmbientLookTile(self) },
      run: { work, tile, pixels in
        work.run(
          tile, colour: sources.colour, ambient: sources.ambient, confidence: sources.confidence, into: pixels)
      }, body)
  }
}

/// The luminance of a picture in linear sRGB primaries, in every channel.
private struct LuminanceSource<Picture: PixelSource>: PixelSource {
  let picture: Picture

  var bounds: Rectangle { picture.bounds }

  func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    picture.read(rectangle, into: destination)
    for index in 0..<destination.count {
      let pixel = destination[index]
      destination[index] = Pixel(rgb: SIMD3(repeating: pixel.rgb.luminance), alpha: pixel.w)
    }
  }
}

extension SIMD3 where Scalar == Float {
  /// The relative luminance of linear sRGB primaries (IEC 61966-2-1).
  @inline(__always) var luminance: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }
}

extension ColorVector {
  /// See ``SIMD3/luminance``.
  @inline(__always) var luminance: Vector8 { x * 0.2126 + y * 0.7152 + z * 0.0722 }
}
