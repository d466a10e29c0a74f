import Calibration
import Development
import GEGL
import GEGLOperation
import Photo
import Raster

extension LoadedPicture {
  /// The picture's linear values in its own RGB. Throws ``InputError``.
  func frame() throws -> BufferSource {
    let format = try PixelFormat("RGBA float", space: buffer.format?.space)
    guard let frame = BufferSource(buffer, format: format) else {
      throw InputError("\(file.path): has no pixels to measure")
    }
    return frame
  }

  /// The chart in the picture.
  ///
  /// - Parameter light: what it is looked for in: the picture, or what was made of it.
  /// - Throws: ``InputError`` where there is none, `RenderingCancelled`.
  func findChart(in light: some PixelSource) throws -> ChartGeometry {
    do {
      return try ChartFinder.find(in: light, execution: Run.execution).geometry
    } catch ChartError.cancelled {
      throw RenderingCancelled()
    } catch { throw InputError("\(file.path): \(error)") }
  }
}

extension LoadedPair {
  /// The numbers that profiles are made of: those of a camera as they are, others in linear sRGB, whatever space they are tagged with.
  func measuredFormat() throws -> PixelFormat {
    try PixelFormat("RGBA float", space: isCameraRGB ? flash.buffer.format?.space : ColorSpace(named: "sRGB"))
  }
}
