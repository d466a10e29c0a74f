import ColorScience
import GEGL
import Glibc
import JSONValue
import Photo

/// Renders the sample pair of the demo into a folder: `flash.png` and `ambient.png`, as a camera in the hand takes
/// them, `truth.png`, what the flash alone lights, without noise, and `alignment.json`, how the frames lie.
///
/// The same pixels come out on every run.
@main enum DemoPair {
  private static let width = 960
  private static let height = 640

  static func main() {
    guard CommandLine.arguments.count == 2 else { fail("usage: DemoPair FOLDER", status: 2) }
    Library.start()
    do { try render(into: CommandLine.arguments[1]) } catch { fail("\(error)", status: 1) }
  }

  private static func render(into folder: String) throws {
    let scene = Scene.stillLife
    let steady = Camera(width: width, height: height)
    let shaken = Camera(width: width, height: height, turn: [0.0023, -0.0017, 0.0022])
    let flash = steady.image { scene.radiance($0, .flash) }
    let ambient = steady.image { scene.radiance($0, .ambient) }
    let moved = shaken.image { scene.radiance($0, .ambient) }

    // The ambient frame is exposed twice as long: 1/60 is really 1/64 s, 1/125 really 1/128 s.
    try write(
      Camera.expose(zip(flash, ambient).map { $0 + $1 }, seed: 1), to: folder + "/flash.png",
      Exposure(perSecond: 125, iso: 200, flashFired: true, time: "2026:01:01 12:00:00"))
    try write(
      Camera.expose(moved.map { $0 * 2 }, seed: 2), to: folder + "/ambient.png",
      Exposure(perSecond: 60, iso: 200, flashFired: false, time: "2026:01:01 12:00:02"))
    try write(flash, to: folder + "/truth.png", nil)
    let file = try AtomicFile(folder + "/alignment.json")
    try file.write(Array(JSON.object(["matrix": JSON(shaken.movement)]).text().utf8))
    try file.commit()
  }

  /// Writes linear sRGB as a 16-bit sRGB picture.
  private static func write(_ pixels: [Vector], to path: String, _ exposure: Exposure?) throws {
    let layout = PictureLayout(width: width, height: height, channels: 3, sample: .uint16)
    let attachments = PictureAttachments(icc: RGBSpace.sRGB.iccProfile, exif: exposure?.block)
    try PictureDestination(path).write(layout, attachments) { rows, bytes in
      var offset = 0
      for pixel in pixels[(rows.lowerBound * width)..<(rows.upperBound * width)] {
        for channel in 0..<3 {
          let value = TransferFunction.sRGB.encode(Double(min(max(pixel[channel], 0), 1)))
          bytes.storeBytes(of: UInt16(value * 65535 + 0.5), toByteOffset: offset, as: UInt16.self)
          offset += 2
        }
      }
    }
  }

  private static func fail(_ sentence: String, status: Int32) -> Never {
    let line = Array("DemoPair: \(sentence)\n".utf8)
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(status)
  }
}
