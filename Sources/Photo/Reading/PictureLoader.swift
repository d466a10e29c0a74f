import CGEGL
import CPictureIO
import ConstantColor
import GEGL
import Raster
import Raw

/// A picture in memory, upright, with what its file says about it.
public struct LoadedPicture: Sendable {
  /// The file.
  public var file: PictureFile
  /// The pixels in the file's own sample type, tagged with the file's colour space.
  public var buffer: Buffer
  /// What the camera wrote.
  public var metadata: Metadata
  /// What the user should know although the picture could be loaded, such as an unusable profile.
  public var notes: [String]
  /// What is known of a RAW file; nil for a picture that somebody has developed.
  public var raw: RawInfo?
  /// The noise of the pixels, where the file tells it (DNG's NoiseProfile), after demosaicing.
  public var noise: NoiseModel?
  /// ``FlashOnlyEstimate/noiseCorrelation`` of the pixels; nil where nobody knows.
  public var noiseCorrelation: SIMD3<Double>?

  /// Whether the pixels are linear values of a camera's sensor without white balance, only nominally in a colour space.
  public var isCameraRGB: Bool { raw != nil }
  /// The size after the orientation was applied.
  public var width: Int { buffer.extent.width }
  /// The size after the orientation was applied.
  public var height: Int { buffer.extent.height }
}

extension LoadedPicture {
  /// Lets go of the pixels: the buffer is one of zeros afterwards, for which there is no memory.
  public mutating func releasePixels() throws {
    guard let format = buffer.format else { return }
    buffer = try Buffer(buffer.extent, format: format)
  }

  /// A picture that another program has in memory, of which no metadata are known.
  ///
  /// - Parameters:
  ///   - name: what messages call it.
  ///   - pixels: its format says how the numbers are encoded, and in which colour space unless there is a profile.
  ///   - profile: the ICC profile that the numbers are encoded by; empty for none.
  public init(name: String, pixels: Buffer, profile: [UInt8]) throws {
    let file = PictureFile(path: name, kind: .layer, width: pixels.extent.width, height: pixels.extent.height)
    self.init(file: file, buffer: pixels, metadata: Metadata(), notes: [])
    guard !profile.isEmpty, let sample = pixels.format?.encoding.split(separator: " ").last else { return }
    guard let space = profile.withUnsafeBytes({ ICCProfile.space($0) }) else {
      notes.append("\(name): its colour profile cannot be used; its colours are taken as sRGB")
      return
    }
    let channels = pixels.format?.hasAlpha == true ? "R'G'B'A" : "R'G'B'"
    try pixels.reinterpret(as: PixelFormat("\(channels) \(sample)", space: space))
  }
}

/// A picture file that is open, and what can be told of it before its pixels are decoded.
///
/// RAW files are unpacked meanwhile, on a thread of their own: no library does that on more than one processor. GEGL need not
/// have been started.
public final class OpenedPicture {
  private let file: PictureFile
  private let metadata: Metadata
  private var bytes: FileBytes?
  private var raw: Background<RawFrame>?

  /// Opens a file. Throws ``PhotoError``, in one line for photographers.
  public init(_ path: String) throws {
    let bytes = try FileBytes(path)
    self.bytes = bytes
    file = try PictureFile.inspect(bytes)
    raw = file.kind == .raw ? Background { try RawFrame(path) } : nil
    metadata = Metadata(path: path)
  }

  /// Loads the picture as ``PictureLoader/load(_:linear:orientation:)`` does, and lets go of the file.
  public func load(linear: Bool = false, orientation: Orientation? = nil) throws -> LoadedPicture {
    defer { (bytes, raw) = (nil, nil) }
    do {
      if file.kind == .raw {
        return try RawLoader.load(file, metadata, orientation, raw?.value() ?? RawFrame(file.path))
      }
      let bytes = try bytes ?? FileBytes(file.path)
      let sink = BufferSink(file, linear: linear)
      let stored = try PictureLoader.decode(bytes, file, sink, linear: linear)
      let buffer = try (orientation ?? metadata.orientation).apply(to: stored)
      return LoadedPicture(file: file, buffer: buffer, metadata: metadata, notes: sink.notes)
    } catch let error as RawError {
      throw PhotoError(file.path, error.description)
    } catch let error as GEGLError {
      throw PhotoError(file.path, error.description)
    }
  }
}

/// Loads picture files into GEGL buffers.
///
/// PNG, TIFF and JPEG go through the libraries that GEGL's loaders use, but not through those
/// loaders: a damaged JPEG ends the process in `gegl:jpg-load`, errors of PNG are printed, and
/// TIFF rows of an unexpected layout are read beyond their end (GEGL 0.4.42).
public enum PictureLoader {
  /// Loads a picture, turned upright by its EXIF orientation.
  ///
  /// - Parameters:
  ///   - linear: the numbers are linear light already, whatever the file's profile says; they are
  ///     kept as they are and tagged as linear values with sRGB primaries.
  ///   - orientation: used instead of the file's own.
  /// - Throws: ``PhotoError``, in one line for photographers.
  public static func load(
    _ path: String, linear: Bool = false, orientation: Orientation? = nil
  ) throws -> LoadedPicture {
    try OpenedPicture(path).load(linear: linear, orientation: orientation)
  }

  fileprivate static func decode(
    _ bytes: FileBytes, _ file: PictureFile, _ sink: BufferSink, linear: Bool
  ) throws -> Buffer {
    switch file.kind {
    case .png: try sink.decode(bytes, picture_decode_png)
    case .jpeg: try sink.decode(bytes, picture_decode_jpeg)
    case .tiff: try sink.decode(bytes, picture_decode_tiff)
    case .bmp:
      let header = try BitmapHeader(bytes)
      try copy(header.layout, header.row, to: sink)
    case .portable:
      let header = try PortableHeader(bytes)
      try copy(header.layout, header.row, to: sink)
    case .openEXR:
      let header = try OpenEXRStructure(bytes)
      let fingerprint = ColorSpaceBudget.fingerprint(header.chromaticities ?? [])
      guard header.hasPlausibleSpace else {
        throw PhotoError(file.path, "its colour space makes no sense; save it with sRGB or Rec. 2020 primaries")
      }
      guard header.chromaticities == nil || ColorSpaceBudget.admits(fingerprint) else {
        throw PhotoError(file.path, "is of one colour space too many for a single run; run again with fewer files")
      }
      return try render("gegl:exr-load", file, sink, space: nil, linear: linear)
    case .webP:
      let icc = WebPStructure.profile(bytes) ?? []
      let space = icc.withUnsafeBytes { sink.space(icc: $0) }
      return try render("gegl:webp-load", file, sink, space: space, linear: linear)
    case .heif: try HEIFFile(bytes).decode(into: sink)
    case .raw, .layer: break
    }
    guard let buffer = sink.buffer else { throw PhotoError(file.path, "no picture could be read from it") }
    return buffer
  }

  private static func copy(_ layout: SampleLayout, _ row: (Int) -> [UInt8], to sink: BufferSink) throws {
    try sink.begin(layout, space: nil)
    for y in 0..<layout.height {
      let samples = row(y)
      try samples.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        try sink.rows(base, Rectangle(x: 0, y: y, width: layout.width, height: 1), stride: bytes.count)
      }
    }
  }

  /// Through one of GEGL's own loaders, whose failures are messages and empty pictures.
  private static func render(
    _ operation: String, _ file: PictureFile, _ sink: BufferSink, space: ColorSpace?, linear: Bool
  ) throws -> Buffer {
    guard Catalogue.contains(operation) else {
      throw PhotoError(file.path, "this GEGL cannot read \(file.kind.rawValue); save it as PNG or TIFF")
    }
    let (buffer, messages) = try Messages.capture { () -> Buffer? in
      let graph = try Graph()
      let node = try graph.add(operation, ["path": .string(file.path)])
      let box = node.boundingBox
      guard box.width == file.width, box.height == file.height else { return nil }
      return try? node.buffer()
    }
    if let message = messages.first(where: { $0.domain.hasPrefix("GEGL") || $0.domain.isEmpty }) {
      throw PhotoError(file.path, "the \(file.kind.rawValue) cannot be read: \(message.text); copy it again")
    }
    guard let buffer, buffer.extent.width == file.width, buffer.extent.height == file.height,
      let format = buffer.format
    else {
      throw PhotoError(file.path, "the \(file.kind.rawValue) cannot be read; the file is damaged, copy it again")
    }
    if linear {
      try buffer.reinterpret(as: PixelFormat(format.encoding.filter { $0 != "'" }))
    } else if let space {
      try buffer.reinterpret(as: PixelFormat(format.encoding, space: space))
    }
    // A data window that begins elsewhere: the picture's top left pixel is (0, 0) all the same.
    return buffer.extent.x == 0 && buffer.extent.y == 0 ? buffer : try buffer.copy()
  }
}
