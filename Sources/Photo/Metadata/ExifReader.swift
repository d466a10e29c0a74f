import CGExiv2
import CPictureIO

/// What a program that reads photographs asks of the system.
public enum ReadingFaults {
  /// From here on a photograph that another program makes shorter while its metadata are read does not end this process: it has
  /// none then. Takes SIGBUS for that, and gives back what is no such case; to be called once, by the program itself.
  public static func survive() { picture_survive_shrinking_files() }
}

/// Finds the EXIF block of a file, through exiv2 where the format hides it.
enum ExifReader {
  struct Found {
    var exif: ExifBlock
    /// From maker notes, which do not travel further.
    var serial, lens: String?
    /// Whether the picture is upright already, whatever the block says.
    var isUpright = false
  }

  static func read(_ path: String) -> Found? {
    guard let file = try? FileBytes(path) else { return nil }
    // exiv2 0.27 does not know PNG's eXIf chunk.
    if let block = pngBlock(file) { return Found(exif: block) }
    // Nor, mostly, HEIF.
    if HEIFFile.isHEIF(file) { return (try? HEIFFile(file))?.exif.map { Found(exif: $0, isUpright: true) } }
    return isReady ? mapping { readWithExiv2(path) } : nil
  }

  /// What `read` finds with exiv2, which maps files; nil where one became shorter meanwhile.
  static func mapping<Value>(_ read: () -> Value?) -> Value? {
    picture_mapping_begins()
    let value = read()
    return picture_mapping_ends() ? value : nil
  }

  /// exiv2 must be initialised once, before other threads use it; its warnings go nowhere.
  static let isReady: Bool = {
    gexiv2_log_set_level(GEXIV2_LOG_LEVEL_MUTE)
    return gexiv2_initialize() != 0
  }()

  private static func readWithExiv2(_ path: String) -> Found? {
    guard let metadata = gexiv2_metadata_new() else { return nil }
    defer { g_object_unref(metadata) }
    guard let isOpen = withoutError({ gexiv2_metadata_open_path(metadata, path, $0) }), isOpen != 0,
      let data = withoutError({ gexiv2_metadata_get_exif_data(metadata, GEXIV2_BYTE_ORDER_LITTLE, $0) }) ?? nil
    else { return nil }
    defer { g_bytes_unref(data) }
    var count: gsize = 0
    guard let start = g_bytes_get_data(data, &count), count > 8,
      let block = ExifBlock(Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
    else { return nil }
    func text(_ tags: [String]) -> String? {
      for tag in tags {
        guard let text = withoutError({ gexiv2_metadata_try_get_tag_interpreted_string(metadata, tag, $0) }) ?? nil
        else {
          continue
        }
        defer { g_free(text) }
        if let value = trimmed(String(cString: text)) { return value }
      }
      return nil
    }
    return Found(exif: block, serial: text(serialTags), lens: text(lensTags))
  }

  /// The result, or nil when the call set an error.
  static func withoutError<Value>(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Value
  ) -> Value? {
    var error: UnsafeMutablePointer<GError>?
    let value = call(&error)
    guard let error else { return value }
    g_error_free(error)
    return nil
  }

  private static func pngBlock(_ file: FileBytes) -> ExifBlock? {
    guard file.read(0, 4) == [0x89, 0x50, 0x4E, 0x47] else { return nil }
    var offset = 8
    while true {
      let head = file.reader(offset, 8, little: false)
      guard let length = head.uint32(0), Int(length) <= file.count - offset - 8 else { return nil }
      if head.starts(with: "eXIf", at: 4) {
        return length < 1 << 24 ? ExifBlock(file.read(offset + 8, Int(length))) : nil
      }
      offset += 12 + Int(length)
    }
  }

  private static let serialTags = [
    "Exif.Canon.SerialNumber", "Exif.Nikon3.SerialNumber", "Exif.Fujifilm.SerialNumber",
    "Exif.OlympusEq.SerialNumber", "Exif.Panasonic.InternalSerialNumber", "Exif.Pentax.SerialNumber",
  ]
  private static let lensTags = [
    "Exif.CanonCs.LensType", "Exif.NikonLd3.LensIDNumber", "Exif.OlympusEq.LensType", "Exif.Panasonic.LensType",
    "Exif.Pentax.LensType", "Exif.Sony2.LensID",
  ]
}
