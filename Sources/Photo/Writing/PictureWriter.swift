import GEGL
import Raster

/// Where a picture will be written: a path whose extension, folder and permissions were checked.
public struct PictureDestination: Sendable {
  /// Fills consecutive rows, top to bottom, with samples in the layout's form. May throw.
  public typealias Fill = (_ rows: Range<Int>, _ samples: UnsafeMutableRawBufferPointer) throws -> Void

  /// The target.
  public let path: String
  /// The format that its extension chose.
  public let format: PictureFormat

  /// Checks everything that can be checked before any work.
  /// - Throws: ``PhotoError``
  public init(_ path: String) throws {
    format = try PictureFormat(path: path)
    try AtomicFile.check(path)
    self.path = path
  }

  /// Writes a picture; it appears whole or not at all.
  ///
  /// - Parameters:
  ///   - layout: what the rows look like.
  ///   - attachments: profile and metadata.
  ///   - execution: compresses on its threads; the bytes of the file do not depend on them.
  ///   - fill: called for consecutive bands of rows that together are the picture.
  /// - Throws: ``PhotoError``, `RenderingCancelled`, or what `fill` throws.
  public func write(
    _ layout: PictureLayout, _ attachments: PictureAttachments = PictureAttachments(),
    execution: Execution = .serial, fill: Fill
  ) throws {
    let side = format.largestSide
    guard (1...side).contains(layout.width), (1...side).contains(layout.height) else {
      throw PhotoError(path, "a \(format.rawValue) file cannot be \(layout.width) × \(layout.height) pixels")
    }
    guard layout.channels == 1 || layout.channels == 3 else {
      throw PhotoError(path, "a picture has 1 or 3 channels, not \(layout.channels)")
    }
    guard format.supports(layout.sample) else {
      throw PhotoError(path, "\(format.rawValue) cannot store these samples; use .tif or .exr")
    }
    let file = try AtomicFile(path)
    try withoutActuallyEscaping(fill) { fill in
      let bands = Bands(layout: layout, execution: execution, fill: fill)
      switch format {
      case .png: try PNGEncoder(layout, attachments, execution).write(bands, to: file)
      case .tiff: try TIFFEncoder(layout, attachments).write(bands, to: file)
      case .openEXR: try OpenEXREncoder(layout, attachments, execution).write(bands, to: file)
      case .jpeg: try JPEGEncoder(layout, attachments).write(bands, to: file)
      }
    }
    try file.commit()
  }
}

/// The picture cut into bands of whole rows, each a multiple of 16 (the rows of an OpenEXR block).
struct Bands {
  let layout: PictureLayout
  let execution: Execution
  let fill: PictureDestination.Fill

  /// Large enough to keep several threads busy, small enough to stay far from a whole frame.
  private static let size = 8 << 20

  /// Calls `body` with each band and its rows.
  func forEach(_ body: (Range<Int>, UnsafeRawBufferPointer) throws -> Void) throws {
    let rows = min(layout.height, max(1, Self.size / layout.rowBytes / 16) * 16)
    let band = UnsafeMutableRawBufferPointer.allocate(byteCount: rows * layout.rowBytes, alignment: 64)
    defer { band.deallocate() }
    var y = 0
    while y < layout.height {
      if execution.cancellation.isCancelled { throw RenderingCancelled() }
      let range = y..<min(y + rows, layout.height)
      let part = UnsafeMutableRawBufferPointer(rebasing: band[..<(range.count * layout.rowBytes)])
      try fill(range, part)
      try body(range, UnsafeRawBufferPointer(part))
      y = range.upperBound
    }
  }
}
