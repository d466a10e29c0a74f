import GEGL
import Glibc
import Photo
import Raster

func readBytes(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var status = stat()
  fstat(descriptor, &status)
  let count = Int(status.st_size)
  return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    filled = max(0, read(descriptor, buffer.baseAddress, count))
  }
}

func writeBytes(_ bytes: [UInt8], _ path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  guard descriptor >= 0 else { return }
  _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  close(descriptor)
}

/// Numbers that look random and are the same in every run.
struct Noise {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 11) % max(1, limit) }
}

/// Samples with flat parts, gradients and noise.
func samples16(_ width: Int, _ height: Int, _ channels: Int, seed: UInt64 = 1) -> [UInt16] {
  var noise = Noise(seed)
  return (0..<width * height * channels).map { index in
    let x = index / channels % width
    if x < width / 3 { return 4660 }
    if x < 2 * width / 3 { return UInt16(truncatingIfNeeded: index * 37) }
    return UInt16(truncatingIfNeeded: noise.next() >> 20)
  }
}

/// Writes an array as a picture.
func write<Sample: BitwiseCopyable>(
  _ samples: [Sample], _ width: Int, _ height: Int, _ channels: Int, to path: String,
  _ attachments: PictureAttachments = PictureAttachments(), execution: Execution = .serial
) throws {
  let kind: PictureLayout.Sample = Sample.self == UInt8.self ? .uint8 : Sample.self == UInt16.self ? .uint16 : .float32
  let layout = PictureLayout(width: width, height: height, channels: channels, sample: kind)
  try PictureDestination(path).write(layout, attachments, execution: execution) { rows, memory in
    samples.withUnsafeBytes { bytes in
      let part = bytes[(rows.lowerBound * layout.rowBytes)..<(rows.upperBound * layout.rowBytes)]
      memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
    }
  }
}

/// A PNG with more chunks behind its header, each a name and its bytes.
func png(_ bytes: [UInt8], adding chunks: [(String, [UInt8])]) -> [UInt8] {
  func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
  func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~crc
  }
  let added = chunks.flatMap { name, bytes in
    let body = Array(name.utf8) + bytes
    return big(UInt32(bytes.count)) + body + big(checksum(body))
  }
  return bytes[..<33] + added + bytes[33...]
}

/// The error that a piece of code throws, as the user would see it.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// What a camera might have written.
let cameraBlock = ExifBlock(
  image: [.text(271, "Maker"), .text(272, "Model 5"), .short(274, 6), .text(306, "2024:05:31 12:34:56")],
  exposure: [
    .rational(33434, 1, 60), .rational(33437, 56, 10), .short(34855, 125), .short(37385, 9),
    .text(36867, "2024:05:31 12:34:56"), .text(37521, "25"), .text(42033, "SN-1"), .text(42036, "Lens 50"),
    TIFFTag(37500, type: 7, count: 8, bytes: [1, 2, 3, 4, 5, 6, 7, 8]), .long(40962, 9999),
  ],
  place: [TIFFTag(0, type: 1, count: 4, bytes: [2, 3, 0, 0]), .text(1, "N")])
