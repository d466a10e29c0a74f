import Document
import GEGL
import GEGLOperation
import Raster

/// Makes the paper of a page even and white.
struct EvenPaper: Composer {
  static let name = "constant-color:even-paper"
  static let words = Words(
    title: "Even Paper",
    description:
      "A picture of a page (input) as if its paper were evenly lit and white: falloff and hot spot of the flash are divided away by what "
      + "the paper itself shows of them, around writing and pictures. Then print is cleaned up: paper white, ink black. "
      + "The paper is looked for in aux, where that is given.",
    aux: ("Measured picture", "The paper is looked for in this picture; default: in the input")
  ).inGIMPFilters

  @Property("style", "What is done after the paper is even", .color)
  var style: PrintStyleChoice
  @Found("found-paper", "The part of the picture that is paper, 0 to 1; 0 where none was found and nothing was done")
  var foundPaper: Double

  var reach: Reach { .whole }

  mutating func prepare(_ preparation: inout Preparation) {
    // Paper's white is found, and print cleaned, in sRGB primaries.
    preparation.inputSpace = ColorSpace(named: "sRGB")
  }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let picture = inputs.input else { return }
    let paper =
      inputs.aux.map { PaperWhite.find(in: $0, execution: run.execution) }
      ?? PaperWhite.find(in: picture, execution: run.execution)
    foundPaper = paper?.paperFraction ?? 0
    guard let paper else {
      run.bands(area, to: output) { band, pixels in picture.read(band, into: pixels) }
      return
    }
    render(picture, paper, into: output, area: area, run: run)
  }

  private func render(_ picture: some PixelSource, _ paper: PaperWhite, into output: Sink, area: Rectangle, run: Run) {
    let even = EvenedPicture(picture, paper)
    let levels = style.style == .plain ? PrintLevels() : PrintLevels.measure(even, execution: run.execution)
    let clean = CleanedPage(even, CleanUp(style.style, levels))
    run.bands(area, to: output) { band, pixels in
      // The plain picture stays unbounded.
      if style == .plain { even.read(band, into: pixels) } else { clean.read(band, into: pixels) }
      pixels.take(transparencyOf: picture.image(band).pixels)
    }
  }
}

/// What is done to even paper.
enum PrintStyleChoice: String, PropertyChoice {
  case plain, color, grey, bilevel

  static let typeName = "ConstantColorPrintStyleChoice"

  var label: String {
    switch self {
    case .plain: "Nothing"
    case .color: "Paper white, ink black, colours kept"
    case .grey: "The same in shades of grey"
    case .bilevel: "Black or white"
    }
  }

  var style: PrintStyle { PrintStyle(rawValue: rawValue) ?? .color }
}
