/// The file formats that results are written in.
public enum PictureFormat: String, CaseIterable, Sendable {
  /// PNG, 8 or 16 bit.
  case png = "PNG"
  /// TIFF, 8 or 16 bit or float; BigTIFF beyond 4 GB.
  case tiff = "TIFF"
  /// JPEG, 8 bit.
  case jpeg = "JPEG"
  /// OpenEXR, float.
  case openEXR = "OpenEXR"

  /// The format that the extension of `path` names.
  /// - Throws: ``PhotoError`` for an extension without a format.
  public init(path: String) throws {
    switch fileExtension(path) {
    case "png": self = .png
    case "tif", "tiff": self = .tiff
    case "jpg", "jpeg": self = .jpeg
    case "exr": self = .openEXR
    case "": throw PhotoError(path, "has no extension; name it .png, .tif, .exr or .jpg")
    case let name: throw PhotoError(path, "the format .\(name) cannot be written; use .png, .tif, .exr or .jpg")
    }
  }

  /// The samples that a result has in this format. `float` asks a TIFF for floats.
  public func sample(float: Bool = false) -> PictureLayout.Sample {
    switch self {
    case .png: .uint16
    case .tiff: float ? .float32 : .uint16
    case .jpeg: .uint8
    case .openEXR: .float32
    }
  }

  /// The extension that ``init(path:)`` knows it by, without a dot.
  public var usualExtension: String {
    switch self {
    case .png: "png"
    case .tiff: "tif"
    case .jpeg: "jpg"
    case .openEXR: "exr"
    }
  }

  func supports(_ sample: PictureLayout.Sample) -> Bool {
    switch self {
    case .png: sample != .float32
    case .tiff: true
    case .jpeg: sample == .uint8
    case .openEXR: sample == .float32
    }
  }

  var largestSide: Int {
    switch self {
    case .png, .tiff, .openEXR: Int(Int32.max) / 64
    case .jpeg: 65500
    }
  }
}

/// The extension of a file name, in lower case and without its dot; empty when there is none.
public func fileExtension(_ path: String) -> String {
  let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
  guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
  return name[name.index(after: dot)...].lowercased()
}

/// The shape of the rows that a writer receives.
public struct PictureLayout: Equatable, Sendable {
  /// How a sample is stored, in the machine's byte order.
  public enum Sample: Int, Sendable {
    /// 0...255
    case uint8 = 1
    /// 0...65535
    case uint16 = 2
    /// 32-bit floating point.
    case float32 = 4
  }

  /// The size in pixels.
  public var width, height: Int
  /// 1 for a map or a grey picture, 3 for red, green, blue.
  public var channels: Int
  /// How a sample is stored.
  public var sample: Sample

  /// A layout of interleaved rows without padding.
  public init(width: Int, height: Int, channels: Int, sample: Sample) {
    self.width = width
    self.height = height
    self.channels = channels
    self.sample = sample
  }

  /// The bytes of a row; meaningful for a layout that a writer accepted.
  public var rowBytes: Int { width * channels * sample.rawValue }
}

/// The xy chromaticities of an RGB space's primaries and white, for formats that store them.
public struct PictureChromaticities: Equatable, Sendable {
  /// CIE 1931 x and y.
  public var red, green, blue, white: SIMD2<Float>

  /// Chromaticities from their x and y.
  public init(red: SIMD2<Float>, green: SIMD2<Float>, blue: SIMD2<Float>, white: SIMD2<Float>) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }
}

/// What a picture file carries beside its pixels.
public struct PictureAttachments: Sendable {
  /// The ICC profile of the samples; leave it out for maps, whose numbers are plain linear values.
  public var icc: [UInt8]?
  /// Camera, lens, time and place.
  public var exif: ExifBlock?
  /// Stored in OpenEXR, which has no ICC profiles.
  public var chromaticities: PictureChromaticities?

  /// Attachments; all may be left out.
  public init(icc: [UInt8]? = nil, exif: ExifBlock? = nil, chromaticities: PictureChromaticities? = nil) {
    self.icc = icc
    self.exif = exif
    self.chromaticities = chromaticities
  }
}
