import CGEGL
import CHEIF
import ColorScience
import GEGL
import Glibc
import Raster

/// The main picture of an HEIF or AVIF file (ISO/IEC 23008-12), through libheif. The file's own turns and mirrors are applied;
/// EXIF's orientation, which only repeats them, must not be.
final class HEIFFile {
  /// The brands at the beginning of such files.
  static let brands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "mif2", "avif", "avis",
  ]

  private let picture: OpaquePointer
  private let description: heif_description
  private let file: FileBytes

  /// Opens a file. Throws ``PhotoError`` for one that libheif cannot use, or where there is no libheif.
  init(_ file: FileBytes) throws {
    try HEIFStructure.check(file)
    self.file = file
    var status = HEIF_SUCCESS
    var message = [CChar](repeating: 0, count: Int(HEIF_MESSAGE_SIZE))
    guard let picture = heif_picture_open(file.descriptor, &status, &message) else {
      throw Self.error(file.path, status, message)
    }
    self.picture = picture
    var description = heif_description()
    heif_picture_describe(picture, &description)
    self.description = description
  }

  deinit { heif_picture_close(picture) }

  /// Whether a file begins as such files do.
  static func isHEIF(_ file: FileBytes) -> Bool {
    let head = file.reader(0, 12)
    guard head.starts(with: "ftyp", at: 4), let brand = head.slice(8, 4) else { return false }
    return brands.contains(String(decoding: brand, as: UTF8.self))
  }

  /// The size, upright.
  var size: (Int, Int) { (Int(description.width), Int(description.height)) }

  /// The EXIF block; nil where the file has none.
  var exif: ExifBlock? {
    var count = 0
    guard let bytes = heif_picture_exif(picture, &count) else { return nil }
    defer { free(bytes) }
    return ExifBlock(Array(UnsafeBufferPointer(start: bytes, count: count)))
  }

  /// Decodes into a buffer. Throws ``PhotoError``.
  func decode(into sink: BufferSink) throws {
    let space = try space(sink)
    var samples: UnsafeRawPointer?
    var stride = 0
    var message = [CChar](repeating: 0, count: Int(HEIF_MESSAGE_SIZE))
    let status = heif_picture_decode(picture, &samples, &stride, &message)
    guard status == HEIF_SUCCESS, let samples else { throw Self.error(file.path, status, message) }
    let (width, height) = size
    let layout = SampleLayout(
      width: width, height: height, channels: description.has_alpha ? 4 : 3,
      sample: description.bits > 8 ? .uint16 : .uint8, isPremultiplied: description.is_premultiplied,
      isLinear: description.icc == nil && description.transfer == 8)
    try sink.begin(layout, space: space)
    try sink.rows(samples, Rectangle(width: width, height: height), stride: stride)
  }

  /// The colour space: the ICC profile's, else that of the numbers in the file (ISO/IEC 23091-2); nil for sRGB.
  private func space(_ sink: BufferSink) throws -> ColorSpace? {
    let icc = UnsafeRawBufferPointer(start: description.icc, count: description.icc_size)
    if let space = sink.space(icc: icc) { return space }
    let (primaries, transfer) = (description.primaries, description.transfer)
    guard transfer != 16, transfer != 18 else {
      throw PhotoError(
        file.path,
        "is an HDR picture (\(transfer == 16 ? "PQ" : "HLG")), whose brightness is for displays; export it as OpenEXR")
    }
    // Unspecified, sRGB, linear; and BT.709's curve, which cameras mean by sRGB's.
    if ![1, 2, 6, 8, 13, 14, 15].contains(transfer) { sink.note("its curve (\(transfer)) is taken as that of sRGB") }
    let known: [UInt32: RGBSpace] = [9: .rec2020, 12: .displayP3]
    guard let space = known[primaries] else {
      if primaries != 1, primaries != 2 { sink.note("its primaries (\(primaries)) are taken as those of sRGB") }
      return nil
    }
    func point(_ place: Chromaticity) -> (Double, Double) { (place.x, place.y) }
    return ColorSpaceBudget.space(ColorSpaceBudget.fingerprint("nclx \(primaries)".utf8)) {
      ColorSpace(
        name: "HEIF \(primaries)", white: point(space.white), red: point(space.red), green: point(space.green),
        blue: point(space.blue), curve: babl_trc("sRGB"), equalized: true)
    }
  }

  private static func error(_ path: String, _ status: heif_status, _ message: [CChar]) -> PhotoError {
    let reason = text(message)
    switch status {
    case HEIF_NO_LIBRARY:
      return PhotoError(
        path,
        "HEIC and AVIF pictures need libheif (\(String(cString: heif_library_name()))), which cannot be used here: \(reason); "
          + "install it, or export the picture as JPEG or TIFF")
    case HEIF_NO_DECODER:
      return PhotoError(path, "libheif cannot decode the picture: \(reason); export it as JPEG or TIFF")
    case HEIF_NO_MEMORY: return PhotoError(path, "there is not enough memory for it")
    default: return PhotoError(path, "the HEIF picture cannot be read: \(reason); the file is damaged, copy it again")
    }
  }
}
