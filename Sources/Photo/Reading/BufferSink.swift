import CGEGL
import CPictureIO
import GEGL
import Raster

/// Receives decoded rows into a GEGL buffer of the file's own sample type and colour space.
final class BufferSink {
  private let file: PictureFile
  private let isLinear: Bool
  private(set) var buffer: Buffer?
  private(set) var notes: [String] = []
  private(set) var error: (any Error)?

  init(_ file: PictureFile, linear: Bool) {
    self.file = file
    isLinear = linear
  }

  /// Notes something that the user should know.
  func note(_ text: String) { if !isLinear { notes.append(text) } }

  func begin(_ layout: SampleLayout, space: ColorSpace?) throws {
    guard layout.width == file.width, layout.height == file.height else {
      throw PhotoError(file.path, "the file is damaged: it has two different sizes; copy it again")
    }
    // Linear camera values belong to no encoded space, whatever profile the file carries.
    let format = try PixelFormat(layout.formatName(linear: isLinear), space: isLinear ? nil : space)
    buffer = try Buffer(Rectangle(width: layout.width, height: layout.height), format: format)
  }

  func begin(_ header: picture_header) throws {
    let samples: [UInt32: SampleLayout.Sample] = [1: .uint8, 2: .uint16, 3: .uint32, 4: .half, 5: .float, 6: .double]
    guard let sample = samples[header.sample.rawValue], (1...4).contains(header.channels) else {
      throw PhotoError(file.path, "its pixels are of an unusual kind; save it with 8 or 16 bits")
    }
    let layout = SampleLayout(
      width: Int(header.width), height: Int(header.height), channels: Int(header.channels), sample: sample,
      isPremultiplied: header.premultiplied)
    let icc = UnsafeRawBufferPointer(start: header.icc, count: header.icc == nil ? 0 : header.icc_size)
    try begin(layout, space: space(icc: icc) ?? space(header))
  }

  func rows(_ samples: UnsafeRawPointer, _ area: Rectangle, stride: Int) throws {
    guard let buffer, let format = buffer.format, !area.isEmpty else { return }
    var rectangle = GeglRectangle(area)
    gegl_buffer_set(buffer.pointer, &rectangle, 0, format.babl, samples, Int32(clamping: stride))
  }

  /// The colour space of an ICC profile; nil without one or with one that babl cannot use.
  func space(icc: UnsafeRawBufferPointer) -> ColorSpace? {
    guard !icc.isEmpty else { return nil }
    if let space = ICCProfile.space(icc) { return space }
    note("the ICC profile in the file cannot be used; its colours are taken as sRGB")
    return nil
  }

  /// The colour space that a PNG without a profile describes with gAMA and cHRM (PNG, section 11.3.2); nil means sRGB.
  private func space(_ header: picture_header) -> ColorSpace? {
    let gamma = header.gamma
    guard gamma > 0.1, gamma < 2 else { return nil }
    let c = header.chromaticities
    let given = [c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7]
    let isPlausible = given.allSatisfy { $0 > 0 && $0 < 1 }
    let used = isPlausible ? given : [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    let fingerprint = ColorSpaceBudget.fingerprint("\(gamma) \(used)".utf8)
    let space = ColorSpaceBudget.space(fingerprint) {
      ColorSpace(
        name: "PNG \(fingerprint)", white: (used[0], used[1]), red: (used[2], used[3]), green: (used[4], used[5]),
        blue: (used[6], used[7]), curve: babl_trc_gamma(1 / gamma), equalized: true)
    }
    if space == nil { note("the gamma in the file cannot be used; its colours are taken as sRGB") }
    return space
  }

  /// Runs a decoder of `CPictureIO` on the file, and throws its message or what went wrong on this side.
  func decode(
    _ file: FileBytes, _ decoder: (Int32, UnsafePointer<picture_sink>, UnsafeMutablePointer<CChar>) -> Bool
  ) throws {
    var sink = picture_sink()
    sink.context = Unmanaged.passUnretained(self).toOpaque()
    sink.begin = { context, header in
      guard let context, let header else { return false }
      let sink = Unmanaged<BufferSink>.fromOpaque(context).takeUnretainedValue()
      return sink.attempt { try sink.begin(header.pointee) }
    }
    sink.rows = { context, samples, x, y, columns, rows, stride in
      guard let context, let samples else { return false }
      let sink = Unmanaged<BufferSink>.fromOpaque(context).takeUnretainedValue()
      let area = Rectangle(x: Int(x), y: Int(y), width: Int(columns), height: Int(rows))
      return sink.attempt { try sink.rows(samples, area, stride: stride) }
    }
    var message = [CChar](repeating: 0, count: Int(PICTURE_MESSAGE_SIZE))
    file.rewind()
    let good = withExtendedLifetime(self) { decoder(file.descriptor, &sink, &message) }
    if let error { throw error }
    guard good else {
      throw PhotoError(file.path, "the \(self.file.kind.rawValue) cannot be read: \(Self.sentence(text(message)))")
    }
  }

  private static func sentence(_ message: String) -> String {
    let message = message.hasSuffix(".") ? String(message.dropLast()) : message
    return message.contains(";") ? message : "\(message); the file is damaged, copy it again"
  }

  private func attempt(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      self.error = error
      return false
    }
  }
}
