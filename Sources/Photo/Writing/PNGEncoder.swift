import CZlib
import GEGL
import Raster

/// PNG (ISO/IEC 15948), 8 or 16 bit, grey or RGB.
///
/// Written here rather than by libpng because its compression runs on one thread: at 16 bit that is
/// most of the time of a whole run. Blocks of rows are compressed side by side and joined.
struct PNGEncoder {
  private let layout: PictureLayout
  private let attachments: PictureAttachments
  private let execution: Execution

  /// Blocks are cut at a fixed size, so that the file does not depend on the number of threads.
  private static let blockSize = 512 << 10

  init(_ layout: PictureLayout, _ attachments: PictureAttachments, _ execution: Execution) {
    self.layout = layout
    self.attachments = attachments
    self.execution = execution
  }

  func write(_ bands: Bands, to file: AtomicFile) throws {
    try file.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    try writeHeader(to: file)
    var previousRow = [UInt8](repeating: 0, count: layout.rowBytes)
    var checksum: UInt = 1
    var isFirst = true
    try bands.forEach { rows, band in
      let blocks = try compress(band, after: previousRow, isLast: rows.upperBound == layout.height)
      for block in blocks {
        try chunk("IDAT", isFirst ? Deflate.header + block.bytes : block.bytes, to: file)
        isFirst = false
        checksum = adler32_combine(checksum, block.checksum, block.length)
      }
      previousRow = Array(band[(band.count - layout.rowBytes)...])
    }
    var trailer = ByteWriter()
    trailer.big(UInt32(truncatingIfNeeded: checksum))
    try chunk("IDAT", trailer.bytes, to: file)
    try chunk("IEND", [], to: file)
  }

  private func writeHeader(to file: AtomicFile) throws {
    var header = ByteWriter()
    header.big(UInt32(layout.width))
    header.big(UInt32(layout.height))
    header.bytes += [layout.sample == .uint8 ? 8 : 16, layout.channels == 1 ? 0 : 2, 0, 0, 0]
    try chunk("IHDR", header.bytes, to: file)
    if let icc = attachments.icc {
      var profile = ByteWriter()
      profile.text("ICC profile", terminated: true)
      try chunk("iCCP", profile.bytes + [0] + icc.withUnsafeBytes { Deflate.stream($0) }, to: file)
    }
    if let exif = attachments.exif { try chunk("eXIf", exif.bytes(), to: file) }
  }

  private func chunk(_ name: String, _ bytes: [UInt8], to file: AtomicFile) throws {
    var head = ByteWriter()
    head.big(UInt32(truncatingIfNeeded: bytes.count))
    head.text(name)
    let crc = bytes.withUnsafeBytes { body in
      head.bytes[4...].withUnsafeBytes { Deflate.crc(body, after: Deflate.crc($0)) }
    }
    var tail = ByteWriter()
    tail.big(UInt32(truncatingIfNeeded: crc))
    try file.write(head.bytes)
    try file.write(bytes)
    try file.write(tail.bytes)
  }

  private struct Block {
    var bytes: [UInt8] = []
    var checksum: UInt = 1
    var length = 0
  }

  private func compress(
    _ band: UnsafeRawBufferPointer, after previous: [UInt8], isLast: Bool
  ) throws -> [Block] {
    let rowBytes = layout.rowBytes
    let rows = band.count / rowBytes
    let blockRows = max(1, Self.blockSize / (rowBytes + 1))
    let count = (rows + blockRows - 1) / blockRows
    nonisolated(unsafe) let band = band
    let blocks = execution.map(count, placeholder: Block()) { index in
      let range = index * blockRows..<min(rows, (index + 1) * blockRows)
      let filtered = previous.withUnsafeBytes { filter(band, rows: range, before: $0) }
      return filtered.withUnsafeBytes { bytes in
        Block(
          bytes: Deflate.part(bytes, isLast: isLast && index == count - 1),
          checksum: Deflate.checksum(bytes), length: bytes.count)
      }
    }
    if execution.cancellation.isCancelled { throw RenderingCancelled() }
    return blocks
  }

  /// Each row with its filter byte: Paeth for the best prediction of photographs at a fixed cost.
  private func filter(
    _ band: UnsafeRawBufferPointer, rows: Range<Int>, before: UnsafeRawBufferPointer
  ) -> [UInt8] {
    let rowBytes = layout.rowBytes
    return [UInt8](unsafeUninitializedCapacity: rows.count * (rowBytes + 1)) { output, count in
      var to = 0
      for row in rows {
        let current = UnsafeRawBufferPointer(rebasing: band[(row * rowBytes)..<((row + 1) * rowBytes)])
        let above =
          row == 0 ? before : UnsafeRawBufferPointer(rebasing: band[((row - 1) * rowBytes)..<(row * rowBytes)])
        output[to] = 2
        let line = UnsafeMutableBufferPointer(rebasing: output[(to + 1)...])
        subtract(current, above, into: line)
        to += rowBytes + 1
      }
      count = to
    }
  }

  private func subtract(
    _ current: UnsafeRawBufferPointer, _ above: UnsafeRawBufferPointer, into line: UnsafeMutableBufferPointer<UInt8>
  ) {
    let swaps = layout.sample == .uint16
    for index in 0..<layout.rowBytes {
      // Sixteen bits are stored with the high byte first.
      let place = swaps ? index ^ 1 : index
      line[index] = current[place] &- above[place]
    }
  }
}
