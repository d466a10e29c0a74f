import Photo

/// The metadata of a frame, as a camera writes them.
struct Exposure {
  /// The exposure time is 1/`perSecond` s.
  let perSecond: Int64
  let iso: UInt16
  let flashFired: Bool
  /// As "2026:01:01 12:00:00".
  let time: String

  /// A block of EXIF: the camera and the exposure (CIPA DC-008, "Exif 2.32").
  var block: ExifBlock {
    ExifBlock(
      // Texts of an even length, as some cameras write them.
      image: [.text(271, "constant-color\0"), .text(272, "Rendered still life")],
      exposure: [
        .rational(33434, 1, perSecond), .rational(33437, 56, 10), .short(34855, iso), .text(36867, time),
        .short(37385, flashFired ? 1 : 16),
        // White balance: set by the photographer, the same for both frames.
        .short(41987, 1),
      ])
  }
}
