/// A decoded picture's header, however it was decoded.
struct SampleLayout {
  var width, height, channels: Int
  var sample: Sample
  var isPremultiplied = false
  var isLinear = false

  enum Sample: String {
    case uint8 = "u8"
    case uint16 = "u16"
    case uint32 = "u32"
    case half = "half"
    case float = "float"
    case double = "double"
  }

  /// babl's name for these pixels, encoded or linear.
  func formatName(linear: Bool) -> String {
    let linear = linear || isLinear
    let encoded = [1: "Y'", 2: "Y'A", 3: "R'G'B'", 4: "R'G'B'A"]
    let premultiplied = [2: "Y'aA", 4: "R'aG'aB'aA"]
    let name = (isPremultiplied ? premultiplied[channels] : nil) ?? encoded[channels] ?? "R'G'B'A"
    return "\(linear ? name.filter { $0 != "'" } : name) \(sample.rawValue)"
  }
}

/// A Windows bitmap: 8-bit palette, 24 or 32 bits, not compressed.
struct BitmapHeader {
  let size: (Int, Int)
  private let file: FileBytes
  private let pixels: Int
  private let bits: Int
  private let isTopDown: Bool
  private let palette: [UInt8]
  private let entrySize: Int

  init(_ file: FileBytes) throws {
    self.file = file
    let head = file.reader(0, 64)
    guard let start = head.uint32(10), let length = head.uint32(14) else { throw cutOff(file) }
    let isOld = length == 12
    guard let bits = isOld ? head.uint16(24) : head.uint16(28) else { throw cutOff(file) }
    let width: Int
    let height: Int
    if isOld {
      width = Int(head.uint16(18) ?? 0)
      height = Int(head.uint16(20) ?? 0)
    } else {
      width = head.uint32(18).map { Int(Int32(bitPattern: $0)) } ?? 0
      height = head.uint32(22).map { Int(Int32(bitPattern: $0)) } ?? 0
    }
    let compression = isOld ? 0 : head.uint32(30) ?? 0
    guard [8, 24, 32].contains(bits), compression == 0 || Self.isPlainBitFields(head, compression, bits) else {
      throw PhotoError(file.path, "this kind of BMP cannot be read; save it as PNG or TIFF")
    }
    self.bits = Int(bits)
    isTopDown = height < 0
    size = (width, abs(height))
    pixels = Int(start)
    entrySize = isOld ? 3 : 4
    palette = bits == 8 ? file.read(14 + Int(length), max(0, min(pixels - 14 - Int(length), 256 * entrySize))) : []
    guard width > 0, height != 0, width <= PictureFile.largestSide, size.1 <= PictureFile.largestSide else { return }
    guard pixels + rowBytes * size.1 <= file.count else { throw cutOff(file) }
  }

  /// Bit fields that only spell out the usual order, as many programs write them.
  private static func isPlainBitFields(_ head: ByteReader, _ compression: UInt32, _ bits: UInt16) -> Bool {
    compression == 3 && bits == 32 && head.uint32(54) == 0xFF0000 && head.uint32(58) == 0xFF00
      && head.byte(62) == 0xFF
  }

  private var rowBytes: Int { (size.0 * bits + 31) / 32 * 4 }

  var layout: SampleLayout { SampleLayout(width: size.0, height: size.1, channels: 3, sample: .uint8) }

  /// Row `y` from the top as red, green, blue.
  func row(_ y: Int) -> [UInt8] {
    let stored = file.read(pixels + (isTopDown ? y : size.1 - 1 - y) * rowBytes, rowBytes)
    var result = [UInt8](repeating: 0, count: size.0 * 3)
    guard stored.count == rowBytes else { return result }
    for x in 0..<size.0 {
      let at = bits == 8 ? Int(stored[x]) * entrySize : x * bits / 8
      let source = bits == 8 ? palette : stored
      guard at + 2 < source.count else { continue }
      for channel in 0..<3 { result[x * 3 + channel] = source[at + 2 - channel] }
    }
    return result
  }
}

/// A binary Netpbm picture: PGM and PPM with 8 or 16 bits, PFM with floats.
struct PortableHeader {
  let size: (Int, Int)
  let layout: SampleLayout
  private let file: FileBytes
  private let pixels: Int
  private let maximum: Int
  private let isLittle: Bool

  init(_ file: FileBytes) throws {
    self.file = file
    let head = file.read(0, 4096)
    var place = 2
    func word() -> String? {
      while place < head.count, isSpace(head[place]) || head[place] == 35 {
        if head[place] == 35 { while place < head.count, head[place] != 10 { place += 1 } } else { place += 1 }
      }
      let start = place
      while place < head.count, !isSpace(head[place]), place - start < 32 { place += 1 }
      return place > start ? String(decoding: head[start..<place], as: UTF8.self) : nil
    }
    guard let width = word().flatMap({ Int($0) }), let height = word().flatMap({ Int($0) }), let last = word(),
      place < head.count
    else { throw head.count == 4096 ? damaged(file, "the Netpbm header is unreadable") : cutOff(file) }
    let isFloat = head[1] == 0x66 || head[1] == 0x46
    let channels = head[1] == 0x36 || head[1] == 0x46 ? 3 : 1
    pixels = place + 1
    size = (width, height)
    if isFloat {
      guard let scale = Double(last), scale.isFinite, scale != 0 else { throw damaged(file, "the scale is unreadable") }
      maximum = 1
      isLittle = scale < 0
    } else {
      guard let number = Int(last), (1...65535).contains(number) else { throw damaged(file, "its range is unreadable") }
      maximum = number
      isLittle = false
    }
    layout = SampleLayout(
      width: width, height: height, channels: channels,
      sample: isFloat ? .float : maximum > 255 ? .uint16 : .uint8, isLinear: isFloat)
    guard (1...PictureFile.largestSide).contains(width), (1...PictureFile.largestSide).contains(height) else { return }
    guard pixels + height * rowBytes <= file.count else { throw cutOff(file) }
  }

  private var sampleBytes: Int { layout.sample == .float ? 4 : maximum > 255 ? 2 : 1 }
  private var rowBytes: Int { size.0 * layout.channels * sampleBytes }

  /// Row `y` from the top in the machine's byte order, scaled to the full range. Float maps begin at the bottom.
  func row(_ y: Int) -> [UInt8] {
    let isFloat = layout.sample == .float
    let reader = file.reader(pixels + (isFloat ? size.1 - 1 - y : y) * rowBytes, rowBytes, little: isLittle)
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(rowBytes)
    for index in 0..<size.0 * layout.channels {
      switch sampleBytes {
      case 4: writer.little(reader.uint32(index * 4) ?? 0)
      case 2: writer.little(UInt16(scaled(Int(reader.uint16(index * 2) ?? 0), to: 65535)))
      default: writer.bytes.append(UInt8(scaled(Int(reader.byte(index) ?? 0), to: 255)))
      }
    }
    return writer.bytes
  }

  private func scaled(_ value: Int, to full: Int) -> Int {
    maximum == full ? value : min(full, (value * full + maximum / 2) / maximum)
  }
}
