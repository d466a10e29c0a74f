import Development
import Document
import Photo

/// What `document` was asked to do: the command line, checked.
struct DocumentOptions {
  /// The developments of the pages, in order.
  let pairs: [DevelopOptions]
  let output: String
  /// Nil for a PDF.
  let picture: PictureDestination?
  let title: String?
  let straightens: Bool
  let corners: PageOutline?
  /// Quarter turns clockwise.
  let quarters: Int
  let paper: PaperFormat?
  let dpi: Double?
  let style: PrintStyle
  let isLossless: Bool
  let languages: String?
  let text, report: String?
  let running: RunningOptions

  /// What counts as good unless something else is asked for: the reference system's own for documents.
  static let threshold = 0.9

  static let specifications =
    own + DevelopOptions.specifications.filter { shared.contains($0.name) } + OptionSpecification.running

  /// The options of `develop` that mean the same here.
  private static let shared: Set<String> = [
    "--swap", "--confidence", "--align", "--exposure-ratio", "--tolerance", "--flash-white", "--matrix", "--adaptation",
    "--linear", "--profile", "--no-flat-field",
  ]

  private static let own = [
    OptionSpecification("--flash", "FILE", isRepeatable: true, "The page, photographed with flash; one for each page."),
    OptionSpecification(
      "--ambient", "FILE", isRepeatable: true,
      "The same without flash, in the same order; several of a single page are averaged."),
    OptionSpecification("--output", "FILE", "The document, .pdf; or one page as .png, .jpg, .tif (8 bit) or .exr."),
    OptionSpecification("--straighten", nil, "Cuts the page out along its edges, and straightens its perspective."),
    OptionSpecification(
      "--corners", "X1,Y1,X2,Y2,X3,Y3,X4,Y4",
      "The page's corners in the flash frame, in pixels, from its top left clockwise, instead of finding them."),
    OptionSpecification(
      "--paper", "auto|NAME|WxH", values: PaperFormat.named.compactMap(\.name),
      "The sheet's size: \(PaperFormat.named.compactMap(\.name).joined(separator: ", ")), or millimetres, as 120x80. auto "
        + "(default): from the corners, a4 or letter where the proportion is theirs."),
    OptionSpecification(
      "--dpi", "N", "Pixels an inch, 50 to 2400, instead of a paper's size: tells the size of the PDF's pages."),
    OptionSpecification("--rotate", "0|90|180|270", "Turns pages clockwise."),
    OptionSpecification("--grey", nil, "Shades of grey."),
    OptionSpecification("--bilevel", nil, "Black or white; the smallest files."),
    OptionSpecification("--plain", nil, "Evens the paper and leaves print as it is, for measuring."),
    OptionSpecification("--lossless", nil, "No JPEG in the PDF."),
    OptionSpecification(
      "--ocr", "LANGUAGES", "Makes the PDF searchable with tesseract: eng, or eng+deu; its languages must be installed."
    ),
    OptionSpecification(
      "--text", "FILE", "Writes what tesseract reads, - is standard output; without --ocr in English."),
    OptionSpecification("--title", "TEXT", "The PDF's title; default the name of the file."),
    OptionSpecification(
      "--threshold", "T",
      "The centre-weighted mean confidence, 0 to 1, that counts as good; below it the exit status is 3; default 0.9."),
    OptionSpecification("--report", "FILE", "Writes a report as JSON; - is standard output."),
  ]

  init(_ arguments: Arguments) throws {
    output = try arguments.file("--output")
    let isPDF = fileExtension(output) == "pdf"
    do {
      if isPDF { try AtomicFile.check(output) }
      picture = isPDF ? nil : try PictureDestination(output)
    } catch { throw InputError(isPDF ? "\(error)" : "\(error)".replacing("use .png", with: "use .pdf, .png")) }
    let frames = try Self.frames(arguments)
    let threshold = Self.threshold
    let given = try arguments.number("--threshold", in: 0...1) ?? threshold
    pairs = try frames.map {
      try DevelopOptions(arguments, flash: $0.flash, ambients: $0.ambients, output: nil, report: nil, threshold: given)
    }
    let isSeveral = pairs.count > 1
    if isSeveral, !isPDF { throw UsageError("\(output): holds one page, and there are \(pairs.count); name a .pdf") }
    for option in ["--corners", "--confidence"] where isSeveral && arguments.has(option) {
      throw UsageError("'\(option)' is about one page, and there are \(pairs.count)")
    }
    corners = try arguments.value("--corners").map(Self.corners)
    straightens = arguments.has("--straighten") || corners != nil
    let turns = ["0", "90", "180", "270"]
    guard let turn = turns.firstIndex(of: arguments.value("--rotate") ?? "0") else {
      throw UsageError("'--rotate' takes 0, 90, 180 or 270, not '\(arguments.value("--rotate") ?? "")'")
    }
    quarters = turn
    paper = try Self.paper(arguments.value("--paper"))
    dpi = try arguments.number("--dpi", in: 50...2400)
    if dpi != nil, paper != nil { throw UsageError("'--dpi' replaces '--paper'; give one of the two") }
    let styles: [(String, PrintStyle)] = [("--grey", .grey), ("--bilevel", .bilevel), ("--plain", .plain)]
    let chosen = styles.filter { arguments.has($0.0) }
    guard chosen.count <= 1 else { throw UsageError("'\(chosen[0].0)' and '\(chosen[1].0)' exclude each other") }
    style = chosen.first?.1 ?? .color
    isLossless = arguments.has("--lossless")
    text = arguments.value("--text")
    languages = arguments.value("--ocr") ?? (text == nil ? nil : "eng")
    try checkWritable(text)
    title = arguments.value("--title")
    for option in ["--title", "--lossless", "--ocr", "--dpi"] where !isPDF && arguments.has(option) {
      throw UsageError("'\(option)' is about PDF files; name one with --output, or leave it out")
    }
    report = arguments.value("--report")
    try checkWritable(report)
    try checkDistinct(
      inputs: frames.flatMap { [$0.flash] + $0.ambients } + [arguments.value("--profile")].compactMap { $0 },
      outputs: [output, arguments.value("--confidence"), text, report].compactMap { $0 })
    running = try RunningOptions(arguments)
  }

  /// The frames of each page: from the options, or from a folder.
  private static func frames(_ arguments: Arguments) throws -> [(flash: String, ambients: [String])] {
    if let folder = arguments.operands.first {
      guard arguments.operands.count == 1 else {
        throw UsageError("'\(arguments.operands[1])' is not expected; name one folder")
      }
      for option in ["--flash", "--ambient", "--swap"] where arguments.has(option) {
        throw UsageError("'\(option)' names single files, and \(folder) is a folder; give one of the two")
      }
      return try wholePairs(in: folder).map { ($0.flash, $0.ambients) }
    }
    let flashes = arguments.all("--flash")
    guard flashes.count > 1 else { return [try arguments.frames] }
    let ambients = arguments.all("--ambient")
    guard !arguments.has("--swap") else { throw UsageError("'--swap' exchanges two files; name these anew") }
    guard flashes.count == ambients.count, !(flashes + ambients).contains("") else {
      throw UsageError(
        "'--flash' is given \(flashes.count) times, '--ambient' \(ambients.count) times; several pages need one of each"
      )
    }
    return zip(flashes, ambients).map { ($0, [$1]) }
  }

  private static func corners(_ text: String) throws -> PageOutline {
    guard let places = fourPlaces(text) else {
      throw UsageError(
        "'--corners' takes eight numbers: x,y of the page's corners, top left first, clockwise, not '\(text)'")
    }
    guard let outline = PageOutline(corners: places) else {
      throw UsageError("'--corners': these are no corners of a page, from the top left clockwise: '\(text)'")
    }
    return outline
  }

  private static func paper(_ text: String?) throws -> PaperFormat? {
    guard let text, text != "auto" else { return nil }
    guard let format = PaperFormat(text) else {
      let names = PaperFormat.named.compactMap(\.name)
      throw UsageError(
        "'--paper' takes auto, \(names.joined(separator: ", ")), or millimetres (10x10 to 2000x2000), not '\(text)'"
          + suggestion(for: text, among: names))
    }
    return format
  }
}
