import CCairo
import Glibc
import Photo

/// A PDF file of pictures, one a page, through cairo; it appears whole or not at all.
///
/// Pictures stand in the file as JPEG, or losslessly (deflate; one bit a pixel for black and white); RGB is sRGB. Words that a
/// reader found lie under the picture, where nobody sees them and everybody can search and copy them: their font has no
/// shapes, only widths and Unicode.
public final class PDFDocument {
  /// A word on a page, in pixels of its picture.
  public struct Word: Equatable, Sendable {
    /// The text.
    public var text: String
    /// Its box: left, top, width and height.
    public var x, y, width, height: Double
    /// Whether it is the first of its line.
    public var startsLine: Bool

    /// A word in its box.
    public init(text: String, x: Double, y: Double, width: Double, height: Double, startsLine: Bool = false) {
      self.text = text
      self.startsLine = startsLine
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  private let output: Output
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let font: OpaquePointer

  /// Where the bytes go, and what went wrong there.
  private final class Output {
    let file: AtomicFile
    var failure: (any Error)?
    init(_ file: AtomicFile) { self.file = file }
  }

  /// Begins a document.
  ///
  /// - Parameters:
  ///   - title: shown by readers.
  ///   - created: ISO 8601; nil: now.
  /// - Throws: `PhotoError`.
  public init(_ path: String, title: String, created: String?, creator: String) throws {
    output = Output(try AtomicFile(path))
    let write: cairo_write_func_t = { context, bytes, count in
      guard let context else { return CAIRO_STATUS_WRITE_ERROR }
      let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
      do {
        try output.file.write(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
        return CAIRO_STATUS_SUCCESS
      } catch {
        output.failure = output.failure ?? error
        return CAIRO_STATUS_WRITE_ERROR
      }
    }
    guard
      let surface = cairo_pdf_surface_create_for_stream(write, Unmanaged.passUnretained(output).toOpaque(), 1, 1),
      let context = cairo_create(surface), let font = cairo_user_font_face_create()
    else { throw PhotoError(path, "cannot begin a PDF") }
    (self.surface, self.context, self.font) = (surface, context, font)
    // A box half as wide as it is high for every character, and nothing in it.
    cairo_user_font_face_set_render_glyph_func(font) { _, _, _, extents in
      extents?.pointee.x_advance = 0.5
      return CAIRO_STATUS_SUCCESS
    }
    cairo_user_font_face_set_unicode_to_glyph_func(font) { _, unicode, glyph in
      glyph?.pointee = unicode
      return CAIRO_STATUS_SUCCESS
    }
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, creator)
    if let created {
      for kind in [CAIRO_PDF_METADATA_CREATE_DATE, CAIRO_PDF_METADATA_MOD_DATE] {
        cairo_pdf_surface_set_metadata(surface, kind, created)
      }
    }
  }

  deinit {
    cairo_font_face_destroy(font)
    cairo_destroy(context)
    // Finishing writes: the output must still be there.
    withExtendedLifetime(output) { cairo_surface_destroy(surface) }
  }

  /// Adds a page.
  ///
  /// - Parameters:
  ///   - width, height: of the paper in millimetres.
  ///   - words: what can be read on it.
  /// - Throws: `PhotoError`.
  public func add(_ picture: PageImage, width: Double, height: Double, words: [Word] = []) throws {
    let points = 72 / 25.4
    cairo_pdf_surface_set_size(surface, width * points, height * points)
    cairo_save(context)
    cairo_scale(context, width * points / Double(picture.width), height * points / Double(picture.height))
    draw(words)
    try picture.paint(context, path: output.file.path)
    cairo_restore(context)
    cairo_show_page(context)
    try check(cairo_status(context))
  }

  private func draw(_ words: [Word]) {
    cairo_set_font_face(context, font)
    for word in words {
      let count = word.text.unicodeScalars.count
      guard count > 0, word.width > 0, word.height > 0, !word.text.utf8.contains(0) else { continue }
      let advance = word.width / Double(count)
      // Every size is a font in the file: few of them, with gaps that are too small to part words.
      let size = pow(1.1, (log(2 * advance) / log(1.1)).rounded(.down))
      cairo_set_font_size(context, size)
      let base = word.y + 0.5 * (word.height + size)
      show(word.text, from: word.x, base, advance: advance)
    }
  }

  /// Shows a character at each step, and says what they are.
  private func show(_ text: String, from x: Double, _ y: Double, advance: Double) {
    let scalars = Array(text.unicodeScalars)
    let glyphs = scalars.enumerated().map { cairo_glyph_t(index: UInt($1.value), x: x + Double($0) * advance, y: y) }
    let clusters = scalars.map { cairo_text_cluster_t(num_bytes: Int32($0.utf8.count), num_glyphs: 1) }
    cairo_show_text_glyphs(
      context, text, Int32(text.utf8.count), glyphs, Int32(glyphs.count), clusters, Int32(clusters.count),
      cairo_text_cluster_flags_t(0))
  }

  /// Writes what is left, and puts the file in its place.
  public func finish() throws {
    cairo_surface_finish(surface)
    try check(cairo_surface_status(surface))
    try output.file.commit()
  }

  private func check(_ status: cairo_status_t) throws {
    if let failure = output.failure { throw failure }
    guard status == CAIRO_STATUS_SUCCESS else {
      throw PhotoError(output.file.path, "cannot write the PDF: \(String(cString: cairo_status_to_string(status)))")
    }
  }
}
