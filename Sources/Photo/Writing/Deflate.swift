import CZlib

/// Compression with zlib, in parts that different threads can make.
enum Deflate {
  /// A whole zlib stream. Nil only without memory.
  static func stream(_ bytes: UnsafeRawBufferPointer, level: Int32) -> [UInt8]? {
    var length = compressBound(UInt(bytes.count))
    var output = [UInt8](repeating: 0, count: Int(length))
    let result = output.withUnsafeMutableBufferPointer { to in
      compress2(to.baseAddress, &length, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), level)
    }
    guard result == Z_OK else { return nil }
    output.removeLast(output.count - Int(length))
    return output
  }

  /// A part of a raw deflate stream that ends on a byte: parts in order are the whole (as in pigz).
  static func part(_ bytes: UnsafeRawBufferPointer, level: Int32, strategy: Int32, isLast: Bool) -> [UInt8]? {
    var state = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard deflateInit2_(&state, level, Z_DEFLATED, -15, 9, strategy, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { deflateEnd(&state) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&state, UInt(bytes.count))) + 64)
    let written: Int? = output.withUnsafeMutableBufferPointer { to in
      state.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      state.avail_in = UInt32(bytes.count)
      state.next_out = to.baseAddress
      state.avail_out = UInt32(to.count)
      let result = deflate(&state, isLast ? Z_FINISH : Z_SYNC_FLUSH)
      guard isLast ? result == Z_STREAM_END : result == Z_OK && state.avail_in == 0 && state.avail_out > 0 else {
        return nil
      }
      return to.count - Int(state.avail_out)
    }
    guard let written else { return nil }
    output.removeLast(output.count - written)
    return output
  }

  /// The Adler-32 checksum that ends a zlib stream.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt {
    adler32(1, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count))
  }

  /// The CRC-32 of bytes that follow bytes with the checksum `start`.
  static func crc(_ bytes: UnsafeRawBufferPointer, after start: UInt = 0) -> UInt {
    crc32(start, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count))
  }
}
