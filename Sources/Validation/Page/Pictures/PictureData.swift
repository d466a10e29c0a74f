import CPictureIO
import TextOutput

extension SmallPicture {
  /// The picture as the address of an image, its bytes within: PNG, or JPEG where that is smaller (photographs with noise).
  /// Nil where the bytes do not fit the size.
  var dataAddress: String? {
    let count = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, width <= 65500, height <= 65500, !count.overflow, count.partialValue <= 1 << 26,
      bytes.count == 3 * count.partialValue
    else { return nil }
    let png = encoded(picture_encode_png)
    // The strips of colours stay exact.
    let jpeg = png.map { $0.count > 8192 } == false ? nil : encoded(picture_encode_jpeg)
    switch (png, jpeg) {
    case (let png?, let jpeg?) where jpeg.count < png.count: return "data:image/jpeg;base64," + base64(jpeg)
    case (let png?, _): return "data:image/png;base64," + base64(png)
    case (nil, let jpeg?): return "data:image/jpeg;base64," + base64(jpeg)
    case (nil, nil): return nil
    }
  }

  private func encoded(
    _ encoder: (UnsafePointer<picture_job>, UnsafeMutablePointer<CChar>) -> Bool
  ) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { rows in
      let memory = Memory(rows: rows, height: height)
      var job = picture_job()
      job.width = UInt32(width)
      job.height = UInt32(height)
      job.channels = 3
      job.sample = PICTURE_UINT8
      // Enough to look at; noise would cost much more.
      job.quality = 80
      job.context = Unmanaged.passUnretained(memory).toOpaque()
      job.next = { context, rows in
        guard let context, let rows else { return nil }
        let memory = Unmanaged<Memory>.fromOpaque(context).takeUnretainedValue()
        rows.pointee = UInt32(memory.height)
        return memory.rows.baseAddress
      }
      job.write = { context, bytes, count, offset in
        guard let context, let bytes else { return count == 0 }
        let memory = Unmanaged<Memory>.fromOpaque(context).takeUnretainedValue()
        guard offset == UInt64(memory.file.count) else { return false }
        memory.file += UnsafeRawBufferPointer(start: bytes, count: count)
        return true
      }
      job.parallel = { _, count, body, argument in
        for index in 0..<count { body?(argument, index) }
      }
      var message = [CChar](repeating: 0, count: Int(PICTURE_MESSAGE_SIZE))
      let isGood = withExtendedLifetime(memory) { encoder(&job, &message) }
      return isGood ? memory.file : nil
    }
  }

  /// Where an encoder reads and writes.
  private final class Memory {
    let rows: UnsafeBufferPointer<UInt8>
    let height: Int
    var file: [UInt8] = []

    init(rows: UnsafeBufferPointer<UInt8>, height: Int) { (self.rows, self.height) = (rows, height) }
  }
}
