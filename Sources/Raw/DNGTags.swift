import Raster

/// What a DNG says of the frame in it (Adobe, "Digital Negative Specification" 1.6).
///
/// LibRaw reads these tags, too, but averages the black levels of columns and rows, rounds black levels, moves the borders
/// of an active area to even places, and does not crop.
struct DNGTags {
  /// The size as stored.
  let width, height: Int
  let bits, samplesPerPixel: Int
  /// The part of the sensor that has light; positions of levels and colours count from its corner.
  let activeArea: Rectangle
  /// The picture, in the active area.
  let crop: Rectangle
  /// The colours of the filter array; nil in a frame that has all colours at each pixel.
  let pattern: CFATag?
  let blackColumns, blackRows: Int
  /// Row after row, the samples of a pixel next to each other; nil where the file does not say.
  let black: [Double]?
  let columnBlack, rowBlack: [Double]
  /// One level, or one for each sample of a pixel.
  let white: [Double]
  /// How white looked in the light of the shot.
  let asShotNeutral: [Double]?

  /// The directory of the frame.
  let directory: TIFFDirectories.Directory

  struct CFATag {
    let columns, rows: Int
    let colors: [UInt8]
    let isRectangular: Bool
  }

  /// The tags of the frame; nil where the file is no DNG or has none.
  init?(_ directories: TIFFDirectories) throws(RawError) {
    guard let main = directories.all.first, main.fields[50706] != nil else { return nil }
    // In the order in which LibRaw looks, which unpacks the first one.
    guard
      let frame = directories.all.first(where: {
        ($0.integer(254) ?? 0) == 0 && [32803, 34892].contains($0.integer(262) ?? 0)
      })
    else { return nil }
    guard let width = frame.integer(256), let height = frame.integer(257), (1...65535).contains(width),
      (1...65535).contains(height)
    else { throw .damaged("its size is missing") }
    directory = frame
    self.width = width
    self.height = height
    let samples = frame.integer(277) ?? 1
    guard (1...65535).contains(samples) else { throw .damaged("it does not say how many colours a pixel has") }
    samplesPerPixel = samples
    bits = frame.integer(258) ?? 16
    let isFloat = frame.integer(339) == 3

    let all = Rectangle(width: width, height: height)
    var active = all
    if let area = frame.integers(50829), area.count == 4, area.allSatisfy({ (0...65535).contains($0) }) {
      let given = all.intersection(
        Rectangle(x: area[1], y: area[0], width: area[3] - area[1], height: area[2] - area[0]))
      if !given.isEmpty { active = given }
    }
    activeArea = active
    let whole = Rectangle(width: active.width, height: active.height)
    var crop = whole
    if let origin = frame.integers(50719), let size = frame.integers(50720), origin.count == 2, size.count == 2,
      (origin + size).allSatisfy({ (0...65535).contains($0) })
    {
      let given = whole.intersection(Rectangle(x: origin[0], y: origin[1], width: size[0], height: size[1]))
      if !given.isEmpty { crop = given }
    }
    self.crop = crop

    if frame.integer(262) == 32803 {
      // A raw frame in a directory of its own may leave the pattern to the first one.
      let source = frame.fields[33422] == nil ? main : frame
      let size = source.integers(33421) ?? [2, 2]
      guard let colors = source.integers(33422), size.count == 2, size.allSatisfy({ (1...4096).contains($0) }),
        colors.count == size[0] * size[1], colors.allSatisfy({ (0...255).contains($0) })
      else { throw .damaged("it does not say how its colours lie") }
      pattern = CFATag(
        columns: size[1], rows: size[0], colors: colors.map { UInt8($0) },
        isRectangular: (frame.integer(50711) ?? 1) == 1)
    } else {
      pattern = nil
    }

    let repeats = frame.integers(50713) ?? [1, 1]
    let (rows, columns) = repeats.count == 2 ? (repeats[0], repeats[1]) : (1, 1)
    let levels = frame.numbers(50714).flatMap { $0.isEmpty ? nil : $0 }
    let isPattern =
      (1...4096).contains(rows) && (1...4096).contains(columns) && levels?.count == rows * columns * samples
    blackRows = isPattern ? rows : 1
    blackColumns = isPattern ? columns : 1
    black = isPattern ? levels : levels.map { Array($0.prefix(samples)) }
    columnBlack = frame.numbers(50715) ?? []
    rowBlack = frame.numbers(50716) ?? []
    let full = isFloat ? 1 : Double(UInt64(1) << UInt64(min(max(bits, 1), 32)) - 1)
    let white = frame.numbers(50717) ?? []
    self.white = white.isEmpty ? [full] : white
    asShotNeutral = (frame.numbers(50728) ?? main.numbers(50728)).flatMap { $0.count >= 3 ? $0 : nil }
  }
}
