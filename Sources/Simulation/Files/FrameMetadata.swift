import Photo

/// What the file of a frame says of how it was taken.
struct FrameMetadata {
  let camera: CameraModel
  let frame: Simulator.Frame

  /// Software and time.
  var imageTags: [TIFFTag] { [.text(305, "constant-color, simulated"), .text(306, date)] }

  /// The Exif directory (CIPA DC-008, "Exif 2.32").
  var exposureTags: [TIFFTag] {
    [
      .rational(33434, 1, Int64(frame.exposure.perSecond)), fraction(33437, camera.fNumber), .short(34850, 2),
      .short(34855, UInt16(clamping: frame.exposure.iso)),
      TIFFTag(36864, type: 7, count: 4, bytes: Array("0232".utf8)), .text(36867, date), .text(36868, date),
      .short(37385, frame.isFlash ? 9 : 16), fraction(37386, camera.focalLength), .text(37521, subsecond),
      .text(37522, subsecond), .short(41986, 0), .short(41987, 0),
    ]
  }

  /// Everything, for formats that take a block of EXIF.
  func exif(orientation: UInt16) -> ExifBlock {
    ExifBlock(
      image: [.text(271, camera.make), .text(272, camera.model), .short(274, orientation)] + imageTags,
      exposure: exposureTags)
  }

  private func fraction(_ tag: UInt16, _ value: Double) -> TIFFTag {
    .rational(tag, Int64((value * 10).rounded()), 10)
  }

  private var subsecond: String { padded(frame.time % 1000, 3) }

  /// From nine o'clock of a day on, a pair a second.
  private var date: String {
    let seconds = frame.time / 1000
    let (hour, minute, second) = (9 + seconds / 3600 % 12, seconds / 60 % 60, seconds % 60)
    return "2026:03:01 \(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
  }

  private func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
