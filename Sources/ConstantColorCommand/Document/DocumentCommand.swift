import Development
import Document
import GEGL
import GEGLOperation
import Glibc
import JSONValue
import PDF
import Photo

/// `constant-color document`: pages of paper, from pairs to a PDF or to pictures.
enum DocumentCommand: Command {
  static let name = "document"
  static let summary =
    "Photographs of paper as a scanner would see it: shadows and lamps gone, paper evenly white, ink black, straight, as PDF."
  static let operands = "[DIR] --flash F --ambient A --output PAGE.pdf"
  static let operandKind = OperandKind.folders
  static let options = DocumentOptions.specifications
  static let footer = """
    example: constant-color document --flash flash.dng --ambient ambient.dng --straighten --ocr eng --output page.pdf

    Several pages go into one PDF in the order of their flash frames: name --flash and --ambient once for each, or a folder,
    whose pairs are taken as by 'batch', by name. A page that cannot be read ends it: a document is whole or not written.

    Paper is 1 in the measured picture: each place is divided by what the paper around it shows, so that print has its
    reflectance relative to the paper. Then L* is bent near white and near the ink; colours stay. Pictures and PDF are
    sRGB, 8 bit; .tif with --plain 16 bit, .exr float.

    Exit status: 0 done, 1 processing failed, 2 wrong usage or unreadable input, 3 done, but a page is below the threshold:
    take it again.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try ChildProcess.endWithParent()
    Interruption.cancels()
    let options = try DocumentOptions(arguments)
    try options.running.startLibrary()
    let bar = ProgressBar(isWanted: options.running.progress)
    defer { bar.clear() }
    let reader = try options.languages.map { try TextReader(languages: $0, threads: options.running.threads) }
    var writer = try DocumentWriter(options)
    var reports: [JSON] = []
    var status = ExitStatus.done
    var texts: [String] = []
    for (index, pair) in options.pairs.enumerated() {
      let page = try DocumentPage(pair, options, bar)
      let (result, messages) = try Messages.capture { try page.measure() }
      let words = try reader?.words(on: page, bar) ?? []
      try writer.add(page, words: words)
      reports.append(page.report(words: reader == nil ? nil : words.count))
      texts.append(TextReader.text(of: words))
      if result == .retake { status = .retake }
      bar.clear()
      if !options.running.isQuiet {
        let label = options.pairs.count > 1 ? "page \(index + 1): " : ""
        for line in page.messages { printError(label + line) }
        printRemarks(messages: messages, isVerbose: options.running.isVerbose)
      }
      if options.running.isVerbose { page.printSummary() }
    }
    try writer.finish()
    if let path = options.text {
      let text = texts.joined(separator: "\u{C}")
      if path == "-" { write(text, to: STDOUT_FILENO) } else { try ByteFile.write(Array(text.utf8), to: path) }
    }
    if let path = options.report { try json(reports, isBelow: status == .retake).write(to: path) }
    return status
  }

  /// One page's report, or several in one.
  private static func json(_ reports: [JSON], isBelow: Bool) -> JSON {
    if reports.count == 1, let report = reports.first { return report }
    return .object(["version": .string(version), "belowThreshold": .bool(isBelow), "pages": .array(reports)])
  }
}
