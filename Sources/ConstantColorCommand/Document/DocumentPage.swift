import ColorScience
import ConstantColor
import Development
import Document
import GEGL
import GEGLOperation
import Glibc
import JSONValue
import Photo
import Raster

/// One page: its pair developed, its paper found, and its picture ready to be read.
final class DocumentPage {
  private let options: DocumentOptions
  private let development: Development
  /// What to tell the user.
  private(set) var messages: [String] = []
  /// The size in pixels.
  private(set) var width = 0
  private(set) var height = 0
  /// The sheet's size in millimetres.
  private(set) var sheet = (width: 210.0, height: 297.0)
  private var format: PaperFormat?
  private var outline: PageOutline?
  private var isFound = false
  private var paper: PaperWhite?
  private var evenness: PaperWhite.Evenness?
  private var levels = PrintLevels()
  private var picture: FlattenedPage<GlareFilled<NodeSource, NodeSource>>?
  private var cleanUp = CleanUp(.plain, PrintLevels())

  /// Loads the pair.
  init(_ pair: DevelopOptions, _ options: DocumentOptions, _ bar: ProgressBar) throws {
    self.options = options
    development = try Development(pair, bar)
  }

  private var path: String { development.options.flash }

  // MARK: measuring

  /// Develops the pair, finds the page, and everything that its picture depends on.
  ///
  /// - Returns: whether the pair is good enough.
  func measure() throws -> ExitStatus {
    try development.measure()
    development.bar.show("finding the page")
    let source = try NodeSource(development.steps.adapt, format: PixelFormat("RGBA float"))
    let small = reduced(source, toAtMost: 1_500_000, clipping: .counted, execution: Run.execution)
    let finding = PageFinder.find(in: small, execution: Run.execution)
    let known = try pageOutline(finding)
    guard let paper = PaperWhite.find(in: small, within: known, execution: Run.execution) else {
      if Run.cancellation.isCancelled { throw RenderingCancelled() }
      throw InputError("\(path): shows no paper; photograph a page that is lighter than what is printed on it")
    }
    self.paper = paper
    if development.core.flatField != nil {
      let before = try development.core.withoutFlatField {
        PaperWhite.find(
          in: reduced(source, toAtMost: 1_500_000, clipping: .counted, execution: Run.execution), within: known,
          execution: Run.execution)
      }
      development.core.uniformity = FlatFieldUniformity(
        of: "paper", before: before?.evenness.before.uniformity, after: paper.evenness.before.uniformity)
    }
    if paper.paperFraction < 0.2 {
      messages.append("note: \(path): little of it looks like paper; 'develop' is for other pictures")
    }
    if paper.isColored { messages.append("note: \(path): the paper is coloured, and stays so") }
    try lay(source, paper, within: options.straightens ? known : nil)
    let status = try development.write()
    messages =
      development.findings.map { "\($0.severity.rawValue): \($0.message)" } + development.notes.map { "note: \($0)" }
      + messages
    if status == .retake {
      let mean = development.report.centerWeightedMeanConfidence ?? 0
      messages.append(
        "note: \(path): confidence \((mean * 100).rounded() / 100) is below \(development.options.threshold ?? 0); take it again, "
          + "nearer or in less ambient light" + (development.core.profile == nil ? ", or name a profile" : ""))
    }
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    return status
  }

  /// The corners that the user named, or that were found; nil where there is nothing to cut out. Throws where a page was asked
  /// for and there is none.
  private func pageOutline(_ finding: PageFinder.Finding) throws -> PageOutline? {
    if let corners = options.corners {
      let (width, height) = (Double(development.flash.width), Double(development.flash.height))
      let reach = 0.5 * max(width, height)
      guard
        corners.corners.allSatisfy({
          (-reach...width + reach).contains($0.x) && (-reach...height + reach).contains($0.y)
        })
      else { throw InputError("\(path): has \(Int(width)) × \(Int(height)) pixels, and '--corners' lie far outside") }
      return corners
    }
    switch finding {
    case .page(let outline, let cut):
      isFound = true
      if options.straightens, !cut.isEmpty {
        let names = cut.map { ["top", "right", "bottom", "left"][$0 % 4] }
        messages.append(
          "note: \(path): the page reaches the edge of the picture (\(names.joined(separator: ", "))); what is outside is missing"
        )
      }
      return outline
    case .fillsFrame:
      if options.straightens {
        messages.append("note: \(path): paper fills the picture; without edges there is nothing to straighten by")
      }
      return nil
    case .nothing:
      guard options.straightens else { return nil }
      throw InputError(
        "\(path): no page was found; name its corners with --corners, or leave out --straighten")
    }
  }

  /// Lays the page out: which part of the picture it is, its proportion, its size.
  private func lay(_ source: NodeSource, _ paper: PaperWhite, within page: PageOutline?) throws {
    let (frameWidth, frameHeight) = (Double(source.bounds.width), Double(source.bounds.height))
    let edges = [
      SIMD2(-0.5, -0.5), SIMD2(frameWidth - 0.5, -0.5), SIMD2(frameWidth - 0.5, frameHeight - 0.5),
      SIMD2(-0.5, frameHeight - 0.5),
    ]
    guard let whole = PageOutline(corners: edges) else { throw InputError("\(path): has no pixels") }
    // The edge itself is half desk.
    let inside = isFound ? page?.inset(by: 1.5) : page
    let outline = (inside ?? whole).turned(quarters: options.quarters)
    self.outline = outline
    let (across, down) = (max(outline.length(0), outline.length(2)), max(outline.length(1), outline.length(3)))
    var ratio = across / down
    if page != nil {
      ratio = SheetShape.aspectRatio(
        of: outline, center: SIMD2(frameWidth - 1, frameHeight - 1) / 2, focalLength: focalLength,
        diagonal: hypot(frameWidth, frameHeight))
      format = options.paper ?? PaperFormat.likely(aspectRatio: ratio)
      if let format {
        sheet = format.size(aspectRatio: ratio)
        ratio = sheet.width / sheet.height
      }
    } else {
      // The picture stays as it is, on the smallest sheet that holds it.
      let format = options.paper ?? PaperFormat.likely(aspectRatio: ratio)
      let size = format.size(aspectRatio: ratio)
      let scale = min(size.width / across, size.height / down)
      sheet = (across * scale, down * scale)
    }
    // As many pixels as there are along the longer of two opposite sides.
    width = Int((page == nil ? across : max(across, down * ratio)).rounded())
    height = Int((page == nil ? down : max(down, across / ratio)).rounded())
    if let dpi = options.dpi { sheet = (Double(width) / dpi * 25.4, Double(height) / dpi * 25.4) }
    if paper.hasGlare {
      try development.measureLights()
      messages.append("note: \(path): the paper mirrors the flash; print there is from the ambient frame")
    }
    let ambient = try NodeSource(development.steps.adaptFallback, format: PixelFormat("RGBA float"))
    let filled = GlareFilled(source, paper, other: ambient, execution: Run.execution)
    guard (8...32767).contains(width), (8...32767).contains(height),
      let picture = FlattenedPage(filled, outline, width: width, height: height)
    else { throw InputError("\(path): a page of \(width) × \(height) pixels cannot be made; check '--corners'") }
    self.picture = picture
    development.bar.show("looking at the print")
    levels = PrintLevels.measure(picture, execution: Run.execution)
    cleanUp = CleanUp(options.style, levels)
    evenness = PaperWhite.find(in: picture, execution: Run.execution)?.evenness.before
  }

  /// The focal length in pixels, where the metadata tell the one of 35 mm film that sees as much.
  private var focalLength: Double? {
    let tag = development.flash.metadata.exif?.exposure.first { $0.number == 41989 }
    guard let tag, tag.bytes.count >= 2, let value = ByteReader(tag.bytes).uint16(0), (8...2000).contains(value) else {
      return nil
    }
    return Double(value) / hypot(36, 24) * hypot(Double(development.flash.width), Double(development.flash.height))
  }

  // MARK: reading

  /// The rows of the page: linear sRGB primaries, paper 1; cleaned up unless `style` is plain.
  func rows(_ rows: Range<Int>) throws -> [Pixel] {
    var band = Image(Rectangle(x: 0, y: rows.lowerBound, width: width, height: rows.count))
    guard let picture else { return band.pixels }
    let parts = band.bounds.bands(of: 64)
    let (clean, width, first) = (cleanUp, width, rows.lowerBound)
    band.withMutablePixels { pixels in
      nonisolated(unsafe) let pixels = pixels
      nonisolated(unsafe) let picture = picture
      Run.execution.forEach(parts.count) { index in
        let part = parts[index]
        let target = pixels.suffix(from: (part.y - first) * width, count: part.count)
        // The plain picture stays unbounded.
        if clean.style == .plain {
          picture.read(part, into: target)
        } else {
          CleanedPage(picture, clean).read(part, into: target)
        }
      }
    }
    if Run.cancellation.isCancelled { throw RenderingCancelled() }
    development.bar.show("writing the page", Double(rows.upperBound) / Double(height))
    return band.pixels
  }

  /// The flash frame's metadata for a picture of the page.
  var exif: ExifBlock { development.flash.exifOfResult(isSRGB: true, size: (width, height)) }

  /// When the flash frame was taken, as its camera wrote it: "2026-11-30T10:20:30"; nil where it did not.
  var time: String? {
    guard let tag = development.flash.metadata.exif?.exposure.first(where: { $0.number == 36867 }) else { return nil }
    let text = String(decoding: tag.bytes.prefix { $0 != 0 }, as: UTF8.self)
    let parts = text.split { ":- T".contains($0) }
    guard parts.count == 6, parts.allSatisfy({ $0.allSatisfy(\.isNumber) }), text.count == 19 else { return nil }
    return parts[..<3].joined(separator: "-") + "T" + parts[3...].joined(separator: ":")
  }

  /// Pixels an inch on the sheet.
  var dpi: Double { Double(width) / sheet.width * 25.4 }

  // MARK: telling

  /// The development's report, and what was found of the page.
  func report(words: Int?) -> JSON {
    guard case .object(let members) = development.report.json else { return development.report.json }
    func spread(_ evenness: PaperWhite.Evenness?) -> JSON {
      guard let evenness else { return .null }
      return [
        "p5": .number(evenness.low), "p50": .number(evenness.middle), "p95": .number(evenness.high),
        "spread": .number(evenness.spread),
      ]
    }
    let tint = paper?.tint
    let page: JSON = [
      "width": .integer(width), "height": .integer(height), "dpi": .number(dpi),
      "paperSize": ["name": JSON(format?.name), "width": .number(sheet.width), "height": .number(sheet.height)],
      "straightened": .bool(format != nil), "found": .bool(isFound),
      "corners": outline.map { .array($0.corners.map { JSON([$0.x, $0.y]) }) } ?? .null,
      "paperFraction": JSON(paper?.paperFraction),
      "paperTint": JSON(tint.map { [$0.lightness, $0.a, $0.b] }), "paperIsColoured": JSON(paper?.isColored),
      "paperLightness": ["before": spread(paper?.evenness.before), "after": spread(evenness)],
      "glare": JSON(paper?.hasGlare), "inkLightness": .number(levels.ink), "style": .string(options.style.rawValue),
      "words": JSON(words),
    ]
    return .object(members + [JSON.Member("document", page)])
  }

  /// Prints what was found, for --verbose.
  func printSummary() {
    development.printSummary()
    func number(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    printError(
      "page: \(width) × \(height) pixels, \(number(sheet.width)) × \(number(sheet.height)) mm, \(number(dpi)) dpi"
        + (format?.name.map { " (\($0))" } ?? ""))
    guard let paper else { return }
    printError(
      "paper: L* spread (5 to 95 %) \(number(paper.evenness.before.spread)) before, "
        + "\(evenness.map { number($0.spread) } ?? "unknown") after; ink at \(number(levels.ink))")
  }
}
