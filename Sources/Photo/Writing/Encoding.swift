import CPictureIO
import GEGL
import Glibc
import Raster

/// The writing of one picture: an encoder of `CPictureIO` on a thread of its own, fed by the calling thread.
final class Encoding: @unchecked Sendable {
  typealias Encoder = @Sendable (UnsafePointer<picture_job>, UnsafeMutablePointer<CChar>) -> Bool

  private let format: PictureFormat
  private let layout: PictureLayout
  private let attachments: PictureAttachments
  private let execution: Execution
  private let file: AtomicFile
  private let bands: BandQueue
  /// What went wrong on the encoding thread; read when it has ended.
  private var failure: (any Error)?

  init(
    _ format: PictureFormat, _ layout: PictureLayout, _ attachments: PictureAttachments, _ execution: Execution,
    to file: AtomicFile
  ) {
    self.format = format
    self.layout = layout
    self.attachments = attachments
    self.execution = execution
    self.file = file
    bands = BandQueue(layout)
  }

  /// Writes the whole picture.
  func run(fill: PictureDestination.Fill) throws {
    let encoding = Background {
      self.encode()
      self.bands.stop()
    }
    guard let encoding else { throw PhotoError(file.path, errno: EAGAIN, doing: "write") }
    let filled = Result { try bands.fill(fill, cancellation: execution.cancellation) }
    try encoding.value()
    try filled.get()
    if let failure { throw failure }
  }

  private var encoder: Encoder {
    switch format {
    case .png: picture_encode_png
    case .tiff: picture_encode_tiff
    case .jpeg: picture_encode_jpeg
    case .openEXR: picture_encode_openexr
    }
  }

  private func encode() {
    var job = picture_job()
    job.width = UInt32(layout.width)
    job.height = UInt32(layout.height)
    job.channels = UInt32(layout.channels)
    job.sample =
      switch layout.sample {
      case .uint8: PICTURE_UINT8
      case .uint16: PICTURE_UINT16
      case .float32: PICTURE_FLOAT
      }
    setCallbacks(&job)
    var message = [CChar](repeating: 0, count: Int(PICTURE_MESSAGE_SIZE))
    let good = withAttachments(job) { encoder($0, &message) }
    guard !good, failure == nil else { return }
    failure =
      execution.cancellation.isCancelled
      ? RenderingCancelled() : PhotoError(file.path, "cannot write the \(format.rawValue): \(text(message))")
  }

  private func setCallbacks(_ job: inout picture_job) {
    job.context = Unmanaged.passUnretained(self).toOpaque()
    job.next = { context, rows in
      guard let context, let rows else { return nil }
      guard let (band, count) = Unmanaged<Encoding>.fromOpaque(context).takeUnretainedValue().bands.take() else {
        return nil
      }
      rows.pointee = UInt32(count)
      return band.assumingMemoryBound(to: UInt8.self)
    }
    job.write = { context, bytes, count, offset in
      guard let context else { return false }
      return Unmanaged<Encoding>.fromOpaque(context).takeUnretainedValue()
        .write(UnsafeRawBufferPointer(start: bytes, count: count), at: offset)
    }
    job.parallel = { context, count, body, argument in
      guard let context, let body else { return }
      nonisolated(unsafe) let argument = argument
      Unmanaged<Encoding>.fromOpaque(context).takeUnretainedValue().forEach(count) { body(argument, $0) }
    }
  }

  /// Not on the execution's threads, which make the next band meanwhile and are not shared: one would wait for the other's work.
  private func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let turns = Turns(count)
    let cancellation = execution.cancellation
    let work: @Sendable () -> Void = {
      for index in turns {
        if cancellation.isCancelled { return }
        body(index)
      }
    }
    let others = (1..<max(1, min(count, execution.threads))).compactMap { _ in Background(work) }
    work()
    for other in others { other.wait() }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) -> Bool {
    do {
      if execution.cancellation.isCancelled { throw RenderingCancelled() }
      try file.write(bytes, at: offset)
      return true
    } catch {
      failure = failure ?? error
      return false
    }
  }

  /// Calls `body` with the job and all that it points to.
  private func withAttachments<Result>(_ job: picture_job, _ body: (UnsafePointer<picture_job>) -> Result) -> Result {
    var job = job
    let exif = attachments.exif
    let (tags, values) = Self.tags(exif)
    // The rest of the 4 GB is for what stands beside the pixels.
    job.big = format == .tiff && layout.rowBytes * layout.height > 0xF000_0000
    let directories = exif?.directories(at: job.big ? 16 : 8, big: job.big)
    job.exposure_directory = UInt64(directories?.exposure ?? 0)
    job.place_directory = UInt64(directories?.place ?? 0)
    let points = attachments.chromaticities.map { [$0.red, $0.green, $0.blue, $0.white] } ?? []
    let space = points.flatMap { [$0.x, $0.y] }
    let arrays = [attachments.icc ?? [], exif?.bytes() ?? [], directories?.bytes ?? [], values]
    return Self.withBuffers(arrays) { bytes in
      (job.icc, job.icc_size) = bytes[0]
      (job.exif, job.exif_size) = bytes[1]
      (job.directories, job.directories_size) = bytes[2]
      (job.tag_values, _) = bytes[3]
      return tags.withUnsafeBufferPointer { tags in
        (job.tags, job.tag_count) = (tags.baseAddress, tags.count)
        return space.withUnsafeBufferPointer { space in
          job.chromaticities = space.isEmpty ? nil : space.baseAddress
          return body(&job)
        }
      }
    }
  }

  /// Calls `body` with where each of some arrays lies, nil for an empty one, and its length.
  private static func withBuffers<Result>(
    _ arrays: [[UInt8]], _ found: [(UnsafePointer<UInt8>?, Int)] = [],
    _ body: ([(UnsafePointer<UInt8>?, Int)]) -> Result
  ) -> Result {
    guard let first = arrays.first else { return body(found) }
    return first.withUnsafeBufferPointer { bytes in
      withBuffers(Array(arrays.dropFirst()), found + [(bytes.isEmpty ? nil : bytes.baseAddress, bytes.count)], body)
    }
  }

  /// The tags one by one, for the formats whose libraries store them so.
  private static func tags(_ exif: ExifBlock?) -> ([picture_tag], [UInt8]) {
    guard let exif else { return ([], []) }
    var tags: [picture_tag] = []
    var values: [UInt8] = []
    let directories = [
      (PICTURE_IMAGE_TAG, exif.image), (PICTURE_EXPOSURE_TAG, exif.exposure), (PICTURE_PLACE_TAG, exif.place),
    ]
    for (directory, list) in directories {
      for tag in list {
        guard let size = TIFFTag.size(ofType: tag.type), let count = UInt32(exactly: tag.count),
          UInt64(tag.bytes.count) == UInt64(size) * tag.count
        else { continue }
        tags.append(
          picture_tag(
            directory: directory, number: tag.number, type: tag.type, count: count, offset: values.count,
            size: tag.bytes.count))
        values += tag.bytes
      }
    }
    return (tags, values)
  }
}

/// The text that a C function left.
func text(_ message: [CChar]) -> String {
  String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
