import CGEGL

/// Decoding numbers of 8 and 16 bits to linear light in one way.
///
/// babl knows several ways from "R'G'B' u16" to "RGBA float" and takes the one that was the fastest in this run: they differ by up
/// to 1e-6, and so would everything that is computed from a picture, from run to run. From formats of our own there is one
/// way, a table, which is faster, too.
extension Buffer {
  /// Makes the buffer's numbers decode in one way; those of other formats stay as they are.
  public func fixDecoding() throws {
    guard let format, let encoding = DecodedFormats.Encoding(rawValue: format.encoding) else { return }
    try reinterpret(as: DecodedFormats.shared.format(encoding, space: format.space))
  }
}

/// The formats, one for each encoding and space; kept for ever, as babl keeps them.
private final class DecodedFormats: @unchecked Sendable {
  enum Encoding: String, CaseIterable {
    case rgb8 = "R'G'B' u8"
    case rgba8 = "R'G'B'A u8"
    case rgb16 = "R'G'B' u16"
    case rgba16 = "R'G'B'A u16"

    var name: String { "constant-color \(rawValue)" }
    var isWide: Bool { self == .rgb16 || self == .rgba16 }
    var hasAlpha: Bool { self == .rgba8 || self == .rgba16 }
  }

  static let shared = DecodedFormats()
  private let lock = Lock()
  private var known: [String: PixelFormat] = [:]

  private init() {
    for encoding in Encoding.allCases {
      _ = cgegl_format_new(encoding.name, encoding.isWide ? 1 : 0, encoding.hasAlpha ? 1 : 0)
    }
  }

  func format(_ encoding: Encoding, space: ColorSpace?) throws -> PixelFormat {
    try lock.withLock {
      let format = try PixelFormat(encoding.name, space: space)
      if let known = known[format.name] { return known }
      let table = try Self.table(encoding.isWide ? 65536 : 256, space)
      let light = UnsafeMutablePointer<Float>.allocate(capacity: table.count)
      light.initialize(from: table, count: table.count)
      let decoding = UnsafeMutablePointer<cgegl_decoding>.allocate(capacity: 1)
      decoding.initialize(to: cgegl_decoding(size: guint(table.count / 3), light: light))
      cgegl_format_set_decoding(
        format.babl, try PixelFormat("RGBA float", space: space).babl, encoding.isWide ? 1 : 0,
        encoding.hasAlpha ? 1 : 0, decoding)
      known[format.name] = format
      return format
    }
  }

  /// Linear light of each number, all of red's before green's before blue's: by babl's own curves.
  private static func table(_ size: Int, _ space: ColorSpace?) throws -> [Float] {
    let numbers = (0..<size * 3).map { Double($0 / 3) / Double(size - 1) }
    var light = [Double](repeating: 0, count: size * 3)
    let (encoded, linear) = (
      try PixelFormat("R'G'B' double", space: space), try PixelFormat("RGB double", space: space)
    )
    guard let fish = babl_fish(UnsafeRawPointer(encoded.babl), UnsafeRawPointer(linear.babl)) else {
      throw GEGLError("babl cannot decode the colours of '\(encoded.name)'")
    }
    babl_process(fish, numbers, &light, size)
    return (0..<size * 3).map { Float(light[$0 % size * 3 + $0 / size]) }
  }
}
