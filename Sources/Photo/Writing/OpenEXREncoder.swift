import GEGL
import Raster

/// OpenEXR 2 scan lines, 32-bit float, ZIP compression ("OpenEXR File Layout", openexr.com).
///
/// Written here because the library's own zip runs on its own threads and outside ``AtomicFile``.
struct OpenEXREncoder {
  private let layout: PictureLayout
  private let attachments: PictureAttachments
  private let execution: Execution

  /// The rows of a block with ZIP compression, by definition.
  private static let blockRows = 16

  init(_ layout: PictureLayout, _ attachments: PictureAttachments, _ execution: Execution) {
    self.layout = layout
    self.attachments = attachments
    self.execution = execution
  }

  func write(_ bands: Bands, to file: AtomicFile) throws {
    try file.write(header())
    let table = file.count
    let blocks = (layout.height + Self.blockRows - 1) / Self.blockRows
    try file.write([UInt8](repeating: 0, count: blocks * 8))
    var offsets = ByteWriter()
    try bands.forEach { rows, band in
      for (y, bytes) in try compress(rows, band) {
        offsets.little(file.count)
        var head = ByteWriter()
        head.little(Int32(y))
        head.little(UInt32(bytes.count))
        try file.write(head.bytes)
        try file.write(bytes)
      }
    }
    try file.overwrite(offsets.bytes, at: table)
  }

  private func header() -> [UInt8] {
    var writer = ByteWriter()
    writer.little(UInt32(20_000_630))
    writer.little(UInt32(2))
    func attribute(_ name: String, _ type: String, _ fill: (inout ByteWriter) -> Void) {
      var value = ByteWriter()
      fill(&value)
      writer.text(name, terminated: true)
      writer.text(type, terminated: true)
      writer.little(UInt32(value.bytes.count))
      writer.bytes += value.bytes
    }
    func window(_ value: inout ByteWriter) {
      for number in [0, 0, layout.width - 1, layout.height - 1] { value.little(Int32(number)) }
    }
    attribute("channels", "chlist") { value in
      for name in layout.channels == 1 ? ["Y"] : ["B", "G", "R"] {
        value.text(name, terminated: true)
        value.little(UInt32(2))
        value.little(UInt32(0))
        value.little(UInt32(1))
        value.little(UInt32(1))
      }
      value.bytes.append(0)
    }
    if let space = attachments.chromaticities {
      attribute("chromaticities", "chromaticities") { value in
        for point in [space.red, space.green, space.blue, space.white] {
          value.little(point.x.bitPattern)
          value.little(point.y.bitPattern)
        }
      }
    }
    attribute("compression", "compression") { $0.bytes.append(3) }
    attribute("dataWindow", "box2i", window)
    attribute("displayWindow", "box2i", window)
    attribute("lineOrder", "lineOrder") { $0.bytes.append(0) }
    attribute("pixelAspectRatio", "float") { $0.little(Float(1).bitPattern) }
    attribute("screenWindowCenter", "v2f") { $0.little(UInt64(0)) }
    attribute("screenWindowWidth", "float") { $0.little(Float(1).bitPattern) }
    for (name, number) in attachments.exif?.numbersForOpenEXR ?? [] {
      attribute(name, "float") { $0.little(number.bitPattern) }
    }
    for (name, text) in attachments.exif?.textsForOpenEXR ?? [] {
      attribute(name, "string") { $0.text(text) }
    }
    writer.bytes.append(0)
    return writer.bytes
  }

  private func compress(_ rows: Range<Int>, _ band: UnsafeRawBufferPointer) throws -> [(Int, [UInt8])] {
    let count = (rows.count + Self.blockRows - 1) / Self.blockRows
    nonisolated(unsafe) let band = band
    let blocks: [[UInt8]] = execution.map(count, placeholder: []) { index in
      let first = index * Self.blockRows
      return block(band, first..<min(rows.count, first + Self.blockRows))
    }
    if execution.cancellation.isCancelled { throw RenderingCancelled() }
    return blocks.enumerated().map { (rows.lowerBound + $0.offset * Self.blockRows, $0.element) }
  }

  /// Rows as OpenEXR wants them: a line's channels one after the other, in the order of their names.
  private func block(_ band: UnsafeRawBufferPointer, _ rows: Range<Int>) -> [UInt8] {
    let size = rows.count * layout.rowBytes
    let planar = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      UnsafeMutableRawBufferPointer(bytes).withMemoryRebound(to: UInt32.self) { samples in
        var to = 0
        for row in rows {
          let line = UnsafeRawBufferPointer(rebasing: band[(row * layout.rowBytes)...])
          for channel in (0..<layout.channels).reversed() {
            for x in 0..<layout.width {
              samples[to] = line.loadUnaligned(
                fromByteOffset: (x * layout.channels + channel) * 4, as: UInt32.self)
              to += 1
            }
          }
        }
      }
      count = size
    }
    let prepared = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      // All first bytes of pairs, then all second ones; then differences, shifted by 128.
      let half = (size + 1) / 2
      for index in 0..<size { bytes[index % 2 == 0 ? index / 2 : half + index / 2] = planar[index] }
      var previous = bytes[0]
      for index in 1..<size {
        let value = bytes[index]
        bytes[index] = value &- previous &+ 128
        previous = value
      }
      count = size
    }
    let compressed = prepared.withUnsafeBytes { Deflate.stream($0) }
    return compressed.count < size ? compressed : planar
  }
}

extension ExifBlock {
  /// OpenEXR's standard attributes for the exposure: time in seconds, aperture, ISO.
  var numbersForOpenEXR: [(String, Float)] {
    func rational(_ number: UInt16) -> Float? {
      guard let tag = exposure.first(where: { $0.number == number }), tag.type == 5,
        let top = ByteReader(tag.bytes).uint32(0), let bottom = ByteReader(tag.bytes).uint32(4), bottom > 0
      else { return nil }
      return Float(Double(top) / Double(bottom))
    }
    let iso = exposure.first { $0.number == 34855 && $0.type == 3 }.flatMap { ByteReader($0.bytes).uint16(0) }
    return [("aperture", rational(33437)), ("expTime", rational(33434)), ("isoSpeed", iso.map { Float($0) })]
      .compactMap { name, value in value.map { (name, $0) } }
  }

  /// OpenEXR's standard attributes for the camera, the owner and the time.
  var textsForOpenEXR: [(String, String)] {
    func text(_ tags: [TIFFTag], _ number: UInt16) -> String? {
      guard let tag = tags.first(where: { $0.number == number }), tag.type == 2 else { return nil }
      let text = String(decoding: tag.bytes.prefix { $0 != 0 }, as: UTF8.self)
      return text.isEmpty ? nil : text
    }
    return [
      ("cameraMake", text(image, 271)), ("cameraModel", text(image, 272)), ("capDate", text(exposure, 36867)),
      ("lensModel", text(exposure, 42036)), ("software", text(image, Tag.software)),
    ].compactMap { name, value in value.map { (name, $0) } }
  }
}
