import Raster

/// The signed difference of two frames, computed as it is read, so that it needs no memory.
public struct FrameDifference: PixelSource {
  private let flash: any PixelSource
  private let ambient: (any PixelSource)?

  /// The difference of the flash frame and the matched ambient frame; without one, the flash frame.
  public init(flash: any PixelSource, ambient: (any PixelSource)?) { (self.flash, self.ambient) = (flash, ambient) }

  /// Where the flash frame has pixels.
  public var bounds: Rectangle { flash.bounds }

  /// See ``PixelSource/read(_:into:)`` and ``AmbientSubtraction/process(flash:ambient:into:)``.
  public func read(_ rectangle: Rectangle, into destination: MutablePixels) {
    flash.read(rectangle, into: destination)
    let flash = destination.readable
    guard let ambient else { return AmbientSubtraction().process(flash: flash, ambient: nil, into: destination) }
    ambient.image(rectangle).withPixels {
      AmbientSubtraction().process(flash: flash, ambient: $0, into: destination)
    }
  }
}
