import TestSupport

/// The layers and channels of one of GIMP's own files (devel-docs/xcf.txt), their numbers as they are stored.
struct XCFFile {
  struct Plane {
    let name: String
    let width, height, bytesPerPixel: Int
    let isVisible: Bool
    /// Row after row, each sample with its most significant byte first.
    let bytes: [UInt8]
    var mask: [UInt8]?

    /// The samples of 8 or 16 bits.
    func integers(of bytes: [UInt8]? = nil, wide: Bool) -> [UInt16] {
      let bytes = bytes ?? self.bytes
      guard wide else { return bytes.map { UInt16($0) } }
      return stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }

    /// The samples of 32-bit floats.
    var floats: [Float] {
      stride(from: 0, to: bytes.count - 3, by: 4).map { index in
        Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index + $1]) })
      }
    }
  }

  /// From the top.
  private(set) var layers: [Plane] = []
  private(set) var channels: [Plane] = []
  /// The number that GIMP has for the precision.
  let precision: Int

  func layer(_ name: String) -> Plane? { layers.first { $0.name.hasPrefix(name) } }

  private struct Damaged: Error {}

  init(_ path: String) throws {
    var reader = Reader(try bytes(of: path))
    let version = String(decoding: try reader.take(14), as: UTF8.self)
    guard version.hasPrefix("gimp xcf v"), let number = Int(version.dropFirst(10).prefix(3)) else { throw Damaged() }
    reader.wide = number >= 11
    _ = try (reader.integer(), reader.integer(), reader.integer())
    precision = try reader.integer()
    let compression = try reader.properties()[17]?.first ?? 0
    guard compression <= 1 else { throw Damaged() }
    let (layers, channels) = (try reader.pointers(), try reader.pointers())
    for place in layers {
      reader.place = place
      _ = try (reader.integer(), reader.integer(), reader.integer())
      let (name, properties) = (try reader.text(), try reader.properties())
      let (pixels, mask) = (try reader.pointer(), try reader.pointer())
      var plane = try reader.plane(pixels, name, properties, isPacked: compression == 1)
      if mask > 0 { plane.mask = try reader.channel(mask, isPacked: compression == 1).bytes }
      self.layers.append(plane)
    }
    for place in channels { try self.channels.append(reader.channel(place, isPacked: compression == 1)) }
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0
    /// Whether pointers have 64 bits.
    var wide = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
      guard count >= 0, place >= 0, place + count <= bytes.count else { throw Damaged() }
      place += count
      return bytes[place - count..<place]
    }

    mutating func integer() throws -> Int { try take(4).reduce(0) { $0 << 8 | Int($1) } }
    mutating func pointer() throws -> Int { try take(wide ? 8 : 4).reduce(0) { $0 << 8 | Int($1) } }

    mutating func pointers() throws -> [Int] {
      var result: [Int] = []
      while true {
        let next = try pointer()
        if next == 0 { return result }
        result.append(next)
      }
    }

    mutating func text() throws -> String {
      String(decoding: try take(try integer()).dropLast(), as: UTF8.self)
    }

    mutating func properties() throws -> [Int: ArraySlice<UInt8>] {
      var result: [Int: ArraySlice<UInt8>] = [:]
      while true {
        let kind = try integer()
        let value = try take(try integer())
        if kind == 0 { return result }
        result[kind] = value
      }
    }

    mutating func channel(_ start: Int, isPacked: Bool) throws -> Plane {
      place = start
      _ = try (integer(), integer())
      let (name, properties) = (try text(), try properties())
      return try plane(pointer(), name, properties, isPacked: isPacked)
    }

    mutating func plane(
      _ start: Int, _ name: String, _ properties: [Int: ArraySlice<UInt8>], isPacked: Bool
    ) throws -> Plane {
      place = start
      let (width, height, size) = (try integer(), try integer(), try integer())
      place = try pointer()
      _ = try (integer(), integer())
      var tiles = try pointers()[...]
      var result = [UInt8](repeating: 0, count: width * height * size)
      for y in stride(from: 0, to: height, by: 64) {
        for x in stride(from: 0, to: width, by: 64) {
          guard let tile = tiles.popFirst() else { throw Damaged() }
          let (columns, rows) = (min(64, width - x), min(64, height - y))
          place = tile
          for byte in 0..<size {
            var index = 0
            func put(_ value: UInt8, _ index: Int) {
              result[((y + index / columns) * width + x + index % columns) * size + byte] = value
            }
            if !isPacked {
              for index in 0..<columns * rows {
                put(bytes[tile + index * size + byte], index)
              }
              continue
            }
            while index < columns * rows {
              let code = Int(try take(1).first ?? 0)
              var count = code >= 128 ? 256 - code : code + 1
              if count == 128 { count = try take(2).reduce(0) { $0 << 8 | Int($1) } }
              guard index + count <= columns * rows else { throw Damaged() }
              let values = try take(code >= 128 ? count : 1)
              for offset in 0..<count {
                put(values[values.startIndex + (code >= 128 ? offset : 0)], index + offset)
              }
              index += count
            }
          }
        }
      }
      return Plane(
        name: name, width: width, height: height, bytesPerPixel: size,
        isVisible: properties[8]?.last != 0, bytes: result)
    }
  }
}
