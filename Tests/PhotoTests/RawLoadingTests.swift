import GEGL
import Photo
import Raster
import Raw
import TestSupport
import Testing

/// RAW files among the pictures.
@Suite struct RawLoadingTests {
  let folder: TemporaryFolder

  init() throws {
    Library.start()
    folder = try TemporaryFolder()
  }

  static func frame() -> DNGFile {
    var dng = DNGFile(
      width: 300, height: 200, samples: (0..<60000).map { UInt16(truncatingIfNeeded: 256 + ($0 * 7919) % 3500) })
    dng.black = (1, 1, [256])
    dng.white = [3900]
    return dng
  }

  @Test(arguments: 1...8 as ClosedRange<UInt16>) func loadsUprightCameraValues(tag: UInt16) throws {
    var dng = Self.frame()
    dng.orientation = tag
    dng.isBehindThumbnail = tag % 2 == 0
    // The name says TIFF; the content counts.
    try folder.write(dng.file, "frame.tif")
    let path = folder.path + "/frame.tif"
    let picture = try PictureLoader.load(path)
    #expect(picture.file.kind == .raw && picture.isCameraRGB)
    #expect((picture.file.width, picture.file.height) == (300, 200))
    #expect(picture.buffer.format?.encoding == "RGB float")
    #expect(picture.metadata.make == "Maker" && picture.metadata.model == "Model 1")
    let orientation = Orientation(tag: Int(tag))
    #expect(picture.metadata.orientation == orientation)
    let expected = UprightSource(try RawFrame(path).picture(), orientation)
    #expect(picture.buffer.extent == expected.bounds)
    let floats = try picture.buffer.read(picture.buffer.extent, format: PixelFormat("RGB float"), as: Float.self)
    let pixels = expected.image(expected.bounds).pixels
    #expect(floats == pixels.flatMap { [$0.x, $0.y, $0.z] })
  }

  @Test(arguments: Orientation.allCases) func placesInTheStoredFrameFindTheirPixels(_ orientation: Orientation) {
    let (width, height) = orientation.swapsSides ? (200, 300) : (300, 200)
    for (x, y) in [(0, 0), (width - 1, 0), (17, 90), (width - 1, height - 1)] {
      let stored = orientation.stored(x: x, y: y, width: 300, height: 200)
      let place = orientation.uprightPlace(
        ofStored: SIMD2(Double(stored.x), Double(stored.y)), width: 300, height: 200)
      #expect(place == SIMD2(Double(x), Double(y)))
    }
  }

  @Test func errorsNameTheFileInOneLine() throws {
    try folder.write(Array(Self.frame().file.prefix(5000)), "cut.dng")
    try folder.write(Array("II*\0 nothing".utf8), "bad.nef")
    for name in ["cut.dng", "bad.nef"] {
      let path = folder.path + "/" + name
      let message = message { _ = try PictureLoader.load(path) }
      #expect(message?.hasPrefix(path + ": ") == true)
      #expect(message?.contains("\n") == false)
    }
  }
}
