import Photo

/// A DNG made from numbers (Adobe, "Digital Negative Specification" 1.4), uncompressed, in all the layouts that cameras use.
public struct DNGFile {
  /// The size of the sensor.
  public var width, height: Int
  /// Row after row, the samples of a pixel next to each other.
  public var samples: [UInt16]
  /// 1 behind a filter array, 3 in a linear DNG.
  public var samplesPerPixel = 1
  /// Bits of a sample, packed.
  public var bits = 16
  /// The byte order of everything.
  public var isBigEndian = false
  /// The colours of the repeating part of the filter array, row after row; nil: a linear DNG.
  public var pattern: [UInt8]? = [0, 1, 1, 2]
  /// How many of them make a row.
  public var patternColumns = 2
  /// Rows, columns, and the levels.
  public var black: (rows: Int, columns: Int, levels: [Double])? = (1, 1, [0])
  /// What is added to the black level of each column and row.
  public var columnBlack: [Double] = []
  /// The same for rows.
  public var rowBlack: [Double] = []
  /// The white level, or one for each sample of a pixel; empty: none in the file.
  public var white: [UInt32] = []
  /// Top, left, bottom, right.
  public var activeArea: [UInt32]?
  /// Left, top, width, height, in the active area.
  public var crop: [UInt32]?
  /// EXIF's orientation.
  public var orientation: UInt16 = 1
  /// What each stored number stands for; empty: itself.
  public var table: [UInt16] = []
  /// Rows of a strip; nil: one strip.
  public var stripRows: Int?
  /// The size of a tile; nil: strips.
  public var tile: (width: Int, height: Int)?
  /// Whether the frame stands behind a thumbnail, in a directory of its own.
  public var isBehindThumbnail = false
  /// Strips from the last to the first.
  public var isReversed = false
  /// How white looked in the light of the shot.
  public var neutral: [Double] = [0.5, 1, 0.6]
  /// From XYZ to camera RGB, row by row, each with the number of its illuminant (17: A, 21: D65).
  public var colorMatrices: [(illuminant: UInt16, matrix: [Double])] = [
    (21, [0.7, -0.2, -0.1, -0.4, 1.2, 0.2, -0.1, 0.2, 0.6])
  ]
  /// What the file says of its maker and model.
  public var make = "Maker"
  /// The same.
  public var model = "Model 1"
  /// NoiseProfile: variance = first · value + second, for values of 0...1; nil: none in the file.
  public var noiseProfile: (Double, Double)?
  /// More of the camera's tags, and those of the exposure (the Exif directory; empty: none).
  public var moreTags: [TIFFTag] = []
  /// The same.
  public var exposureTags: [TIFFTag] = []
  /// Tags of the frame, by number, as 32-bit numbers instead of what belongs there.
  public var replaced: [UInt16: [UInt32]] = [:]

  /// A plain frame of 16 bits.
  public init(width: Int, height: Int, samples: [UInt16]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  // MARK: tags

  private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
  }
  private func shorts(_ tag: UInt16, _ values: [UInt16]) -> TIFFTag { .numbers(tag, type: 3, values) }
  private func longs(_ tag: UInt16, _ values: [UInt32]) -> TIFFTag { .numbers(tag, type: 4, values) }
  private func bytes(_ tag: UInt16, _ values: [UInt8]) -> TIFFTag { .numbers(tag, type: 1, values) }
  private func text(_ tag: UInt16, _ text: String) -> TIFFTag { .text(tag, text) }
  private func rationals(_ tag: UInt16, _ values: [Double], signed: Bool = false) -> TIFFTag {
    // As fine as 32 bits can tell.
    let bottom: Double = (values.map { abs($0) }.max() ?? 0) < 2000 ? 1_000_000 : 4096
    let parts = values.flatMap { [Int32(($0 * bottom).rounded()), Int32(bottom)] }
    var rationals = TIFFTag.numbers(tag, type: signed ? 10 : 5, parts)
    rationals.count = UInt64(values.count)
    return rationals
  }

  // MARK: samples

  /// The strips or tiles, as bytes.
  private var blocks: [[UInt8]] {
    let size = tile ?? (width, stripRows ?? height)
    var blocks: [[UInt8]] = []
    for y in stride(from: 0, to: height, by: size.1) {
      for x in stride(from: 0, to: width, by: size.0) {
        // A strip ends with the picture, a tile does not.
        let rows = tile == nil ? min(size.1, height - y) : size.1
        blocks.append((0..<rows).flatMap { row(y + $0, x, size.0) })
      }
    }
    return blocks
  }

  private func row(_ y: Int, _ first: Int, _ count: Int) -> [UInt8] {
    let values = (first * samplesPerPixel..<(first + count) * samplesPerPixel).map { index -> UInt16 in
      y < height && index < width * samplesPerPixel ? samples[y * width * samplesPerPixel + index] : 0
    }
    if bits == 16 { return values.flatMap { number($0) } }
    var bytes: [UInt8] = []
    var (buffer, filled): (UInt32, Int) = (0, 0)
    for value in values {
      buffer = buffer << UInt32(bits) | UInt32(value)
      filled += bits
      while filled >= 8 {
        filled -= 8
        bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(filled)))
      }
    }
    if filled > 0 { bytes.append(UInt8(truncatingIfNeeded: buffer << UInt32(8 - filled))) }
    return bytes
  }

  // MARK: the file

  /// The whole file.
  public var file: [UInt8] {
    var file: [UInt8] = (isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(UInt16(42)) + number(UInt32(0))
    var places: [(Int, UInt32)] = []
    let blocks = blocks
    for (index, block) in isReversed ? Array(blocks.enumerated().reversed()) : Array(blocks.enumerated()) {
      places.append((index, UInt32(file.count)))
      file += block + (block.count % 2 == 0 ? [] : [0])
    }
    let offsets = places.sorted { $0.0 < $1.0 }.map(\.1)
    let frame = frameTags(offsets, blocks.map { UInt32($0.count) })
    var camera = [
      text(271, make), text(272, model), shorts(274, [orientation]), bytes(50706, [1, 4, 0, 0]),
      bytes(50707, [1, 1, 0, 0]), text(50708, "\(make) \(model)"), rationals(50728, neutral),
    ]
    for (index, calibration) in colorMatrices.prefix(2).enumerated() {
      camera.append(rationals(50721 + UInt16(index), calibration.matrix, signed: true))
      camera.append(shorts(50778 + UInt16(index), [calibration.illuminant]))
    }
    if let (slope, offset) = noiseProfile {
      camera.append(.numbers(51041, type: 12, [slope.bitPattern, offset.bitPattern]))
    }
    camera += moreTags
    if !exposureTags.isEmpty { camera.append(longs(34665, [UInt32(append(exposureTags, to: &file))])) }
    let main: Int
    if isBehindThumbnail {
      let place = UInt32(file.count)
      file += [UInt8](repeating: 128, count: 16 * 16 * 3)
      let inner = append(frame, to: &file)
      let thumbnail = [
        longs(254, [1]), longs(256, [16]), longs(257, [16]), shorts(258, [8, 8, 8]), shorts(259, [1]), shorts(262, [2]),
        longs(273, [place]), shorts(277, [3]), longs(278, [16]), longs(279, [768]), longs(330, [UInt32(inner)]),
      ]
      main = append(thumbnail + camera, to: &file)
    } else {
      main = append(frame + camera, to: &file)
    }
    file.replaceSubrange(4..<8, with: number(UInt32(main)))
    return file
  }

  private func frameTags(_ offsets: [UInt32], _ counts: [UInt32]) -> [TIFFTag] {
    var tags = [
      longs(254, [0]), longs(256, [UInt32(width)]), longs(257, [UInt32(height)]),
      shorts(258, [UInt16](repeating: UInt16(bits), count: samplesPerPixel)), shorts(259, [1]),
      shorts(262, [pattern == nil ? 34892 : 32803]), shorts(277, [UInt16(samplesPerPixel)]), shorts(284, [1]),
    ]
    if let tile {
      tags += [
        longs(322, [UInt32(tile.width)]), longs(323, [UInt32(tile.height)]), longs(324, offsets), longs(325, counts),
      ]
    } else {
      tags += [longs(273, offsets), longs(278, [UInt32(stripRows ?? height)]), longs(279, counts)]
    }
    if let pattern {
      let columns = max(patternColumns, 1)
      let size = [UInt16(clamping: pattern.count / columns), UInt16(clamping: columns)]
      tags += [shorts(33421, size), bytes(33422, pattern), bytes(50710, [0, 1, 2]), shorts(50711, [1])]
    }
    if let black {
      tags += [shorts(50713, [UInt16(black.rows), UInt16(black.columns)]), rationals(50714, black.levels)]
    }
    if !columnBlack.isEmpty { tags.append(rationals(50715, columnBlack, signed: true)) }
    if !rowBlack.isEmpty { tags.append(rationals(50716, rowBlack, signed: true)) }
    if !white.isEmpty { tags.append(longs(50717, white)) }
    if !table.isEmpty { tags.append(shorts(50712, table)) }
    if let activeArea { tags.append(longs(50829, activeArea)) }
    if let crop { tags += [longs(50719, Array(crop[..<2])), longs(50720, Array(crop[2...]))] }
    return tags.filter { replaced[$0.number] == nil } + replaced.map { longs($0.key, $0.value) }
  }

  /// Appends a directory and its values; where it begins.
  private func append(_ tags: [TIFFTag], to file: inout [UInt8]) -> Int {
    if file.count % 2 == 1 { file.append(0) }
    let start = file.count
    let tags = tags.sorted { $0.number < $1.number }
    var directory = number(UInt16(tags.count))
    var values: [UInt8] = []
    for tag in tags {
      directory += number(tag.number) + number(tag.type) + number(UInt32(clamping: tag.count))
      let bytes = tag.bytes(isBigEndian: isBigEndian)
      if bytes.count <= 4 {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        directory += number(UInt32(start + 2 + 12 * tags.count + 4 + values.count))
        values += bytes + (bytes.count % 2 == 0 ? [] : [0])
      }
    }
    file += directory + number(UInt32(0)) + values
    return start
  }
}
