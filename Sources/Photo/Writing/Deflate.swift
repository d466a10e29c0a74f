import CZlib

/// Deflate (RFC 1951) for filtered photographs: Huffman codes and runs of equal bytes.
///
/// After prediction the bytes of a photograph are noise around zero, in which a search for longer
/// matches finds nothing: zlib at level 1 is four to ten times slower and its files are 1 to 4 % larger.
enum Deflate {
  /// A part of a deflate stream that ends on a whole byte, so that parts made by several threads
  /// are, in order, one stream.
  static func part(_ bytes: UnsafeRawBufferPointer, isLast: Bool) -> [UInt8] {
    // A block is stored where it does not shrink, so nothing grows by more than its header.
    let capacity = bytes.count + (bytes.count / blockSize + 2) * 16 + 16
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = BitWriter(UnsafeMutableRawBufferPointer(buffer))
      var start = 0
      while start < bytes.count {
        let end = min(start + blockSize, bytes.count)
        block(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), &output)
        start = end
      }
      output.stored(UnsafeRawBufferPointer(start: nil, count: 0), isLast: isLast)
      count = output.count
    }
  }

  /// A whole zlib stream (RFC 1950).
  static func stream(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var trailer = ByteWriter()
    trailer.big(UInt32(truncatingIfNeeded: checksum(bytes)))
    return header + part(bytes, isLast: true) + trailer.bytes
  }

  /// The header of a zlib stream: deflate with a 32 KiB window, fast.
  static let header: [UInt8] = [0x78, 0x01]

  /// The Adler-32 checksum that ends a zlib stream.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt {
    adler32_z(1, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The CRC-32 of bytes that follow bytes with the checksum `start`.
  static func crc(_ bytes: UnsafeRawBufferPointer, after start: UInt = 0) -> UInt {
    guard !bytes.isEmpty else { return start }
    return crc32_z(start, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// A block may be stored, and a stored one has 16 bits for its length.
  private static let blockSize = 65535
  private static let endOfBlock = 256
  private static let symbols = 286
  private static let longestRun = 258

  /// The symbol and the extra bits of a run's length, 3...258 (RFC 1951, section 3.2.5).
  private static let runs: [(symbol: UInt16, extraBits: UInt8, extra: UInt8)] = {
    var table: [(UInt16, UInt8, UInt8)] = [(0, 0, 0), (0, 0, 0), (0, 0, 0)]
    var symbol: UInt16 = 257
    for group in 0..<8 {
      let bits = UInt8(max(0, group - 1))
      for _ in 0..<4 {
        for extra in 0..<(1 << Int(bits)) where table.count < longestRun { table.append((symbol, bits, UInt8(extra))) }
        symbol += 1
      }
    }
    table.append((285, 0, 0))
    return table
  }()

  /// How many bytes from `index` on equal the one before it.
  @inline(__always)
  private static func run(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    guard index > 0, index + 4 <= bytes.count,
      bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
        == bytes.loadUnaligned(fromByteOffset: index - 1, as: UInt32.self)
    else { return 0 }
    let value = bytes[index - 1]
    let end = min(bytes.count, index + longestRun)
    var place = index + 4
    while place < end, bytes[place] == value { place += 1 }
    return place - index
  }

  private static func block(_ bytes: UnsafeRawBufferPointer, _ output: inout BitWriter) {
    var counts = [Int](repeating: 0, count: symbols)
    var extraBits = 0
    counts.withUnsafeMutableBufferPointer { counts in
      var index = 0
      while index < bytes.count {
        let length = run(bytes, at: index)
        if length > 0 {
          counts[Int(runs[length].symbol)] += 1
          extraBits += Int(runs[length].extraBits) + 1
          index += length
        } else {
          counts[Int(bytes[index])] += 1
          index += 1
        }
      }
    }
    counts[endOfBlock] = 1
    let code = HuffmanCode(counts: counts)
    let headerBits = 17 + 19 * 3 + (symbols + 1) * 4
    guard (headerBits + code.size(counts) + extraBits) / 8 < bytes.count else {
      output.stored(bytes, isLast: false)
      return
    }
    writeHeader(code, &output)
    // A symbol's code and its length in one word, for one look-up a byte.
    let words = zip(code.codes, code.lengths).map { UInt32($0) << 8 | UInt32($1) }
    words.withUnsafeBufferPointer { words in
      var index = 0
      while index < bytes.count {
        let length = run(bytes, at: index)
        if length > 0 {
          let run = runs[length]
          output.add(words[Int(run.symbol)])
          output.add(UInt64(run.extra), Int(run.extraBits))
          output.add(0, 1)
          index += length
        } else {
          output.add(words[Int(bytes[index])])
          index += 1
        }
        output.flush()
      }
      output.add(words[endOfBlock])
      output.flush()
    }
  }

  /// The code lengths, each in four bits: a code for code lengths would save 100 bytes in 60 000.
  private static func writeHeader(_ code: HuffmanCode, _ output: inout BitWriter) {
    output.add(0b100, 3)
    output.add(UInt64(symbols - 257), 5)
    output.add(0, 5)
    output.add(15, 4)
    output.flush()
    // Order of section 3.2.7: 16, 17 and 18 (repetitions) are not used, 0 to 15 have four bits each.
    for place in 0..<19 {
      output.add(place < 3 ? 0 : 4, 3)
      output.flush()
    }
    for length in code.lengths + [1] {
      output.add(UInt64(HuffmanCode.reversedNibble(length)), 4)
      output.flush()
    }
  }
}

extension HuffmanCode {
  /// The code of a code length where all sixteen have four bits: the number, first bit lowest.
  static func reversedNibble(_ value: UInt8) -> UInt8 {
    (value & 1) << 3 | (value & 2) << 1 | (value & 4) >> 1 | (value & 8) >> 3
  }
}

/// Bits into memory, first bit lowest.
private struct BitWriter {
  private let memory: UnsafeMutableRawBufferPointer
  private(set) var count = 0
  private var bits: UInt64 = 0
  private var length = 0

  init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// Adds a word of a code (code << 8 | length); up to 56 bits between two flushes.
  @inline(__always)
  mutating func add(_ word: UInt32) { add(UInt64(word >> 8), Int(word & 0xFF)) }

  @inline(__always)
  mutating func add(_ value: UInt64, _ size: Int) {
    bits |= value &<< UInt64(truncatingIfNeeded: length)
    length &+= size
  }

  /// Moves whole bytes to memory.
  @inline(__always)
  mutating func flush() {
    memory.storeBytes(of: bits.littleEndian, toByteOffset: count, as: UInt64.self)
    let whole = length &>> 3
    count &+= whole
    bits = bits &>> UInt64(truncatingIfNeeded: whole &* 8)
    length &= 7
  }

  /// A stored block, which begins and ends on a whole byte.
  mutating func stored(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    add(isLast ? 1 : 0, 3)
    length = (length + 7) & ~7
    flush()
    let size = UInt64(bytes.count)
    add(size | (~size & 0xFFFF) << 16, 32)
    flush()
    if !bytes.isEmpty { UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes) }
    count += bytes.count
  }
}
