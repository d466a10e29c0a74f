import CPictureIO
import GEGL
import Raster

/// Baseline JPEG, quality 95, without chroma subsampling, by libjpeg.
struct JPEGEncoder {
  private let layout: PictureLayout
  private let attachments: PictureAttachments

  private static let quality: Int32 = 95

  init(_ layout: PictureLayout, _ attachments: PictureAttachments) {
    self.layout = layout
    self.attachments = attachments
  }

  func write(_ bands: Bands, to file: AtomicFile) throws {
    let exif = attachments.exif.map { Array("Exif".utf8) + [0, 0] + $0.bytes() } ?? []
    let source = Source(bands, file)
    try exif.withUnsafeBufferPointer { exif in
      try (attachments.icc ?? []).withUnsafeBufferPointer { icc in
        try encode(source, icc: icc, exif: exif)
      }
    }
  }

  private func encode(
    _ source: Source, icc: UnsafeBufferPointer<UInt8>, exif: UnsafeBufferPointer<UInt8>
  ) throws {
    var job = picture_jpeg_job()
    job.width = UInt32(layout.width)
    job.height = UInt32(layout.height)
    job.channels = UInt32(layout.channels)
    job.quality = Self.quality
    job.icc = icc.isEmpty ? nil : icc.baseAddress
    job.icc_size = icc.count
    job.exif = exif.isEmpty ? nil : exif.baseAddress
    job.exif_size = exif.count
    job.context = Unmanaged.passUnretained(source).toOpaque()
    job.fill = { context, y, rows, samples in
      guard let context, let samples else { return false }
      return Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        .fill(Int(y)..<Int(y) + Int(rows), samples)
    }
    job.write = { context, bytes, count in
      guard let context else { return false }
      return Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
        .write(UnsafeRawBufferPointer(start: bytes, count: count))
    }
    var message = [CChar](repeating: 0, count: Int(PICTURE_MESSAGE_SIZE))
    let good = withExtendedLifetime(source) { picture_encode_jpeg(&job, &message) }
    if let error = source.error { throw error }
    guard good else { throw PhotoError(source.file.path, "cannot write the JPEG: \(text(message))") }
  }

  /// Carries rows in and bytes out across C, and the first error past it.
  private final class Source {
    let bands: Bands
    let file: AtomicFile
    var error: (any Error)?

    init(_ bands: Bands, _ file: AtomicFile) {
      self.bands = bands
      self.file = file
    }

    func fill(_ rows: Range<Int>, _ samples: UnsafeMutablePointer<UInt8>) -> Bool {
      attempt {
        if bands.execution.cancellation.isCancelled { throw RenderingCancelled() }
        let count = rows.count * bands.layout.rowBytes
        try bands.fill(rows, UnsafeMutableRawBufferPointer(start: samples, count: count))
      }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
      attempt { try file.write(bytes) }
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
}

/// The text that a C function left.
func text(_ message: [CChar]) -> String {
  String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
