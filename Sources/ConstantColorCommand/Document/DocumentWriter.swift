import ColorScience
import Development
import Document
import GEGLOperation
import PDF
import Photo
import Raster

/// Writes pages into a PDF, or one into a picture.
struct DocumentWriter {
  private let options: DocumentOptions
  private var document: PDFDocument?
  private let scratch: ScratchFolder?

  init(_ options: DocumentOptions) throws {
    self.options = options
    scratch = options.picture == nil ? try asInput { try ScratchFolder() } : nil
  }

  /// Adds a page.
  mutating func add(_ page: DocumentPage, words: [PDFDocument.Word]) throws {
    if let picture = options.picture {
      try Self.write(page, to: picture, channels: options.style.channels, sample: sample(of: picture.format))
      return
    }
    let document = try self.document ?? begin(page)
    self.document = document
    guard let image = PageImage(width: page.width, height: page.height, try encoded(page)) else {
      throw PhotoError(options.output, "a page of \(page.width) × \(page.height) pixels cannot be written")
    }
    try document.add(image, width: page.sheet.width, height: page.sheet.height, words: words)
  }

  /// Writes what is left.
  func finish() throws { try document?.finish() }

  /// A document of the first page's time.
  private func begin(_ page: DocumentPage) throws -> PDFDocument {
    let name = options.output.split(separator: "/").last.map { String($0.dropLast(4)) } ?? ""
    return try PDFDocument(
      options.output, title: options.title ?? name, created: page.time, creator: "constant-color \(version)")
  }

  /// Floats for OpenEXR, 16 bit for a TIFF to measure in, otherwise 8 bit.
  private func sample(of format: PictureFormat) -> PictureLayout.Sample {
    switch format {
    case .openEXR: .float32
    case .tiff where options.style == .plain: .uint16
    default: .uint8
    }
  }

  private func encoded(_ page: DocumentPage) throws -> PageImage.Encoding {
    let channels = options.style.channels
    if options.style == .bilevel { return .bilevel(try Self.bytes(page, channels: 1)) }
    if options.isLossless {
      let bytes = try Self.bytes(page, channels: channels)
      return channels == 1 ? .grey(bytes) : .rgb(bytes)
    }
    let path = (scratch?.path ?? "/tmp") + "/page.jpg"
    try Self.write(page, to: PictureDestination(path), channels: channels, sample: .uint8)
    return .jpeg(try ByteFile.read(path, as: "a page", atMost: 1 << 31))
  }

  private static func bytes(_ page: DocumentPage, channels: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(page.width * page.height * channels)
    for y in stride(from: 0, to: page.height, by: 256) {
      for pixel in try page.rows(y..<min(y + 256, page.height)) {
        let pixel = samples(pixel, channels)
        for channel in 0..<channels { result.append(byte(pixel[channel])) }
      }
    }
    return result
  }

  /// Writes a page as a picture.
  static func write(
    _ page: DocumentPage, to destination: PictureDestination, channels: Int, sample: PictureLayout.Sample
  ) throws {
    let layout = PictureLayout(width: page.width, height: page.height, channels: channels, sample: sample)
    let attachments = PictureAttachments(
      icc: channels == 3 && sample != .float32 ? RGBSpace.sRGB.iccProfile : nil, exif: page.exif,
      chromaticities: PictureChromaticities(.sRGB))
    try destination.write(layout, attachments, execution: Run.execution) { rows, bytes in
      for (index, pixel) in try page.rows(rows).enumerated() {
        let pixel = samples(pixel, channels)
        for channel in 0..<channels {
          let place = index * channels + channel
          switch sample {
          case .uint8: bytes.storeBytes(of: byte(pixel[channel]), toByteOffset: place, as: UInt8.self)
          case .uint16:
            let value = TransferFunction.sRGB.encode(Double(min(max(pixel[channel], 0), 1)))
            bytes.storeBytes(of: UInt16(value * 65535 + 0.5), toByteOffset: 2 * place, as: UInt16.self)
          case .float32: bytes.storeBytes(of: pixel[channel], toByteOffset: 4 * place, as: Float.self)
          }
        }
      }
    }
  }

  /// What of a pixel is written: three channels, or luminance.
  private static func samples(_ pixel: Pixel, _ channels: Int) -> Pixel {
    channels == 1 ? Pixel(repeating: 0.2126 * pixel.x + 0.7152 * pixel.y + 0.0722 * pixel.z) : pixel
  }

  /// A linear value of 0...1 as sRGB stores it.
  private static func byte(_ value: Float) -> UInt8 {
    let bounded = value > 0 ? min(value, 1) : 0
    return codes[Int(bounded * Float(codes.count - 1) + 0.5)]
  }

  /// Fine enough that no dark code is left out: the steepest one is 1 / (255 · 12.92) wide.
  private static let codes: [UInt8] = (0...16384).map { index in
    UInt8(TransferFunction.sRGB.encode(Double(index) / 16384) * 255 + 0.5)
  }
}
