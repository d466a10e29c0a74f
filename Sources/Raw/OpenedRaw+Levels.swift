import CLibRaw
import ConstantColor
import Raster

extension OpenedRaw {
  /// Unpacks the samples that have light, from the corner that colours and levels count from.
  func samples() throws(RawError) -> SensorSamples {
    let all: SensorSamples
    if let tags, let plain = PlainSamples(tags.directory, tags) {
      all = try plain.read(bytes)
    } else {
      try Self.refuseMisread(tags)
      try file.unpack()
      all = try Self.samples(file)
    }
    let d = file.description
    let area =
      tags?.activeArea ?? Rectangle(x: Int(d.left), y: Int(d.top), width: Int(d.width), height: Int(d.height))
    guard (all.channels == 1) == (pattern != nil), let part = all.part(area) else {
      throw .damaged("its picture is not of the size that it says")
    }
    return part
  }

  /// Layouts that LibRaw unpacks wrongly without saying so: of several compressed strips it reads the first one, and rows
  /// of a single tile that is wider than the picture it takes for the next row's beginning.
  private static func refuseMisread(_ tags: DNGTags?) throws(RawError) {
    guard let tags, tags.directory.integer(259) == 7 else { return }
    let isTiled = tags.directory.fields[324] != nil
    let count = tags.directory.integers(isTiled ? 324 : 273)?.count ?? 0
    let isWide = isTiled && count == 1 && (tags.directory.integer(322) ?? 0) > tags.width
    if isWide || (!isTiled && count > 1) {
      throw RawError("its picture lies in compressed strips that LibRaw cannot unpack; convert it to DNG anew")
    }
  }

  /// What LibRaw unpacked: the whole sensor.
  private static func samples(_ file: LibRawFile) throws(RawError) -> SensorSamples {
    let d = file.description
    let isFloat = d.layout == RAW_MOSAIC_FLOAT || d.layout == RAW_COLORS_FLOAT
    guard let base = d.samples,
      let samples = SensorSamples(
        base, kind: isFloat ? .float : .uint16, width: Int(d.raw_width), height: Int(d.raw_height),
        channels: Int(d.samples_per_pixel), rowBytes: d.row_bytes, owner: file)
    else { throw .damaged("its picture cannot be unpacked") }
    return samples
  }

  /// The sensor's numbers behind a filter array.
  func mosaic(_ samples: SensorSamples, _ d: raw_description) throws(RawError) -> Mosaic {
    guard let pattern else { throw .damaged("it does not say how its colours lie") }
    guard let tags else { return Mosaic(samples, pattern: pattern, levels: levels(d, pattern)) }
    let black = tags.black ?? Self.maskedBlack(d) ?? [0]
    let isPattern = tags.black != nil
    let levels = SampleLevels(
      columns: isPattern ? tags.blackColumns : 1, rows: isPattern ? tags.blackRows : 1, black: black.map { Float($0) },
      columnBlack: tags.columnBlack.map { Float($0) }, rowBlack: tags.rowBlack.map { Float($0) },
      white: Self.white(tags.white))
    return Mosaic(samples, pattern: pattern, levels: levels, visible: tags.crop)
  }

  /// A frame that has all colours at each pixel.
  func linearFrame(_ samples: SensorSamples, _ d: raw_description) throws(RawError) -> LinearFrame {
    guard let tags, tags.samplesPerPixel >= 3, samples.channels >= 3 else {
      throw RawError("has too few colours: \(tags?.samplesPerPixel ?? 0) instead of 3")
    }
    let count = tags.samplesPerPixel
    let white = Self.white(tags.white)
    let levels = (0..<3).map { color in
      let all = tags.black ?? [0]
      let isPattern = all.count == tags.blackColumns * tags.blackRows * count
      let black = isPattern ? stride(from: color, to: all.count, by: count).map { Float(all[$0]) } : [Float(all[0])]
      return SampleLevels(
        columns: isPattern ? tags.blackColumns : 1, rows: isPattern ? tags.blackRows : 1, black: black,
        columnBlack: tags.columnBlack.map { Float($0) }, rowBlack: tags.rowBlack.map { Float($0) }, white: white)
    }
    return LinearFrame(samples, levels: levels, visible: tags.crop)
  }

  private static func white(_ levels: [Double]) -> SIMD3<Float> {
    func level(_ index: Int) -> Float { levels.indices.contains(index) ? Float(levels[index]) : 0 }
    return levels.count >= 3 ? SIMD3(level(0), level(1), level(2)) : SIMD3(repeating: level(0))
  }

  /// The mean of the masked samples, which LibRaw cuts to a whole number; nil where it did not take it.
  private static func maskedBlack(_ d: raw_description) -> [Double]? {
    let counts = [d.masked_count.0, d.masked_count.1, d.masked_count.2, d.masked_count.3]
    let means = [d.masked_mean.0, d.masked_mean.1, d.masked_mean.2, d.masked_mean.3]
    let channels = [d.channel_black.0, d.channel_black.1, d.channel_black.2, d.channel_black.3]
    guard counts.allSatisfy({ $0 > 0 }),
      zip(means, channels).allSatisfy({ $0.rounded(.down) == Double(d.black) + Double($1) })
    else { return nil }
    return means
  }

  /// The levels of files that are no DNG, as LibRaw knows them.
  private func levels(_ d: raw_description, _ pattern: CFAPattern) -> SampleLevels {
    let channels = [d.channel_black.0, d.channel_black.1, d.channel_black.2, d.channel_black.3]
    let means = Self.maskedBlack(d) ?? channels.map { Double(d.black) + Double($0) }
    let repeats = d.pattern_columns > 0 && d.pattern_rows > 0 ? (Int(d.pattern_columns), Int(d.pattern_rows)) : (1, 1)
    let (filterColumns, filterRows) = (Int(d.filter_columns), Int(d.filter_rows))
    let (columns, rows) = (
      Self.leastCommonMultiple(filterColumns, repeats.0), Self.leastCommonMultiple(filterRows, repeats.1)
    )
    let filter = withUnsafeBytes(of: d.filter) { Array($0) }
    var black: [Float] = []
    for y in 0..<rows {
      for x in 0..<columns {
        let color = Int(filter[y % filterRows * filterColumns + x % filterColumns])
        let common = means.indices.contains(color) ? means[color] : Double(d.black)
        let local =
          d.pattern_columns > 0 && d.pattern_rows > 0 ? d.pattern[y % repeats.1 * repeats.0 + x % repeats.0] : 0
        black.append(Float(common + Double(local)))
      }
    }
    return SampleLevels(columns: columns, rows: rows, black: black, white: white(d))
  }

  /// Where samples clip: their largest value, or less where the maker says that linearity ends earlier.
  private func white(_ d: raw_description) -> SIMD3<Float> {
    let limits = [d.linear_maximum.0, d.linear_maximum.1, d.linear_maximum.2]
    let maximum = Int64(d.maximum)
    // LibRaw guesses the limit of Nikon's.
    let isGiven = !info.make.lowercased().hasPrefix("nikon") && limits.allSatisfy { $0 > maximum / 2 && $0 <= maximum }
    return isGiven
      ? SIMD3(Float(limits[0]), Float(limits[1]), Float(limits[2])) : SIMD3(repeating: Float(maximum))
  }

  private static func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return a / max(1, x) * b
  }
}
