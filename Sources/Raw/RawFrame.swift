import CLibRaw
import ConstantColor
import Raster

/// A RAW file, unpacked: the numbers of the sensor and what they mean. Its memory is freed with the object.
public final class RawFrame: Sendable {
  /// What is known of the file.
  public let info: RawInfo
  /// What the user should know although the file can be used.
  public let notes: [String]
  /// The numbers behind a filter array; nil for a linear DNG.
  public let mosaic: Mosaic?
  private let linear: LinearFrame?

  /// Opens and unpacks a file.
  /// - Throws: ``RawError``: no RAW file, cut off, damaged, of a kind that cannot be used, or LibRaw is missing.
  public init(_ path: String) throws(RawError) {
    let opened = try OpenedRaw(path)
    info = opened.info
    let samples = try opened.samples()
    let description = opened.file.description
    if opened.info.sensor == .linear {
      linear = try opened.linearFrame(samples, description)
      mosaic = nil
    } else {
      mosaic = try opened.mosaic(samples, description)
      linear = nil
    }
    notes =
      description.errors == 0
      ? [] : ["the file seems to be damaged: parts of the picture may be wrong; copy it from the camera again"]
  }

  /// Looks at a file without unpacking it.
  /// - Throws: ``RawError``, as the initializer does, as far as can be told.
  public static func inspect(_ path: String) throws(RawError) -> RawInfo {
    try OpenedRaw(path).info
  }

  /// The picture as stored: camera RGB in linear light, 1 at clipping, without white balance.
  ///
  /// - Parameter isHalfSize: a smaller one, by whole samples: sooner, for previews.
  public func picture(isHalfSize: Bool = false) -> any PixelSource {
    if let mosaic {
      return isHalfSize ? SuperpixelFrame(mosaic) : DemosaicedFrame(mosaic, neutral: info.whiteInCamera)
    }
    let picture: any PixelSource = linear ?? Image(Rectangle(width: 0, height: 0))
    return isHalfSize ? HalvedSource(picture) : picture
  }

  /// How the noise of samples becomes noise of the picture; see ``DemosaicedFrame/varianceFactors``.
  public var varianceFactors: [SIMD3<Double>] {
    mosaic.map { DemosaicedFrame($0, neutral: info.whiteInCamera).varianceFactors }
      ?? [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
  }

  /// How much more noise means have than if neighbours did not share it; see ``DemosaicedFrame/noiseCorrelation``.
  public var noiseCorrelation: SIMD3<Double> {
    mosaic.map { DemosaicedFrame($0, neutral: info.whiteInCamera).noiseCorrelation } ?? SIMD3(repeating: 1)
  }
}

/// A file that was opened and looked at.
struct OpenedRaw {
  let bytes: ByteSource
  let file: LibRawFile
  let directories: TIFFDirectories?
  let tags: DNGTags?
  let info: RawInfo
  let pattern: CFAPattern?

  init(_ path: String) throws(RawError) {
    bytes = try ByteSource(path)
    directories = TIFFDirectories(bytes)
    try FileExtent.check(bytes, directories)
    file = try LibRawFile(path)
    let description = file.description
    tags =
      description.is_dng ? try directories.flatMap { directories throws(RawError) in try DNGTags(directories) } : nil
    try Self.refuseUnusual(description)
    let pattern = try Self.pattern(description, tags)
    self.pattern = pattern
    let corner = tags.map { ($0.crop.x, $0.crop.y) } ?? (0, 0)
    let size = tags.map { ($0.crop.width, $0.crop.height) } ?? (Int(description.width), Int(description.height))
    guard size.0 > 0, size.1 > 0 else { throw .damaged("the picture has no pixels") }
    info = RawInfo(
      make: withUnsafeBytes(of: description.make) { text($0.bindMemory(to: CChar.self)) },
      model: withUnsafeBytes(of: description.model) { text($0.bindMemory(to: CChar.self)) },
      width: size.0, height: size.1, orientation: Self.orientation(description, directories),
      sensor: pattern.map { $0.isBayer ? .bayer : $0.isXTrans ? .xTrans : .mosaic } ?? .linear,
      bits: tags?.bits ?? Int(description.bits), asShotNeutral: Self.neutral(description, tags),
      cameraFromXYZ: Self.cameraFromXYZ(description), isDNG: tags != nil,
      halfSizeSide: pattern.map { SuperpixelFrame.side(of: $0.shifted(x: corner.0, y: corner.1)) } ?? 2)
  }

  private static func refuseUnusual(_ d: raw_description) throws(RawError) {
    if d.is_rotated {
      throw RawError("its sensor is turned by 45 degrees (Super CCD), which cannot be used; use JPEG or TIFF")
    }
    if d.is_foveon { throw RawError("is of a Foveon sensor, which cannot be used; develop it to 16-bit TIFF") }
    if d.is_uncorrected { throw RawError("is a compressed file of Phase One, which cannot be used; convert it to DNG") }
    if d.colors == 1 { throw RawError("is of a monochrome sensor: it has no colours to measure") }
  }

  /// The filter array of the active area; nil for a linear DNG.
  private static func pattern(_ d: raw_description, _ tags: DNGTags?) throws(RawError) -> CFAPattern? {
    let unusual = RawError("its sensor has other colours than red, green and blue, which cannot be used")
    if let tags {
      guard let cfa = tags.pattern else { return nil }
      guard cfa.isRectangular, let pattern = CFAPattern(columns: cfa.columns, rows: cfa.rows, colors: cfa.colors),
        tags.samplesPerPixel == 1
      else { throw unusual }
      return pattern
    }
    guard d.filter_rows > 0 else {
      throw RawError(
        "is a reduced RAW file (sRAW, mRAW), which the camera has developed already; record full RAW files")
    }
    let letters = withUnsafeBytes(of: d.names) { Array($0) }
    let colors: [UInt8: UInt8] = [82: 0, 71: 1, 66: 2]
    let filter = withUnsafeBytes(of: d.filter) { Array($0.prefix(Int(d.filter_columns * d.filter_rows))) }
    let named = filter.compactMap { letters.indices.contains(Int($0)) ? colors[letters[Int($0)]] : nil }
    guard named.count == filter.count,
      let pattern = CFAPattern(columns: Int(d.filter_columns), rows: Int(d.filter_rows), colors: named)
    else { throw unusual }
    return pattern
  }

  private static func orientation(_ d: raw_description, _ directories: TIFFDirectories?) -> Orientation {
    if let tag = directories?.all.first?.integer(274), (1...8).contains(tag) { return Orientation(tag: tag) }
    let tags = [1, 2, 4, 3, 5, 8, 6, 7]
    return Orientation(tag: tags.indices.contains(Int(d.flip)) ? tags[Int(d.flip)] : 1)
  }

  private static func neutral(_ d: raw_description, _ tags: DNGTags?) -> SIMD3<Double>? {
    if let neutral = tags?.asShotNeutral, neutral.prefix(3).allSatisfy({ $0 > 0 && $0 < 1e3 }) {
      return SIMD3(neutral[0], neutral[1], neutral[2]) / neutral[1]
    }
    let gains = SIMD3(Double(d.white_balance.0), Double(d.white_balance.1), Double(d.white_balance.2))
    guard gains.min() > 0, gains.max().isFinite else { return nil }
    return SIMD3(repeating: gains.y) / gains
  }

  private static func cameraFromXYZ(_ d: raw_description) -> [Double]? {
    let m = withUnsafeBytes(of: d.camera_from_xyz) { $0.bindMemory(to: Float.self).prefix(9).map { Double($0) } }
    return m.contains { $0 != 0 } && m.allSatisfy(\.isFinite) ? m : nil
  }
}

extension CFAPattern {
  /// Whether it is Fujifilm's of 6 × 6, from whatever place on.
  var isXTrans: Bool {
    columns == 6 && rows == 6 && (0..<36).contains { self == Self.xTrans.shifted(x: $0 % 6, y: $0 / 6) }
  }
}
