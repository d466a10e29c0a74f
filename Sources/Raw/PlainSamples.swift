import ConstantColor
import Raster

/// The samples of a DNG that are not compressed, in strips or tiles.
///
/// LibRaw takes them for one strip: it reads tiles, and strips that do not follow each other, as something else, and knows
/// no floats among them.
struct PlainSamples {
  /// How the samples lie in the file.
  private let width, height, channels, bits: Int
  private let isFloat, isLittle: Bool
  private let blockWidth, blockHeight: Int
  private let places: [Int]
  /// What a stored number stands for; empty: itself.
  private let table: [UInt16]

  /// The layout of a frame; nil where its samples are compressed or of a kind that is left to LibRaw.
  init?(_ frame: TIFFDirectories.Directory, _ tags: DNGTags) {
    width = tags.width
    height = tags.height
    channels = tags.samplesPerPixel
    bits = tags.bits
    isLittle = frame.isLittle
    let format = frame.integer(339) ?? 1
    isFloat = format == 3
    guard (frame.integer(259) ?? 1) == 1, channels == 1 || ((frame.integer(284) ?? 1) == 1 && channels <= 4),
      isFloat ? bits == 32 || bits == 16 : format == 1 && (8...16).contains(bits),
      (frame.integers(258) ?? [bits]).allSatisfy({ $0 == tags.bits })
    else { return nil }
    let isTiled = frame.fields[324] != nil
    blockWidth = isTiled ? frame.integer(322) ?? 0 : width
    blockHeight = isTiled ? frame.integer(323) ?? 0 : min(frame.integer(278) ?? height, height)
    guard (1...65535).contains(blockWidth), (1...65535).contains(blockHeight),
      let places = frame.integers(isTiled ? 324 : 273),
      places.count >= (width + blockWidth - 1) / blockWidth * ((height + blockHeight - 1) / blockHeight)
    else { return nil }
    self.places = places
    let entries = frame.integers(50712, most: 65536) ?? []
    table = isFloat || entries.contains { !(0...65535).contains($0) } ? [] : entries.map { UInt16($0) }
  }

  private var rowBytes: Int { (blockWidth * channels * bits + 7) / 8 }

  /// Reads the samples.
  func read(_ file: ByteSource) throws(RawError) -> SensorSamples {
    // Before there is memory for them: strips that lie on each other would make a huge picture of a small file.
    guard width * height * channels * bits / 8 <= file.count else { throw .cutOff }
    let size = isFloat ? 4 : 2
    let memory = SampleMemory(width * height * channels * size)
    let across = (width + blockWidth - 1) / blockWidth
    for index in 0..<across * ((height + blockHeight - 1) / blockHeight) {
      let (x, y) = (index % across * blockWidth, index / across * blockHeight)
      let columns = min(blockWidth, width - x) * channels
      // Not all of a large strip at once.
      for first in stride(from: 0, to: min(blockHeight, height - y), by: 64) {
        let rows = min(64, min(blockHeight, height - y) - first)
        let bytes = file.read(places[index] + first * rowBytes, rows * rowBytes)
        guard bytes.count == rows * rowBytes else { throw .cutOff }
        bytes.withUnsafeBytes { bytes in
          for row in 0..<rows {
            let target = memory.base + ((y + first + row) * width + x) * channels * size
            convert(UnsafeRawBufferPointer(rebasing: bytes[(row * rowBytes)...]), columns, into: target)
          }
        }
      }
    }
    guard
      let samples = SensorSamples(
        UnsafeRawPointer(memory.base), kind: isFloat ? .float : .uint16, width: width, height: height,
        channels: channels, rowBytes: width * channels * size, owner: memory)
    else { throw .damaged("its size makes no sense") }
    return samples
  }

  /// Converts `count` samples of a row, of which there are enough bytes.
  private func convert(_ bytes: UnsafeRawBufferPointer, _ count: Int, into target: UnsafeMutableRawPointer) {
    if isFloat {
      let floats = target.assumingMemoryBound(to: Float.self)
      for index in 0..<count {
        if bits == 32 {
          let stored = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
          floats[index] = Float(bitPattern: isLittle ? UInt32(littleEndian: stored) : UInt32(bigEndian: stored))
        } else {
          let stored = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
          floats[index] = Self.half(isLittle ? UInt16(littleEndian: stored) : UInt16(bigEndian: stored))
        }
      }
      return
    }
    let numbers = target.assumingMemoryBound(to: UInt16.self)
    switch bits {
    case 8: for index in 0..<count { numbers[index] = UInt16(bytes[index]) }
    case 16:
      for index in 0..<count {
        let stored = bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        numbers[index] = isLittle ? UInt16(littleEndian: stored) : UInt16(bigEndian: stored)
      }
    default:
      // Packed, the highest bit first, whatever the byte order of the file (TIFF 6.0, FillOrder 1).
      var (buffer, filled, next): (UInt32, Int, Int) = (0, 0, 0)
      for index in 0..<count {
        while filled < bits {
          buffer = buffer << 8 | UInt32(bytes[next])
          next += 1
          filled += 8
        }
        filled -= bits
        numbers[index] = UInt16(truncatingIfNeeded: buffer >> UInt32(filled) & (1 << UInt32(bits) - 1))
      }
    }
    if let last = table.indices.last {
      for index in 0..<count { numbers[index] = table[min(Int(numbers[index]), last)] }
    }
  }

  /// IEEE 754's binary16.
  private static func half(_ bits: UInt16) -> Float {
    let magnitude = UInt32(bits & 0x7FFF) << 13
    // The exponents differ by 112; the product does subnormal numbers, too.
    let value =
      bits & 0x7C00 == 0x7C00 ? Float.nan : Float(bitPattern: magnitude) * Float(bitPattern: (254 - 15) << 23)
    return bits & 0x8000 == 0 ? value : -value
  }
}

/// Bytes that are freed with the object.
final class SampleMemory: @unchecked Sendable {
  let base: UnsafeMutableRawPointer

  init(_ count: Int) {
    base = .allocate(byteCount: max(16, count), alignment: 16)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: max(16, count))
  }

  deinit { base.deallocate() }
}
