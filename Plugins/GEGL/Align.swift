import ConstantColor
import GEGLOperation
import Raster

/// Brings the ambient frame into the geometry of the flash frame.
struct Align: Composer {
  static let name = "constant-color:align"
  static let words = Words(
    title: "Align Ambient Frame",
    description: "Moves the ambient frame (aux) into the geometry of the flash frame (input). The lights differ in "
      + "strength, colour and direction, so structure is compared, not brightness. Alpha is the trust in each pixel: 0 where "
      + "there is none, or where the ambient frame is clipped; ½ where a quarter of a pixel is left.",
    aux: ("Ambient frame", "The same scene without flash: the frame that is moved")
  ).inGIMPFilters

  @Property("align", "The most general transform to look for", .auto)
  var align: AlignChoice
  @Property(
    "homography",
    "A transform to use instead of looking for one: nine numbers, row by row, from the flash frame's "
      + "pixels to the ambient frame's")
  var homography: String
  @Found("found-homography", "The transform: nine numbers, row by row, from flash to ambient pixels")
  var foundHomography: String
  @Found("found-model", "The kind of transform: identity, translation, similarity, homography, or mesh")
  var foundModel: String
  @Found(
    "found-outcome",
    "How the transform came about: registered, fell-back (to a simpler one, which agreed no less), no-structure (too little "
      + "in common: the frames as they lie), or not-asked")
  var foundOutcome: String
  @Found("found-agreement", "Mean correlation of local structure under the transform, up to 1")
  var foundAgreement: Double
  @Found("found-largest-shift", "The longest of mesh's local shifts, in pixels; 0 without")
  var foundLargestShift: Double
  @Found("found-noise-gain", "What resampling leaves of the variance of a pixel's noise, up to 1")
  var foundNoiseGain: Double
  @Found("found-residual", "What is left of misregistration: root mean square, in pixels")
  var foundResidual: Double
  @Found("found-problem", "What is wrong with the pair, in words; empty where nothing is")
  var foundProblem: String
  @Found("found-overlap", "The part of the flash frame that the ambient frame covers, 0 to 1")
  var foundOverlap: Double

  var reach: Reach { .whole }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let flash = inputs.input, let ambient = inputs.aux else {
      output.clear(area)
      return
    }
    let alignment = alignment(flash, ambient, run)
    foundHomography = alignment.homography.elements.map { "\($0)" }.joined(separator: " ")
    foundModel = alignment.model.rawValue
    foundOutcome = alignment.outcome.rawValue
    foundAgreement = alignment.agreement
    foundLargestShift = alignment.field?.largest ?? 0
    foundResidual = alignment.residual
    foundOverlap = alignment.overlap
    let isUnrelated = alignment.seemsUnrelated(flash: flash, ambient: ambient, execution: run.execution)
    foundProblem = isUnrelated ? "the two frames do not seem to show the same scene" : ""
    let warp = Warp(alignment, ambientBounds: ambient.bounds)
    foundNoiseGain = warp.noiseGain(over: flash.bounds)
    run.bands(area, to: output) { band, pixels in
      warp.process(band, ambient, into: pixels)
      if isUnrelated {
        for index in 0..<pixels.count { pixels[index].w = min(pixels[index].w, ResidualMap.leastTrust) }
      }
    }
  }

  private func alignment(_ flash: any PixelSource, _ ambient: any PixelSource, _ run: Run) -> Alignment {
    if let numbers = homography.numbers, let given = Homography(numbers) {
      return Alignment(given: given, flash: flash.bounds, ambient: ambient.bounds)
    }
    return estimateAlignment(flash: flash, ambient: ambient, choice: align.kernelChoice, execution: run.execution)
  }
}

/// The most general transform that alignment looks for.
enum AlignChoice: String, PropertyChoice {
  case auto, none, translation, homography, mesh

  static let typeName = "ConstantColorAlignChoice"

  var label: String {
    switch self {
    case .auto: "As the pair needs"
    case .none: "None: the frames are aligned"
    case .translation: "Shift"
    case .homography: "Homography"
    case .mesh: "As the pair needs, and locally for depth"
    }
  }

  var kernelChoice: AlignmentChoice { AlignmentChoice(rawValue: rawValue) ?? .auto }
}
