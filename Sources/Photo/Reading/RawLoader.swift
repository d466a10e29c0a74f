import CGEGL
import ConstantColor
import GEGL
import Raster
import Raw

/// Loads RAW files: the sensor's numbers are demosaiced in bands, straight into the buffer and upright.
enum RawLoader {
  static func load(
    _ file: PictureFile, _ metadata: Metadata, _ orientation: Orientation?, _ frame: RawFrame
  ) throws -> LoadedPicture {
    // EXIF's orientation first, as for other files; LibRaw knows formats that exiv2 does not.
    let written = metadata.exif?.image.contains { $0.number == ExifBlock.Tag.orientation } == true
    let turn = orientation ?? (written ? metadata.orientation : frame.info.orientation)
    let buffer = try buffer(of: UprightSource(frame.picture(), turn), swapsSides: turn.swapsSides)
    var metadata = metadata
    metadata.orientation = turn
    metadata.make = metadata.make ?? trimmed(frame.info.make)
    metadata.model = metadata.model ?? trimmed(frame.info.model)
    let noise = metadata.dng?.noise.map {
      $0.demosaiced(by: frame.varianceFactors, neutral: frame.info.whiteInCamera)
    }
    return LoadedPicture(
      file: file, buffer: buffer, metadata: metadata, notes: frame.notes, raw: frame.info, noise: noise,
      noiseCorrelation: frame.noiseCorrelation)
  }

  /// Camera values are nominally linear sRGB; three floats a pixel.
  private static func buffer(of picture: some PixelSource, swapsSides: Bool) throws -> Buffer {
    let format = try PixelFormat("RGB float")
    let buffer = try Buffer(picture.bounds, format: format)
    // Rows of a turned picture are columns of the stored one: more of them at once.
    let bands = picture.bounds.bands(of: swapsSides ? 256 : 64)
    nonisolated(unsafe) let picture = picture
    Library.parallelFor(bands.count) { turns in
      for index in turns {
        let band = bands[index]
        let floats = UnsafeMutableBufferPointer<Float>.allocate(capacity: band.count * 4)
        defer { floats.deallocate() }
        floats.initialize(repeating: 0)
        picture.read(band, into: MutablePixels(floats.baseAddress, count: band.count))
        // Without alpha, in place.
        for index in 0..<band.count {
          for channel in 0..<3 { floats[3 * index + channel] = floats[4 * index + channel] }
        }
        var area = GeglRectangle(band)
        gegl_buffer_set(buffer.pointer, &area, 0, format.babl, floats.baseAddress, 0)
      }
    }
    return buffer
  }
}
