import ConstantColor
import GEGLOperation
import Raster
import Raw

/// A photograph as the sensor saw it.
struct LoadRaw: Source {
  static let name = "constant-color:load-raw"
  static let words = Words(
    title: "Load RAW File",
    description:
      "The picture of a RAW file (DNG, CR2, CR3, NEF, ARW, RAF, ORF, RW2 and what else LibRaw knows) in camera RGB: linear "
      + "light, black subtracted with its noise on both sides, 1 where the sensor clips, no white balance, no clipping.",
    categories: ["input"])

  @Property("path", "The RAW file", isPath: true)
  var path: String
  @Property("half-size", "Half the width and height, without demosaicing (X-Trans: a third): fast, for previews", false)
  var halfSize: Bool
  @Property("orient", "Turned upright, as the camera was held", true)
  var orient: Bool

  private var file: RawFile?

  mutating func prepare(_ preparation: inout Preparation) {
    guard !path.isEmpty else { return }
    switch RawFiles.info(path) {
    case .success: file = RawFiles.file(path)
    case .failure(let error): preparation.warn("\(path): \(error)")
    }
  }

  func bounds() -> Rectangle {
    guard !path.isEmpty, case .success(let info) = RawFiles.info(path) else { return Rectangle(width: 0, height: 0) }
    let side = halfSize ? info.halfSizeSide : 1
    let (width, height) = (info.width / side, info.height / side)
    return orient && info.orientation.swapsSides
      ? Rectangle(width: height, height: width) : Rectangle(width: width, height: height)
  }

  func process(into output: Sink, area: Rectangle, run: Run) {
    guard let frame = file?.unpacked() else { return output.clear(area) }
    let picture = UprightSource(frame.picture(isHalfSize: halfSize), orient ? frame.info.orientation : .upright)
    run.bands(area, to: output) { band, pixels in picture.read(band, into: pixels) }
  }
}
