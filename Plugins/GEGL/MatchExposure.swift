import ConstantColor
import GEGLOperation
import Raster

/// Scales the ambient frame to the exposure of the flash frame.
struct MatchExposure: Composer {
  static let name = "constant-color:match-exposure"
  static let words = Words(
    title: "Match Ambient Exposure",
    description:
      "The aligned ambient frame (aux) as it would look with the exposure of the flash frame (input). Without a "
      + "ratio, the one is found by which the ambient light vanishes from the difference.",
    aux: ("Ambient frame", "The aligned ambient frame")
  ).inGIMPFilters

  @Property(
    "exposure-ratio",
    "Flash exposure divided by ambient exposure (exposure is time · ISO / f-number²); 0: found from the pictures",
    0, in: 0...1e6, ui: 0...16, gamma: 2, digits: 3)
  var exposureRatio: Double
  @Property(
    "red-ratio", "The ratio of red, where white balance differed; 0: as exposure-ratio", 0, in: 0...1e6, ui: 0...16,
    gamma: 2, digits: 3)
  var redRatio: Double
  @Property(
    "blue-ratio", "The ratio of blue, where white balance differed; 0: as exposure-ratio", 0, in: 0...1e6, ui: 0...16,
    gamma: 2, digits: 3)
  var blueRatio: Double
  @Property(
    "flicker",
    "How the given ratio runs along the picture under a flickering lamp, as found-flicker tells it; empty: not at all",
    "")
  var flicker: String
  let hint = RatioHintProperties()
  @Property("balance", "Whether the frames have one white balance", .found)
  var balance: BalanceChoice
  @Property("input-colour", "What the picture's numbers are", .encoded)
  var inputColour: InputColour
  @Found("found-exposure-ratio", "The ratio of green")
  var foundExposureRatio: Double
  @Found("found-red-ratio", "The ratio of red")
  var foundRedRatio: Double
  @Found("found-blue-ratio", "The ratio of blue")
  var foundBlueRatio: Double
  @Found("found-ratio-uncertainty", "The relative standard error of the ratio")
  var foundUncertainty: Double
  @Found(
    "found-ratio-source",
    "What the ratio rests on: given, prior, ambientEdges, flashFree, lightColours, bound or unknown")
  var foundSource: String
  @Found(
    "found-flicker",
    "How the ratio runs along the picture under a flickering lamp: rows or columns, the period, three sines, three cosines; "
      + "empty: not at all")
  var foundFlicker: String
  @Found("found-median-gain", "Median of flash over matched ambient; well below 1: the frames are swapped")
  var foundMedianGain: Double

  var reach: Reach { exposureRatio > 0 ? .margin(0) : .whole }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    guard let flash = inputs.input, let ambient = inputs.aux else {
      output.clear(area)
      return
    }
    let ratio = ratio(flash, ambient, run)
    let matching = ExposureMatching(ratio, over: area)
    run.bands(area, columns: 512, to: output) { band, pixels in
      ambient.read(band, into: pixels)
      matching.apply(to: pixels, of: band)
    }
  }

  private func ratio(_ flash: any PixelSource, _ ambient: any PixelSource, _ run: Run) -> ExposureRatio {
    if exposureRatio > 0 {
      var ratio = ExposureRatio(
        red: redRatio > 0 ? redRatio : exposureRatio, green: exposureRatio,
        blue: blueRatio > 0 ? blueRatio : exposureRatio, relativeUncertainty: 0, source: .prior)
      ratio.flicker = Flicker(flicker)
      return ratio
    }
    let ratio = ExposureRatio.estimate(
      flash: reduced(flash, execution: run.execution),
      ambient: reduced(ambient, over: flash.bounds, execution: run.execution),
      prior: hint.ratio > 0 ? hint.ratio : nil, priorUncertainty: hint.uncertainty,
      channels: inputColour == .camera ? .common : balance.channels, execution: run.execution)
    foundExposureRatio = ratio.green
    foundRedRatio = ratio.red
    foundBlueRatio = ratio.blue
    foundUncertainty = ratio.relativeUncertainty
    foundSource = ratio.source.rawValue
    foundFlicker = ratio.flicker?.text ?? ""
    foundMedianGain = ratio.medianGain
    return ratio
  }
}

/// Whether the frames have one white balance.
enum BalanceChoice: String, PropertyChoice {
  case found, shared, own

  static let typeName = "ConstantColorBalanceChoice"

  var label: String {
    switch self {
    case .found: "As the pictures show"
    case .shared: "One for both frames"
    case .own: "One for each frame"
    }
  }

  var channels: ExposureRatio.Channels {
    switch self {
    case .found: .found
    case .shared: .common
    case .own: .independent
    }
  }
}
