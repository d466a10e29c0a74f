import CGEGL

/// How the pixels of a buffer are stored and what their numbers mean: a babl format.
///
/// Valid only after ``Library/start(_:register:)`` or inside a host that runs GEGL: babl aborts a
/// process that asks it for a format too early.
public struct PixelFormat: Equatable, @unchecked Sendable {
  /// The babl object.
  public let babl: OpaquePointer

  /// Wraps a babl format; nil where there is none.
  public init?(_ babl: OpaquePointer?) {
    guard let babl else { return nil }
    self.babl = babl
  }

  /// A format by babl's name, such as "RGBA float" (linear) or "R'G'B' u16" (encoded), in a colour
  /// space (nil: sRGB). Throws where babl has no such format.
  ///
  /// The corresponding C function is `babl_format_with_space`.
  public init(_ name: String, space: ColorSpace? = nil) throws {
    guard babl_format_exists(name) != 0 else { throw GEGLError("babl has no pixel format '\(name)'") }
    guard let format = babl_format_with_space(name, space?.babl) else {
      throw GEGLError("babl cannot make the pixel format '\(name)' in this colour space")
    }
    babl = format
  }

  /// babl's name of the format.
  public var name: String { babl_get_name(babl).map { String(cString: $0) } ?? "" }
  /// The size of one pixel in bytes.
  public var bytesPerPixel: Int { Int(cgegl_format_bytes(babl)) }
  /// The number of components, alpha among them.
  public var components: Int { Int(cgegl_format_components(babl)) }
  /// Whether there is an alpha component.
  public var hasAlpha: Bool { babl_format_has_alpha(babl) != 0 }
  /// The colour space of the numbers.
  public var space: ColorSpace? { ColorSpace(babl_format_get_space(babl)) }
  /// The encoding without its space, such as "R'G'B' u8".
  public var encoding: String { babl_format_get_encoding(babl).map { String(cString: $0) } ?? "" }
}

/// A colour space: primaries, white and tone curve of RGB numbers: a babl space.
public struct ColorSpace: Equatable, @unchecked Sendable {
  /// The babl object.
  public let babl: OpaquePointer

  /// Wraps a babl space; nil where there is none.
  public init?(_ babl: OpaquePointer?) {
    guard let babl else { return nil }
    self.babl = babl
  }

  /// A space by babl's name, such as "sRGB" or "Rec2020"; nil where babl has none.
  public init?(named name: String) { self.init(babl_space(name)) }

  /// A space from CIE xy chromaticities of its white and its primaries, and from a tone curve of babl's
  /// (see ``curve``). `equalized`: babl moves the primaries by a trifle so that equal numbers are exactly grey. nil where
  /// babl refuses.
  ///
  /// The corresponding C function is `babl_space_from_chromaticities`.
  public init?(
    name: String, white: (x: Double, y: Double), red: (x: Double, y: Double), green: (x: Double, y: Double),
    blue: (x: Double, y: Double), curve: OpaquePointer?, equalized: Bool = false
  ) {
    guard let curve else { return nil }
    self.init(
      babl_space_from_chromaticities(
        name, white.x, white.y, red.x, red.y, green.x, green.y, blue.x, blue.y, curve, curve, curve,
        equalized ? BABL_SPACE_FLAG_EQUALIZE : BABL_SPACE_FLAG_NONE))
  }

  /// The space of an ICC profile; nil where babl cannot use it.
  ///
  /// The corresponding C function is `babl_space_from_icc`.
  public init?(icc: [UInt8]) {
    self.init(
      icc.withUnsafeBytes { bytes in
        var problem: UnsafePointer<CChar>?
        return babl_space_from_icc(
          bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: bytes.count),
          BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &problem)
      })
  }

  /// The space's name.
  public var name: String { babl_get_name(babl).map { String(cString: $0) } ?? "" }

  /// The tone curve of red, which is that of all channels in most spaces: a babl object.
  public var curve: OpaquePointer? {
    var curve: OpaquePointer?
    withUnsafeMutablePointer(to: &curve) {
      babl_space_get(babl, nil, nil, nil, nil, nil, nil, nil, nil, $0, nil, nil)
    }
    return curve
  }

  /// The matrix, row by row, from linear RGB of this space to linear RGB of another, white to white.
  public func linearMatrix(to other: ColorSpace) -> [Double]? {
    guard let from = babl_format_with_space("RGB double", babl),
      let to = babl_format_with_space("RGB double", other.babl),
      let fish = babl_fish(UnsafeRawPointer(from), UnsafeRawPointer(to))
    else { return nil }
    let primaries: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    var columns = [Double](repeating: 0, count: 9)
    babl_process(fish, primaries, &columns, 3)
    return (0..<9).map { columns[$0 % 3 * 3 + $0 / 3] }
  }

  /// CIE xy of the white and the three primaries.
  public var chromaticities:
    (
      white: (x: Double, y: Double), red: (x: Double, y: Double), green: (x: Double, y: Double),
      blue: (x: Double, y: Double)
    )
  {
    var wx = 0.0
    var wy = 0.0
    var rx = 0.0
    var ry = 0.0
    var gx = 0.0
    var gy = 0.0
    var bx = 0.0
    var by = 0.0
    babl_space_get(babl, &wx, &wy, &rx, &ry, &gx, &gy, &bx, &by, nil, nil, nil)
    return ((wx, wy), (rx, ry), (gx, gy), (bx, by))
  }

  /// The ICC profile of the space; nil where babl can make none.
  public var iccProfile: [UInt8]? {
    var length: CInt = 0
    guard let bytes = babl_space_get_icc(babl, &length), length > 0 else { return nil }
    return bytes.withMemoryRebound(to: UInt8.self, capacity: Int(length)) {
      Array(UnsafeBufferPointer(start: $0, count: Int(length)))
    }
  }
}
