import Photo

/// The metadata of a frame, as a camera writes them.
struct Exposure {
  /// The exposure time is 1/`perSecond` s.
  let perSecond: UInt32
  let iso: UInt16
  let flashFired: Bool
  /// As "2026:01:01 12:00:00".
  let time: String

  /// A block of EXIF: a directory of the camera and one of the exposure, values in ascending order.
  var block: ExifBlock? {
    let make = ascii("constant-color")
    let model = ascii("Rendered still life")
    let date = ascii(time)
    // Sizes are fixed: an eight byte head, a directory of 3 tags, one of 6 tags, then the longer values.
    let exposureDirectory: UInt32 = 8 + 2 + 3 * 12 + 4
    let values = exposureDirectory + 2 + 6 * 12 + 4
    let places = [make, model, date, [], []].reduce(into: [values]) { $0.append(($0.last ?? 0) + UInt32($1.count)) }

    var bytes = Array("II".utf8) + little(UInt16(42)) + little(UInt32(8))
    bytes += directory([
      tag(271, 2, make.count, places[0]), tag(272, 2, model.count, places[1]), tag(34665, 4, 1, exposureDirectory),
    ])
    bytes += directory([
      tag(33434, 5, 1, places[3]), tag(33437, 5, 1, places[3] + 8), tag(34855, 3, 1, UInt32(iso)),
      tag(36867, 2, date.count, places[2]), tag(37385, 3, 1, flashFired ? 1 : 16),
      // White balance: set by the photographer, the same for both frames.
      tag(41987, 3, 1, 1),
    ])
    bytes += make + model + date
    bytes += little(UInt32(1)) + little(perSecond) + little(UInt32(56)) + little(UInt32(10))
    return ExifBlock(bytes)
  }
}

private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}

/// Text with its closing zero, padded to an even length.
private func ascii(_ text: String) -> [UInt8] {
  let bytes = Array(text.utf8) + [0]
  return bytes.count % 2 == 0 ? bytes : bytes + [0]
}

private func tag(_ number: UInt16, _ type: UInt16, _ count: Int, _ value: UInt32) -> [UInt8] {
  little(number) + little(type) + little(UInt32(count)) + little(value)
}

private func directory(_ tags: [[UInt8]]) -> [UInt8] {
  little(UInt16(tags.count)) + tags.flatMap { $0 } + little(UInt32(0))
}
