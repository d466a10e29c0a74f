import Raster

/// TIFF 6.0, or BigTIFF where the picture needs more than 32-bit offsets; grey or RGB; uncompressed.
///
/// Uncompressed, because any program reads it and nothing is faster; photographic noise at 16 bit
/// leaves lossless compression little to gain. Those who want small files choose PNG.
struct TIFFEncoder {
  private let layout: PictureLayout
  private let attachments: PictureAttachments
  private let rowsPerStrip: Int
  private let isBig: Bool

  init(_ layout: PictureLayout, _ attachments: PictureAttachments) {
    self.layout = layout
    self.attachments = attachments
    rowsPerStrip = min(layout.height, max(1, (256 << 10) / layout.rowBytes))
    isBig = Self.isBig(layout)
  }

  /// Beyond 4 GB, with room for the directory, the profile and the strip tables.
  static func isBig(_ layout: PictureLayout) -> Bool {
    let (bytes, overflows) = layout.rowBytes.multipliedReportingOverflow(by: layout.height)
    return overflows || bytes > 0xF000_0000
  }

  func write(_ bands: Bands, to file: AtomicFile) throws {
    var header = ByteWriter()
    header.text("II")
    header.little(UInt16(isBig ? 43 : 42))
    if isBig { header.bytes += [8, 0, 0, 0] }
    header.bytes += [UInt8](repeating: 0, count: isBig ? 8 : 4)
    try file.write(header.bytes)
    // Pixels at a multiple of 16, which readers that map the file like.
    try file.write([UInt8](repeating: 0, count: 16 - header.bytes.count % 16))
    let start = file.count
    try bands.forEach { _, band in try file.write(band) }
    if file.count % 2 == 1 { try file.write([0]) }
    let directory = file.count
    try file.write(
      (attachments.exif ?? ExifBlock()).directories(at: directory, big: isBig, image: tags(pixelsAt: start)))
    var offset = ByteWriter()
    if isBig { offset.little(directory) } else { offset.little(UInt32(truncatingIfNeeded: directory)) }
    try file.overwrite(offset.bytes, at: isBig ? 8 : 4)
  }

  private func tags(pixelsAt start: UInt64) -> [TIFFTag] {
    let bits = UInt16(layout.sample.rawValue * 8)
    let isFloat = layout.sample == .float32
    let grey = layout.channels == 1
    let strips = (layout.height + rowsPerStrip - 1) / rowsPerStrip
    let stripBytes = rowsPerStrip * layout.rowBytes
    let offsets = (0..<strips).map { start + UInt64($0) * UInt64(stripBytes) }
    let counts = (0..<strips).map { min(rowsPerStrip, layout.height - $0 * rowsPerStrip) * layout.rowBytes }
    let structure: [TIFFTag] = [
      .long(256, UInt32(layout.width)), .long(257, UInt32(layout.height)),
      grey ? .short(258, bits) : .short(258, bits, bits, bits),
      .short(259, 1), .short(262, grey ? 1 : 2),
      isBig
        ? .numbers(273, type: 16, offsets)
        : .numbers(273, type: 4, offsets.map { UInt32(truncatingIfNeeded: $0) }),
      .short(277, UInt16(layout.channels)), .long(278, UInt32(rowsPerStrip)),
      .numbers(279, type: 4, counts.map { UInt32($0) }),
      .short(284, 1),
      isFloat ? (grey ? .short(339, 3) : .short(339, 3, 3, 3)) : (grey ? .short(339, 1) : .short(339, 1, 1, 1)),
    ]
    let profile = attachments.icc.map { [TIFFTag(34675, type: 7, count: UInt64($0.count), bytes: $0)] } ?? []
    let own = structure + profile
    let taken = Set(own.map(\.number))
    var result = own + (attachments.exif?.image ?? []).filter { !taken.contains($0.number) }
    if !result.contains(where: { $0.number == ExifBlock.Tag.orientation }) {
      result.append(.short(ExifBlock.Tag.orientation, 1))
    }
    return result
  }
}
