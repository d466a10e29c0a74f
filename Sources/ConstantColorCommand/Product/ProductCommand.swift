import Development
import GEGL
import GEGLOperation
import Photo

/// `constant-color product`: a series of products, all under the same light.
enum ProductCommand: Command {
  static let name = "product"
  static let summary =
    "Products for a shop: one exposure and one colour over a whole series, a white background, and a verdict on each."
  static let operands = "[DIR] --output DIR --profile P.json"
  static let operandKind = OperandKind.folders
  static let options = ProductOptions.specifications
  static let footer = """
    example: constant-color product captures --output shop --profile camera.json --grey 40,40,80,80=0.18

    Pairs are found as by 'batch', by name or from a table. For each pair NAME there are NAME.png, NAME_confidence.png and
    NAME_report.json; for all, report.csv and report.json. Regions are the same in all pictures: nothing moves but the products.

    Brightness: of a grey card or a swatch, which then is as light in every picture as it is said to be; else --exposure, fixed
    by default. The background becomes white where it is even, trusted, and leads to the picture's border.

    Verdicts: pass; retake (the product's confidence is below the threshold, or the card is not trusted); not-measurable (it
    glows or mirrors: lighter than a surface of its colour can be); out-of-tolerance (a swatch is off by more than
    --difference); failed.

    Exit status: 0 all pass, 1 some failed, 2 wrong usage, or no pairs, 3 some do not pass, 130 stopped by Ctrl-C.
    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    Interruption.cancels()
    let options = try ProductOptions(arguments)
    try options.running.startLibrary()
    let bar = ProgressBar(isWanted: options.running.progress)
    defer { bar.clear() }
    try makeFolder(options.files.folder)
    var series = ProductSeries(options)
    for pair in options.pairs {
      let result: ProductResult
      do {
        let shot: ProductShot
        let (made, messages) = try Messages.capture { try ProductShot(pair, options, bar) }
        shot = made
        let (measured, later) = try Messages.capture { try shot.run() }
        result = measured
        bar.clear()
        if !options.running.isQuiet {
          printRemarks(
            findings: shot.findings, notes: shot.notes, messages: messages + later, isVerbose: options.running.isVerbose
          )
        }
      } catch is RenderingCancelled {
        throw RenderingCancelled()
      } catch {
        // One broken pair stops nobody.
        result = ProductResult(failed: pair, message: "\(error)")
      }
      series.add(result)
      bar.clear()
      if result.verdict != .pass {
        printError("\(pair.name): \(result.verdict.rawValue): \(result.reasons.joined(separator: "; "))")
      }
    }
    try series.write()
    if !options.running.isQuiet { printLine(series.summary) }
    return series.status
  }
}
