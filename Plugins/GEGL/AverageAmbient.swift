import ConstantColor
import GEGL
import GEGLOperation
import Raster

/// Averages several aligned ambient frames.
struct AverageAmbient: Collector {
  static let name = "constant-color:average-ambient"
  static let words = Words(
    title: "Average Ambient Frames",
    description:
      "The mean of several aligned ambient frames (aux, aux2, aux3 …), in the exposure of the first: less noise, and "
      + "without what moved through some of them. Input is the flash frame. Alpha is the trust in each pixel: least where the "
      + "frames contradict each other, 0 where there is no value.",
    categories: ["color", "enhance"]
  ).inGIMPFilters

  @Property(
    "exposure-ratio",
    "Flash exposure divided by that of the first ambient frame (exposure is time · ISO / f-number²): where two frames "
      + "contradict each other, the flash frame then decides; 0: unknown", 0, in: 0...1e6, ui: 0...16, gamma: 2,
    digits: 3)
  var exposureRatio: Double
  let hint = RatioHintProperties()
  @Property(
    "exposures",
    "What metadata say of the frames' exposures, in any unit, in the order of the pads, with spaces between them; for "
      + "frames that are too dark to tell. Empty: nothing")
  var exposures: String
  @Found(
    "found-used", "For each frame 1 where it takes part, 0 where it shows something else; with spaces between them")
  var foundUsed: String
  @Found(
    "found-gains",
    "What brings the frames to the exposure of the first: three numbers for each, with spaces between them")
  var foundGains: String
  @Found(
    "found-rejected", "The part of each frame that contradicts the others, 0 to 1; with spaces between them")
  var foundRejected: String

  var reach: Reach { .whole }

  func process(_ inputs: Inputs, into output: Sink, area: Rectangle, run: Run) {
    let frames = inputs.auxiliaries.compactMap(\.self)
    guard let flash = inputs.input, !frames.isEmpty else {
      output.clear(area)
      return
    }
    guard frames.count > 1 else {
      run.bands(area, to: output) { band, pixels in frames[0].read(band, into: pixels) }
      return
    }
    let matches = FrameMatch.match(
      frames, over: flash.bounds, exposures: exposures.numbers ?? [], execution: run.execution)
    let average = AmbientAverage(frames, matches, over: flash.bounds, execution: run.execution)
    let bound = bound(flash, run)
    let total = Lock()
    var census = AmbientAverage.Census(frames: frames.count)
    run.bands(area, to: output) { band, pixels in
      let part = average.process(band, frames, bound: bound, into: pixels)
      total.withLock { census += part }
    }
    foundUsed = matches.map { $0.isUsed ? "1" : "0" }.joined(separator: " ")
    foundGains = matches.flatMap { [$0.gain.x, $0.gain.y, $0.gain.z] }.map { "\($0)" }.joined(separator: " ")
    foundRejected = zip(census.voting, census.rejected).map { "\(Double($1) / Double(max(1, $0)))" }
      .joined(separator: " ")
  }

  /// What the flash frame says of the ambient light, if the exposure ratio is known.
  private func bound(_ flash: any PixelSource, _ run: Run) -> AmbientAverage.Bound? {
    let ratio = exposureRatio > 0 ? exposureRatio : hint.ratio
    guard ratio > 0 else { return nil }
    return AmbientAverage.Bound(
      flash: flash, noise: NoiseEstimation.estimate(flash, execution: run.execution), ratio: Float(ratio),
      uncertainty: exposureRatio > 0 ? Self.givenUncertainty : Float(hint.uncertainty))
  }

  /// How well people know a ratio that they give.
  private static let givenUncertainty: Float = 0.01
}
