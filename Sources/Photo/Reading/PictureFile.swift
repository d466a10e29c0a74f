import Raw

/// A picture file that was looked at, but not decoded: it is of a known kind, complete, and of a sane size.
public struct PictureFile: Equatable, Sendable {
  /// The kinds of files that can be read.
  public enum Kind: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png = "PNG"
    /// TIFF and BigTIFF.
    case tiff = "TIFF"
    /// JPEG.
    case jpeg = "JPEG"
    /// Windows bitmap.
    case bmp = "BMP"
    /// OpenEXR.
    case openEXR = "OpenEXR"
    /// WebP.
    case webP = "WebP"
    /// Portable pixmap, greymap and float map (Netpbm).
    case portable = "PPM"
    /// High Efficiency Image File Format with HEVC (HEIC) or AV1 (AVIF).
    case heif = "HEIF"
    /// The numbers of a camera's sensor: DNG and the makers' own formats.
    case raw = "RAW"
    /// Pixels that another program has in memory, such as a layer: in no file.
    case layer = "layer"
  }

  /// The file, as the caller named it.
  public var path: String
  /// What it is, by its content.
  public var kind: Kind
  /// The size in pixels as stored, before the orientation is applied; of HEIF, which turns by itself, upright.
  public var width, height: Int

  /// A file of which everything is known.
  public init(path: String, kind: Kind, width: Int, height: Int) {
    (self.path, self.kind, self.width, self.height) = (path, kind, width, height)
  }

  /// More pixels than any camera has; a damaged size is usually far beyond, and what a small file only pretends to hold would
  /// fill memory and disk all the same.
  static let largestSide = 1 << 18
  static let mostPixels = 1 << 29

  /// Looks at a file.
  /// - Throws: ``PhotoError`` that says what is wrong with it: missing, not readable, not a picture, cut off.
  public static func inspect(_ path: String) throws -> PictureFile {
    try inspect(FileBytes(path))
  }

  static func inspect(_ file: FileBytes) throws -> PictureFile {
    let head = file.reader(0, 64)
    let kind = try kind(head, of: file)
    let (width, height) =
      switch kind {
      case .png: try PNGStructure.check(file)
      case .jpeg: try JPEGStructure.check(file)
      case .tiff: try TIFFStructure.check(file)
      case .bmp: try BitmapHeader(file).size
      case .openEXR: try OpenEXRStructure(file).size
      case .webP: try WebPStructure.check(file)
      case .portable: try PortableHeader(file).size
      case .heif: try HEIFFile(file).size
      case .raw: try rawSize(file)
      case .layer: (0, 0)
      }
    guard width > 0, height > 0 else {
      throw PhotoError(file.path, "the picture has no pixels (\(width) × \(height)); the file is damaged")
    }
    guard width <= largestSide, height <= largestSide, width * height <= mostPixels else {
      throw PhotoError(
        file.path, "\(width) × \(height) pixels are too many; the file is damaged, or scale the picture down")
    }
    return PictureFile(path: file.path, kind: kind, width: width, height: height)
  }

  private static func kind(_ head: ByteReader, of file: FileBytes) throws -> Kind {
    let name = fileExtension(file.path)
    // Raw files may look like TIFF files, and are called what they like.
    if RawFrame.isRaw(file.path) { return .raw }
    if head.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if head.bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]]
      .contains(Array(head.bytes.prefix(4)))
    {
      return .tiff
    }
    if head.starts(with: "BM"), (head.uint32(14) ?? 0) >= 12, (head.uint32(14) ?? 0) <= 256 { return .bmp }
    if head.bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) { return .openEXR }
    if head.starts(with: "RIFF"), head.starts(with: "WEBP", at: 8) { return .webP }
    if ["P5", "P6", "Pf", "PF"].contains(where: { head.starts(with: $0) }), head.byte(2).map(isSpace) == true {
      return .portable
    }
    if HEIFFile.isHEIF(file) { return .heif }
    throw PhotoError(file.path, refusal(head, name))
  }

  /// What to say of a file that is none of the kinds.
  private static func refusal(_ head: ByteReader, _ name: String) -> String {
    let use = "use PNG, TIFF, JPEG, HEIC, OpenEXR, BMP, WebP or PPM"
    if head.starts(with: "ftyp", at: 4) {
      return "is a video or another container, not a picture; \(use)"
    }
    if head.starts(with: "GIF8") { return "GIF has too few colours to measure; \(use)" }
    if head.starts(with: "8BPS") { return "Photoshop files cannot be read; export it as TIFF" }
    if head.starts(with: "%PDF") { return "is a PDF, not a picture; \(use)" }
    if head.starts(with: "#?R") { return "Radiance HDR cannot be read; convert it to OpenEXR" }
    if head.bytes.starts(with: [0xFF, 0x0A]) || head.starts(with: "JXL ", at: 4) {
      return "JPEG XL cannot be read; export it as PNG or TIFF"
    }
    if head.starts(with: "jP  ", at: 4) { return "JPEG 2000 cannot be read; export it as PNG or TIFF" }
    if ["P1", "P2", "P3", "P4", "P7"].contains(where: { head.starts(with: $0) }), head.byte(2).map(isSpace) == true {
      return "this kind of Netpbm file cannot be read; save it as binary PPM or PGM"
    }
    let picture = ["png", "tif", "tiff", "jpg", "jpeg", "bmp", "exr", "webp", "ppm", "pgm", "pfm", "heic", "avif"]
      .contains(name)
    return picture
      ? "is not a picture, whatever its name says: its first bytes are of no known kind; \(use)"
      : "is not a picture of a known kind; \(use)"
  }

  private static func rawSize(_ file: FileBytes) throws -> (Int, Int) {
    do {
      let info = try RawFrame.inspect(file.path)
      return (info.width, info.height)
    } catch { throw PhotoError(file.path, error.description) }
  }
}

/// White space as in Netpbm headers.
func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

/// What to say of a file that ends too early.
func cutOff(_ file: FileBytes) -> PhotoError {
  PhotoError(file.path, "the file is cut off: it ends before the picture does; copy it again")
}

/// What to say of a file whose structure makes no sense.
func damaged(_ file: FileBytes, _ what: String) -> PhotoError {
  PhotoError(file.path, "the file is damaged: \(what); copy it again")
}
