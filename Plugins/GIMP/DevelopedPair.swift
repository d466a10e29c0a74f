import ConstantColor
import Development
import GEGL
import GEGLOperation
import Photo
import Raster

/// The pictures that a development gives, encoded as an image takes them.
struct DevelopedPair {
  let result: Buffer
  let confidence, fallback: Buffer?
  /// Weighted towards the centre, 0...1; 0 where there is no pixel.
  let meanConfidence: Double
  /// What one should know of the pair, the worst first.
  let notes: [String]
  /// Whether a note is a warning or worse.
  let hasWarnings: Bool
  /// What the result's file says of how it was taken; empty where nothing is known.
  let exif: [UInt8]

  /// Develops a pair. Throws `InputError`, or `RenderingCancelled` when stopped.
  ///
  /// - Parameter progress: told what is being done, and how much of all is done, 0...1.
  init(
    _ pair: LoadedPair, _ options: Options, _ encoding: ResultEncoding,
    progress: @escaping (_ step: String, _ fraction: Double) -> Void
  ) throws {
    var settings = try options.settings()
    settings.space = encoding.rendering
    let place = try options.confidencePlace()
    let development = try PairDevelopment(pair, settings)
    var schedule = Schedule(tell: progress)
    var map: Buffer?
    var mean: Double?
    try development.measure(progress: { step, _ in schedule.begin(step) }) {
      let box = development.steps.confidence.boundingBox
      var means = CenterWeighting(box)
      let buffer = place == .none ? nil : try Buffer(box, format: encoding.mapFormat())
      let plain = try PixelFormat("Y float")
      for band in box.bands(of: 256) {
        let values = try development.readConfidence(band, into: &means)
        try buffer?.write(values.map { $0 > 0 ? min($0, 1) : 0 }, to: band, format: plain)
        schedule.show("judging confidence", Double(band.maxY - box.y) / Double(box.height))
      }
      (map, mean) = (buffer, means.centerWeightedMean)
      return means
    }
    let steps = development.steps
    func picture(_ node: Node, _ step: String) throws -> Buffer {
      try encoding.picture(node) { schedule.show(step, $0) }
    }
    result = try picture(steps.render, "rendering the result")
    if options.hasFallback {
      schedule.begin("balancing the fallback")
      try development.measureLights()
      try steps.measureFallback()
      fallback = try picture(steps.renderFallback, "rendering the fallback")
    } else {
      fallback = nil
    }
    (confidence, meanConfidence) = (map, mean ?? 0)
    notes = development.findings.map { "\($0.severity.rawValue): \($0.message)" } + development.notes
    hasWarnings = development.findings.contains { $0.severity > .note }
    let metadata = pair.flash.metadata.exif
    exif =
      metadata == nil ? [] : pair.flash.exifOfResult(isSRGB: encoding.rendering == .sRGB).bytes()
  }
}

/// How much of a development each step is: measured on pairs of several megapixels.
private struct Schedule {
  let tell: (_ step: String, _ fraction: Double) -> Void
  private var start = 0.0
  private var end = 0.0

  init(tell: @escaping (_ step: String, _ fraction: Double) -> Void) { self.tell = tell }

  private static let ends = [
    ("aligning", 0.2), ("matching exposure", 0.3), ("estimating the flash's light", 0.55), ("judging confidence", 0.75),
    ("balancing the ambient light", 0.8), ("rendering the result", 0.85), ("balancing the fallback", 0.9),
    ("rendering the fallback", 1),
  ]

  mutating func begin(_ step: String) { show(step, 0) }

  mutating func show(_ step: String, _ part: Double) {
    if let index = Self.ends.firstIndex(where: { $0.0 == step }), end != Self.ends[index].1 {
      (start, end) = (index > 0 ? Self.ends[index - 1].1 : 0, Self.ends[index].1)
    }
    tell(step, start + (end - start) * part)
  }
}
