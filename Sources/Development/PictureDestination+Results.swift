import ColorScience
import GEGL
import GEGLOperation
import Photo
import Raster

/// Results as files: rendered pictures with their space and metadata, and plain maps.
extension PictureDestination {
  /// Writes a rendered picture in its own colour space; it appears whole or not at all.
  ///
  /// - Parameters:
  ///   - box: where the picture is.
  ///   - space: the space that the file names, and the same for pixels.
  ///   - float: whether a TIFF has floats.
  ///   - execution: by default that of the operations, whose token stops the writing, too.
  ///   - read: gives the pixels of consecutive bands, in a format: linear light.
  /// - Throws: `PhotoError`, `RenderingCancelled`, or what `read` throws.
  public func writePicture(
    _ box: Rectangle, space: RGBSpace, _ pixelSpace: ColorSpace?, exif: ExifBlock?, float: Bool = false,
    execution: Execution = Run.execution, read: (Rectangle, PixelFormat, UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let sample = format.sample(float: float)
    let encoder = PixelEncoder(space, isLinear: format == .openEXR)
    let layout = PictureLayout(width: box.width, height: box.height, channels: 3, sample: sample)
    let attachments = PictureAttachments(
      icc: space.iccProfile, exif: exif, chromaticities: PictureChromaticities(space))
    try write(layout, attachments, execution: execution) { rows, bytes in
      let band = Rectangle(x: box.x, y: box.y + rows.lowerBound, width: box.width, height: rows.count)
      try encoder.encodeBand(band, pixelSpace, as: sample, into: bytes, execution, read: read)
      if execution.cancellation.isCancelled { throw RenderingCancelled() }
    }
  }

  /// Writes a map of values 0...1 as plain linear numbers; it appears whole or not at all.
  ///
  /// - Parameters:
  ///   - execution: as for ``writePicture(_:space:_:exif:float:execution:read:)``.
  ///   - values: gives the values of consecutive bands.
  /// - Throws: `PhotoError`, `RenderingCancelled`, or what `values` throws.
  public func writeMap(
    _ box: Rectangle, exif: ExifBlock?, float: Bool = false, execution: Execution = Run.execution,
    values: (Rectangle) throws -> [Float]
  ) throws {
    let sample = format.sample(float: float)
    let layout = PictureLayout(width: box.width, height: box.height, channels: 1, sample: sample)
    try write(layout, PictureAttachments(exif: exif), execution: execution) { rows, bytes in
      let band = Rectangle(x: box.x, y: box.y + rows.lowerBound, width: box.width, height: rows.count)
      for (index, value) in try values(band).enumerated() {
        sample.store(value, in: bytes, at: index)
      }
    }
  }
}

extension PictureChromaticities {
  /// Those of a space.
  public init(_ space: RGBSpace) {
    func pair(_ point: Chromaticity) -> SIMD2<Float> { SIMD2(Float(point.x), Float(point.y)) }
    self.init(red: pair(space.red), green: pair(space.green), blue: pair(space.blue), white: pair(space.white))
  }
}

extension LoadedPicture {
  /// What a result of this frame says of how it was taken.
  ///
  /// - Parameter size: the result's; nil for the frame's own.
  public func exifOfResult(isSRGB: Bool, size: (width: Int, height: Int)? = nil) -> ExifBlock {
    (metadata.exif ?? ExifBlock()).forResult(
      width: size?.width ?? width, height: size?.height ?? height, isSRGB: isSRGB, version: PairDevelopment.version)
  }
}
