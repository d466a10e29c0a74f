import Raster

/// Where a picture will be written: a path whose extension, folder and permissions were checked.
public struct PictureDestination: Sendable {
  /// Fills consecutive rows, top to bottom, with samples in the layout's form. May throw.
  public typealias Fill = (_ rows: Range<Int>, _ samples: UnsafeMutableRawBufferPointer) throws -> Void

  /// The target.
  public let path: String
  /// The format that its extension chose.
  public let format: PictureFormat
  /// What receives the bytes instead of a file.
  private let memory: PictureMemory?

  /// Checks everything that can be checked before any work.
  /// - Throws: ``PhotoError``
  public init(_ path: String) throws {
    format = try PictureFormat(path: path)
    try AtomicFile.check(path)
    self.path = path
    memory = nil
  }

  /// A picture that goes to memory, by way of a file without a name in `folder`, which nobody else sees and which ends with the
  /// process.
  public init(_ format: PictureFormat, to memory: PictureMemory, in folder: String) {
    self.format = format
    self.memory = memory
    path = folder
  }

  /// Writes a picture; it appears whole or not at all.
  ///
  /// - Parameters:
  ///   - layout: what the rows look like.
  ///   - attachments: profile and metadata.
  ///   - execution: compresses OpenEXR on its threads, and its token stops the writing; the bytes of the file do
  ///     not depend on it.
  ///   - fill: called on this thread for consecutive bands of rows that together are the picture, each while the
  ///     one before is encoded.
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
    let file = try memory == nil ? AtomicFile(path) : AtomicFile(unnamedIn: path)
    try Encoding(format, layout, attachments, execution, to: file).run(fill: fill)
    if let memory { memory.bytes = try file.contents() } else { try file.commit() }
  }
}

/// The bytes of a picture file that was written to memory.
public final class PictureMemory: @unchecked Sendable {
  /// The whole file, once it is written.
  public fileprivate(set) var bytes: [UInt8] = []

  /// Nothing yet.
  public init() {}
}
